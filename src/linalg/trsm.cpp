// Triangular systems: halves of the matrix until they are small, the products between them by the
// kernels, the small ones with the columns of the right-hand side in SIMD lanes.
#include <algorithm>
#include <string>

#include "mctensor/error.hpp"
#include "src/linalg/strided.hpp"
#include "src/tensor/parallel.hpp"

namespace mct::linalg {

namespace {

using linalg_detail::as_const;
using linalg_detail::PlaneRow;

/// Order of the systems that are solved by substitution alone.
constexpr std::int64_t small_order = 16;
/// Columns whose rows of planes stay in the first-level cache.
constexpr std::int64_t small_columns = 128;

/// A small system with at most small_columns right-hand sides.
template <class T, int N>
class Substitution {
 public:
  Substitution(Half half, Diagonal diagonal, ConstMatrix<T, N> a)
      : loops_(tensor_detail::elementwise_loops<T, N>()),
        half_(half),
        diagonal_(diagonal),
        a_(a),
        constant_(small_columns) {
    for (std::int64_t i = 0; i < a.rows; ++i) x_.emplace_back(small_columns);
  }

  void operator()(MutableMatrix<T, N> b) {
    const auto count = std::size_t(b.columns);
    for (std::int64_t i = 0; i < b.rows; ++i) row(i).load(&b(i, 0), b.column_stride, b.columns);
    for (std::int64_t step = 0; step < b.rows; ++step) {
      const std::int64_t i = index(step);
      T* const* x = row(i).planes();
      for (std::int64_t known = 0; known < step; ++known) {
        constant_.fill(-a_(i, index(known)), b.columns);
        loops_.ternary[int(Ternary::mul_add)](count, x, constant_.planes(),
                                              row(index(known)).planes(), x);
      }
      if (diagonal_ != Diagonal::stored) continue;
      constant_.fill(a_(i, i), b.columns);
      loops_.binary[int(Binary::div)][int(tensor_detail::Mix::none)](count, x, x,
                                                                     constant_.planes());
    }
    for (std::int64_t i = 0; i < b.rows; ++i) row(i).store(&b(i, 0), b.column_stride, b.columns);
  }

 private:
  /// The unknown that is found in a step.
  std::int64_t index(std::int64_t step) const {
    return half_ == Half::lower ? step : a_.rows - 1 - step;
  }
  PlaneRow<T, N>& row(std::int64_t i) { return x_[std::size_t(i)]; }

  const tensor_detail::ElementwiseTable<T>& loops_;
  Half half_;
  Diagonal diagonal_;
  ConstMatrix<T, N> a_;
  PlaneRow<T, N> constant_;
  std::vector<PlaneRow<T, N>> x_;
};

template <class T, int N>
void substitute(Half half, Diagonal diagonal, ConstMatrix<T, N> a, MutableMatrix<T, N> b) {
  const std::int64_t pieces = (b.columns + small_columns - 1) / small_columns;
  const double cost = double(a.rows) * double(a.rows) * double(b.columns) * N * N * 4;
  tensor_detail::parallel_ranges(
      pieces, tensor_detail::threads_for(cost), [&](std::int64_t begin, std::int64_t end) {
        Substitution<T, N> solve(half, diagonal, a);
        for (std::int64_t piece = begin; piece < end; ++piece) {
          const std::int64_t from = piece * small_columns;
          solve(b.block(0, from, b.rows, std::min(small_columns, b.columns - from)));
        }
      });
}

template <class T, int N>
void solve(Half half, Diagonal diagonal, ConstMatrix<T, N> a, MutableMatrix<T, N> b) {
  if (a.rows <= small_order) {
    substitute<T, N>(half, diagonal, a, b);
    return;
  }
  const std::int64_t blocks = (a.rows + small_order - 1) / small_order;
  const std::int64_t upper = blocks / 2 * small_order;
  const std::int64_t lower = a.rows - upper;
  const auto top = b.block(0, 0, upper, b.columns);
  const auto bottom = b.block(upper, 0, lower, b.columns);
  const auto first = a.block(0, 0, upper, upper);
  const auto last = a.block(upper, upper, lower, lower);
  const Expansion<T, N> one(T(1));
  if (half == Half::lower) {
    solve<T, N>(half, diagonal, first, top);
    gemm<T, N>(-one, a.block(upper, 0, lower, upper), as_const<T, N>(top), one, bottom);
    solve<T, N>(half, diagonal, last, bottom);
  } else {
    solve<T, N>(half, diagonal, last, bottom);
    gemm<T, N>(-one, a.block(0, upper, upper, lower), as_const<T, N>(bottom), one, top);
    solve<T, N>(half, diagonal, first, top);
  }
}

}  // namespace

template <class T, int N>
void trsm(Half half, Diagonal diagonal, ConstMatrix<T, N> a, MutableMatrix<T, N> b) {
  if (a.rows != a.columns || a.rows != b.rows)
    throw ShapeError("trsm: a matrix of " + std::to_string(a.rows) + " rows and " +
                     std::to_string(a.columns) + " columns and a right-hand side of " +
                     std::to_string(b.rows) + " rows; the three numbers must be equal");
  if (diagonal == Diagonal::zeros)
    throw DomainError("trsm: a matrix whose diagonal is zero cannot be solved");
  if (b.rows == 0 || b.columns == 0) return;
  solve<T, N>(half, diagonal, a, b);
}

#define MCT_INSTANTIATE(T, N) \
  template void trsm<T, N>(Half, Diagonal, ConstMatrix<T, N>, MutableMatrix<T, N>);
MCT_FOR_EACH_LONG_TENSOR(MCT_INSTANTIATE)

}  // namespace mct::linalg
