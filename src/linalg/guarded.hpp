// A sum of products once more with guarded operations.
#pragma once

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/convert.hpp"
#include "src/linalg/gemm.hpp"
#include "src/tensor/kernels/work_format.hpp"

namespace mct::linalg_detail {

/// Row 0 of a times column 0 of b, of depth k: the result that IEEE 754 defines for infinities and
/// NaN. The unguarded sums of the kernels turn both into NaN. Narrower types are summed in double,
/// so that finite terms do not overflow beside an infinity.
///
/// The function is large and rarely called. It is therefore compiled once for all numbers of limbs
/// up to N.
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
