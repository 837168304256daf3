// Memory of PyTorch in a device: addresses and streams as Python has them.
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

/// PyTorch's stream on a device; the simulated one has its own.
inline cuda::Stream stream_of(Address stream, int device) {
  if (cuda::device_is_simulated()) return cuda::default_stream();
  return cuda::Stream::wrap(at<void>(stream), device);
}

/// Makes memory of PyTorch that of the simulated device's programs, as long as it lives.
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
