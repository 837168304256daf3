#include "src/linalg/residue_buffers.hpp"

#include <mutex>
#include <utility>

namespace mct::linalg_detail {

namespace {

struct Kept {
  std::mutex mutex;
  Storage sums;
  Storage left;
  Storage right;
};

/// Never destroyed: the last products may come after other static objects have gone.
Kept& kept() {
  static Kept* all = new Kept;
  return *all;
}

}  // namespace

ResidueBuffers::ResidueBuffers() {
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  sums = std::exchange(all.sums, {});
  left = std::exchange(all.left, {});
  right = std::exchange(all.right, {});
}

ResidueBuffers::~ResidueBuffers() {
  if (sums.bytes() + left.bytes() + right.bytes() > most_kept_bytes) return;
  Kept& all = kept();
  const std::lock_guard lock(all.mutex);
  all.sums = std::move(sums);
  all.left = std::move(left);
  all.right = std::move(right);
}

}  // namespace mct::linalg_detail
