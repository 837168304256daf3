// A sum of products once more with guarded operations.
#pragma once

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/convert.hpp"
#include "src/linalg/gemm.hpp"
#include "src/tensor/kernels/work_format.hpp"

namespace mct::linalg_detail {

/// Row 0 of a times column 0 of b, of depth k: what IEEE 754 says of infinities and NaN, which the
/// unguarded sums of the kernels turn into NaN both. In double for the narrower types, so that
/// finite terms do not overflow beside an infinity.
///
/// It is rare and large: compiled once for all limbs of the operands, which have at most N.
template <class T, int N>
[[gnu::noinline]] Expansion<T, N> guarded_product(std::int64_t k, MatrixView<const T> a,
                                                  int limbs_a, MatrixView<const T> b, int limbs_b) {
  using Work = Expansion<double, tensor_detail::WorkFormat<T, N>::levels>;
  Work sum{};
  for (std::int64_t i = 0; i < k; ++i) {
    Expansion<T, N> x{};
    Expansion<T, N> y{};
    for (int l = 0; l < limbs_a; ++l) x.limb[l] = a.data[l * a.plane + i * a.column_stride];
    for (int l = 0; l < limbs_b; ++l) y.limb[l] = b.data[l * b.plane + i * b.row_stride];
    sum = mul_add(Work(x), Work(y), sum);
  }
  return Expansion<T, N>(sum);
}

}  // namespace mct::linalg_detail
