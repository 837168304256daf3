// Memory of a GPU, and page-locked memory of the CPU that it can copy while the CPU goes on.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "mctensor/device/stream.hpp"
#include "mctensor/tensor/storage.hpp"

namespace mct::cuda {

/// A block of a device's memory with shared ownership. Copies refer to the same block.
///
/// New memory comes from a pool, in the order of its stream: it is there for what the stream is
/// given afterwards, and goes back when the stream has done what it had when the last copy went.
/// So what uses it on another stream has that one wait for this, and this one for that
/// (Stream::wait).
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Aligned to 256 bytes, of unknown content. Throws MemoryError, DeviceError.
  static DeviceMemory allocate(std::size_t bytes, const Stream& stream);
  /// The same, all bits 0.
  static DeviceMemory zeros(std::size_t bytes, const Stream& stream);
  /// Memory that belongs to somebody else; when the last copy goes, the stream is waited for and
  /// `release` called (it may be empty).
  static DeviceMemory wrap(void* data, std::size_t bytes, const Stream& stream,
                           std::function<void()> release);

  /// An address of the device.
  void* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
};

/// Page-locked memory of the CPU, for Tensor::from_storage: what is copied from and to it needs no
/// detour, and the CPU need not wait.
Storage page_locked(std::size_t bytes);

/// Copies between devices and the CPU, in the order of the stream; addresses tell which is which.
/// Returns before it is done where CPU memory is page-locked or not concerned.
void copy_async(void* to, const void* from, std::size_t bytes, const Stream& stream);
/// The same, and waits for it.
void copy(void* to, const void* from, std::size_t bytes, const Stream& stream);

/// Gives memory of the pool that no tensor has back to the device, for other libraries.
void release_unused_memory(int device = 0);

}  // namespace mct::cuda
