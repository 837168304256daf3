// A strided matrix in memory. No code: it may be included under any instruction set.
#pragma once

#include <cstdint>

#include "mctensor/config.hpp"

namespace mct::linalg_detail {

/// Element (i, j), limb k lies at data[k plane + i row_stride + j column_stride].
template <class T>
struct MatrixView {
  T* data = nullptr;
  std::int64_t plane = 0;
  std::int64_t row_stride = 0;
  std::int64_t column_stride = 0;

  MCT_HD MCT_ALWAYS_INLINE MatrixView transposed() const {
    return {data, plane, column_stride, row_stride};
  }
  MCT_HD MCT_ALWAYS_INLINE MatrixView at(std::int64_t offset) const {
    return {data + offset, plane, row_stride, column_stride};
  }
};

}  // namespace mct::linalg_detail
