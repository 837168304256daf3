// What launches of programs on tensors have in common.
#pragma once

#include <cstdint>

#include "cuda/tensor/planes.hpp"
#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

template <class T, int N>
DevicePlanes<T, N> planes(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride()};
}
template <class T, int N>
DevicePlanes<const T, N> const_planes(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride()};
}

/// Whether every plane is aligned to 16 bytes.
template <class T, int N>
bool is_wide(const DeviceTensor<T, N>& x) {
  return reinterpret_cast<std::uintptr_t>(x.data()) % 16 == 0 &&
         (N == 1 || x.plane_stride() % widest<T> == 0);
}

}  // namespace mct::cuda
