#include "mctensor/device/memory.hpp"

#include <string>
#include <utility>

#include "cuda/device/runtime.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

DeviceMemory DeviceMemory::allocate(std::size_t bytes, const Stream& stream) {
  DeviceMemory memory;
  memory.bytes_ = bytes;
  if (bytes == 0) return memory;
  const runtime::DeviceScope scope(stream.device());
  void* const data = runtime::allocate(bytes, stream.device(), stream.handle());
  if (data == nullptr)
    throw MemoryError("not enough memory on device " + std::to_string(stream.device()) + " for " +
                      std::to_string(bytes) + " bytes");
  // the stream is kept until the memory has gone back to the pool
  memory.data_.reset(data, [stream](void* p) { runtime::free(p, stream.handle()); });
  return memory;
}

DeviceMemory DeviceMemory::zeros(std::size_t bytes, const Stream& stream) {
  DeviceMemory memory = allocate(bytes, stream);
  if (bytes == 0) return memory;
  const runtime::DeviceScope scope(stream.device());
  runtime::clear_async(memory.data(), bytes, stream.handle());
  return memory;
}

DeviceMemory DeviceMemory::wrap(void* data, std::size_t bytes, const Stream& stream,
                                std::function<void()> release) {
  DeviceMemory memory;
  memory.bytes_ = bytes;
  memory.data_.reset(data, [stream, release = std::move(release)](void*) {
    if (!release) return;
    try {
      stream.synchronize();
    } catch (const DeviceError&) {  // the next call that uses the stream reports it
    }
    release();
  });
  return memory;
}

Storage page_locked(std::size_t bytes) {
  if (bytes == 0) return Storage::wrap(nullptr, 0, {});
  void* const data = runtime::allocate_page_locked(bytes);
  if (data == nullptr)
    throw MemoryError("not enough page-locked memory for " + std::to_string(bytes) + " bytes");
  return Storage::wrap(data, bytes, [data] { runtime::free_page_locked(data); });
}

void copy_async(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  if (bytes == 0) return;
  const runtime::DeviceScope scope(stream.device());
  runtime::copy_async(to, from, bytes, stream.handle());
}

void copy(void* to, const void* from, std::size_t bytes, const Stream& stream) {
  copy_async(to, from, bytes, stream);
  stream.synchronize();
}

void release_unused_memory(int device) {
  const runtime::DeviceScope scope(device);
  runtime::trim_pool(device);
}

}  // namespace mct::cuda
