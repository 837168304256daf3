// Packing: blocks of a matrix as panels in the order in which the register tiles read them, in the
// format in which products are accumulated.
#pragma once

#include <algorithm>
#include <cstdint>

#include "mctensor/expansion/arithmetic.hpp"
#include "src/linalg/gemm.hpp"

namespace mct::linalg_detail {

/// One element in K values of S; as load_work does it in SIMD lanes.
template <class S, int K, int A, class T>
inline void convert_element(const T* p, std::int64_t plane, S (&out)[K]) {
  if constexpr (K == A) {
    for (int k = 0; k < K; ++k) out[k] = S(p[k * plane]);
  } else if constexpr (K == 1) {
    S sum = S(p[(A - 1) * plane]);
    for (int k = A - 2; k >= 0; --k) sum = S(p[k * plane]) + sum;
    out[0] = sum;
  } else {
    static_assert(K == 2 && A > 2);
    S tail = S(p[(A - 1) * plane]);
    for (int k = A - 2; k >= 2; --k) tail = S(p[k * plane]) + tail;
    const auto [hi, lo] = fast_two_sum<S>(S(p[0]), S(p[plane]));
    const auto [s, e] = fast_two_sum<S>(hi, lo + tail);
    out[0] = s;
    out[1] = e;
  }
}

/// Columns 0 ... columns - 1 of `depth` rows (of a k x n matrix, or of a transposed left factor) as
/// panels of `width` columns: [panel][row][limb][column], zeros behind the last column.
template <class S, int K, int A, class T>
void pack_panels(MatrixView<const T> x, std::int64_t depth, std::int64_t columns,
                 std::int64_t width, S* out) {
  for (std::int64_t first = 0; first < columns; first += width) {
    const std::int64_t count = std::min(width, columns - first);
    for (std::int64_t i = 0; i < depth; ++i, out += K * width) {
      const T* p = x.data + i * x.row_stride + first * x.column_stride;
      if constexpr (K == A && std::is_same_v<S, T>) {
        if (x.column_stride == 1) {
          for (int k = 0; k < K; ++k) {
            std::copy_n(p + k * x.plane, count, out + k * width);
            std::fill(out + k * width + count, out + (k + 1) * width, S(0));
          }
          continue;
        }
      }
      for (std::int64_t j = 0; j < count; ++j) {
        S limbs[K];
        convert_element<S, K, A>(p + j * x.column_stride, x.plane, limbs);
        for (int k = 0; k < K; ++k) out[k * width + j] = limbs[k];
      }
      for (int k = 0; k < K; ++k) std::fill(out + k * width + count, out + (k + 1) * width, S(0));
    }
  }
}

}  // namespace mct::linalg_detail
