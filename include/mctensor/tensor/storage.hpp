// The memory behind tensors: shared, aligned, or somebody else's.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mct {

/// Bytes that a cache line and the widest vector register hold: alignment of every plane.
inline constexpr std::size_t tensor_alignment = 64;

/// A block of memory with shared ownership. Copies refer to the same block.
class Storage {
 public:
  Storage() = default;
  /// New memory, aligned to tensor_alignment, set to zero bytes if `zero`. Throws
  /// MemoryError.
  static Storage allocate(std::size_t bytes, bool zero);
  /// Memory that belongs to somebody else; `release` is called when the last copy goes (it may be
  /// empty).
  static Storage wrap(void* data, std::size_t bytes, std::function<void()> release);

  void* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }
  /// How many Storage objects share the block.
  long use_count() const { return data_.use_count(); }

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
};

}  // namespace mct
