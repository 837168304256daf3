// The memory of tensors: shared and aligned, or owned by the caller.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace mct {

/// The alignment of every plane: the bytes of a cache line and of the widest vector register.
inline constexpr std::size_t tensor_alignment = 64;

/// A block of memory with shared ownership. Copies refer to the same block.
class Storage {
 public:
  Storage() = default;
  /// New memory, aligned to tensor_alignment. Its bytes are set to zero if `zero` is true. Throws
  /// MemoryError.
  static Storage allocate(std::size_t bytes, bool zero);
  /// Memory that the caller owns. When the last copy is destroyed, `release` (if any) is called.
  static Storage wrap(void* data, std::size_t bytes, std::function<void()> release);

  void* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }
  /// The number of Storage objects that share the block.
  long use_count() const { return data_.use_count(); }

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
};

}  // namespace mct
