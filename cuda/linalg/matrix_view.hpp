// A matrix of expansions in global memory.
#pragma once

#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::cuda {

/// Limb l of element (i, j) is data[l plane + i row_stride + j column_stride].
template <class T>
struct DeviceMatrix {
  T* data;
  std::int64_t plane, row_stride, column_stride;

  MCT_HD DeviceMatrix transposed() const { return {data, plane, column_stride, row_stride}; }
};

}  // namespace mct::cuda
