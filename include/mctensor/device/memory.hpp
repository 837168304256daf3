// Memory of a GPU, and page-locked memory of the CPU. The GPU can copy page-locked memory while the
// CPU works.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "mctensor/device/stream.hpp"
#include "mctensor/tensor/storage.hpp"

namespace mct::cuda {

/// A block of a device's memory with shared ownership. Copies refer to the same block.
///
/// New memory comes from a pool, in the order of its stream. Work that enters the stream afterwards
/// may use the memory. The memory goes back to the pool when its last copy is destroyed and the
/// stream has done all earlier work. To use it on another stream, let the other stream wait for
/// this stream first; afterwards let this stream wait for the other one (Stream::wait).
class DeviceMemory {
 public:
  DeviceMemory() = default;
  /// Aligned to 256 bytes, not initialized. Throws MemoryError, DeviceError.
  static DeviceMemory allocate(std::size_t bytes, const Stream& stream);
  /// As allocate, with all bits 0.
  static DeviceMemory zeros(std::size_t bytes, const Stream& stream);
  /// Memory that the caller owns. When the last copy is destroyed, this waits for the stream and
  /// calls `release` (which may be empty).
  static DeviceMemory wrap(void* data, std::size_t bytes, const Stream& stream,
                           std::function<void()> release);

  /// An address on the device.
  void* data() const { return data_.get(); }
  std::size_t bytes() const { return bytes_; }

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
};

/// Page-locked memory of the CPU, for Tensor::from_storage. Copies from and to it need no
/// intermediate buffer, and the CPU need not wait for them.
Storage page_locked(std::size_t bytes);

/// Copies between devices and the CPU, in the order of the stream. An address tells whether it is
/// of a device or of the CPU. If all CPU memory that takes part is page-locked, the function
/// returns before the copy is done.
void copy_async(void* to, const void* from, std::size_t bytes, const Stream& stream);
/// As copy_async, but returns when the copy is done.
void copy(void* to, const void* from, std::size_t bytes, const Stream& stream);

/// Gives the pool's unused memory back to the device, so that other libraries can use it.
void release_unused_memory(int device = 0);

}  // namespace mct::cuda
