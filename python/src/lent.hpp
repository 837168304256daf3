// Memory of PyTorch on a device: addresses and streams that Python passes.
#pragma once

#include <cstdint>

#include "mctensor/device/devices.hpp"
#include "mctensor/device/stream.hpp"

namespace mct::python {

/// An address of the device, 0 for none.
using Address = std::uintptr_t;
template <class T>
T* at(Address address) {
  return reinterpret_cast<T*>(address);
}

/// PyTorch's stream on a device. The simulated device has its own stream.
inline cuda::Stream stream_of(Address stream, int device) {
  if (cuda::device_is_simulated()) return cuda::default_stream();
  return cuda::Stream::wrap(at<void>(stream), device);
}

/// While it exists, programs of the simulated device may use memory of PyTorch.
class Lent {
 public:
  Lent() = default;
  ~Lent() {
    if (cuda::device_is_simulated()) cuda::take_memory_back();
  }
  Lent(const Lent&) = delete;
  Lent& operator=(const Lent&) = delete;

  void add(const void* data, std::size_t bytes) {
    if (data != nullptr && cuda::device_is_simulated()) cuda::lend_memory(data, bytes);
  }
};

}  // namespace mct::python
