// What launches of programs on tensors have in common.
#pragma once

#include <cstdint>

#include "cuda/base/launch.hpp"
#include "cuda/tensor/planes.hpp"
#include "mctensor/device/device_tensor.hpp"
#include "mctensor/error.hpp"

namespace mct::cuda {

/// Types that programs on tensors are compiled for.
#define MCT_FOR_EACH_DEVICE_TYPE(DO) \
  DO(double, 1) DO(float, 1) DO(double, 2) DO(double, 3) DO(float, 2) DO(bfloat16, 2)

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

/// Blocks for `items`, `of_block` each. Throws ShapeError if no grid has as many.
inline Grid blocks_for(std::int64_t items, std::int64_t of_block) {
  const std::int64_t blocks = (items + of_block - 1) / of_block;
  if (blocks > Grid::max_x) throw ShapeError("a device tensor has too many elements for a launch");
  return {int(blocks)};
}

}  // namespace mct::cuda
