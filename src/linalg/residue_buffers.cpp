#include "src/linalg/residue_buffers.hpp"

#include <mutex>
#include <utility>

namespace mct::linalg_detail {

namespace {

/// No thread waits for the mutex: if it is taken, perhaps by a thread that a fork() left behind,
/// new memory is used.
struct Kept {
  std::mutex mutex;
  ResidueBuffers buffers;
};

/// Never destroyed: the last products may come after other static objects have gone.
Kept& kept() {
  static Kept* all = new Kept;
  return *all;
}

}  // namespace

BorrowedBuffers::BorrowedBuffers() {
  Kept& all = kept();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (lock) static_cast<ResidueBuffers&>(*this) = std::exchange(all.buffers, {});
}

BorrowedBuffers::~BorrowedBuffers() {
  if (sums.bytes() + left.bytes() + right.bytes() > most_kept_bytes) return;
  Kept& all = kept();
  const std::unique_lock lock(all.mutex, std::try_to_lock);
  if (lock) all.buffers = std::move(static_cast<ResidueBuffers&>(*this));
}

}  // namespace mct::linalg_detail
