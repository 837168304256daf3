// Functions that all launches of programs on tensors use.
#pragma once

#include <cstdint>
#include <string>

#include "cuda/tensor/planes.hpp"
#include "mctensor/device/device_tensor.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

template <class T, int N>
DevicePlanes<T, N> planes(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride()};
}
template <class T, int N>
DevicePlanes<const T, N> const_planes(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride()};
}

/// Throws DeviceError, naming the function and what they are, for tensors of two devices.
template <class X, class Y>
void require_same_device(const std::string& name, const char* what, const X& x, const Y& y) {
  if (x.device() != y.device())
    throw DeviceError(name + ": " + what + " on devices " + std::to_string(x.device()) + " and " +
                      std::to_string(y.device()));
}

/// Whether every plane is aligned to 16 bytes.
template <class T, int N>
bool is_wide(const DeviceTensor<T, N>& x) {
  return reinterpret_cast<std::uintptr_t>(x.data()) % 16 == 0 &&
         (N == 1 || x.plane_stride() % widest<T> == 0);
}

}  // namespace mct::cuda
