// The range of the elements of lines, which decides how they become integers.
#pragma once

#include "src/linalg/kernels/residue_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::LineRange;
using linalg_detail::MatrixView;

template <int N>
void widen_ranges(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                  LineRange* ranges) {
  const auto widen = [&](LineRange& range, const double* p) {
    double limb[N];
    for (int l = 0; l < N; ++l) limb[l] = p[l * x.plane];
    widen_range(range, limb);
  };
  if (x.column_stride == 1) {
    for (std::int64_t k = 0; k < depth; ++k)
      for (std::int64_t j = 0; j < lines; ++j) widen(ranges[j], x.data + k * x.row_stride + j);
  } else {
    for (std::int64_t j = 0; j < lines; ++j) {
      LineRange range = ranges[j];
      for (std::int64_t k = 0; k < depth; ++k)
        widen(range, x.data + k * x.row_stride + j * x.column_stride);
      ranges[j] = range;
    }
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
