// Recomputes the elements of a matrix product that came out infinite or NaN.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/linalg/packed_factor.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// Computes every element of C = A B that is not finite with guarded operations, so that it has the
/// value that IEEE 754 gives for the leading components, as on the host. Reads limb 0 of C and the
/// factors that the product has read (PackFactor). A kernel of its own, because a rare loop in Gemm
/// would take registers from it.
///
/// Grid: (rows * columns / threads, rounded up).
template <class T, int N>
struct GuardedSums {
  static constexpr int threads = 256, blocks_per_sm = 4;

  PackedFactor<const T, N> a, b;
  MatrixView<T> c;
  std::int64_t rows, columns, depth;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t element = thread_number<threads>(team);
    if (element >= rows * columns) return;
    const std::int64_t i = element / columns;
    const std::int64_t j = element % columns;
    T* const to = c.data + i * c.row_stride + j * c.column_stride;
    if (isfinite(Expansion<T, 1>(team.template load<1>(to)[0]))) return;
    const Expansion<T, N> sum = guarded(team, i, j);
    for (int l = 0; l < N; ++l) team.template store<1>(to + l * c.plane, {{sum.limb[l]}});
  }

 private:
  template <class Team>
  MCT_BLOCK Expansion<T, N> guarded(Team& team, std::int64_t row, std::int64_t column) const {
    Expansion<T, N> sum{};
    for (std::int64_t k = 0; k < depth; ++k) {
      Expansion<T, N> x{}, y{};
      for (int l = 0; l < N; ++l) {
        x.limb[l] = team.template load<1>(a.data + a.place(l, row, k))[0];
        y.limb[l] = team.template load<1>(b.data + b.place(l, column, k))[0];
      }
      sum = mul_add(x, y, sum);
    }
    return sum;
  }
};

}  // namespace mct::cuda
