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

// Nobody waits for the mutex: where it is taken, perhaps by a thread that a fork() left behind,
// memory is new.
ResidueBuffers::ResidueBuffers() {
  Kept& all = kept();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock) return;
  sums = std::exchange(all.sums, {});
  left = std::exchange(all.left, {});
  right = std::exchange(all.right, {});
}

ResidueBuffers::~ResidueBuffers() {
  if (sums.bytes() + left.bytes() + right.bytes() > most_kept_bytes) return;
  Kept& all = kept();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (!lock) return;
  all.sums = std::move(sums);
  all.left = std::move(left);
  all.right = std::move(right);
}

}  // namespace mct::linalg_detail
