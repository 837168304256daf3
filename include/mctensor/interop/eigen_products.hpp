// Makes Eigen use the kernels of linalg/ for large products, triangular solves and decompositions
// of matrices of expansions, as it may use a BLAS for matrices of double.
//
// Algorithms that Eigen builds from these operations use the kernels, too: PartialPivLU, LLT,
// HouseholderQR, inverses, solves with several right-hand sides. Blocks, maps and transposes are
// read in place. Small products use Eigen's loops, which are faster for them. mct::set_num_threads
// sets the number of threads.
//
// This header needs the compiled library, mctensor::mctensor; interop/eigen.hpp alone does not. The
// header specializes templates of Eigen. So, by C++'s one-definition rule, either all sources of a
// program that multiply such matrices include it, or none of them does.
//
// Error: product_bound of linalg/products.hpp. Source: linalg/strided.hpp.
#pragma once

#include <Eigen/Core>
#include <Eigen/QR>

#include "mctensor/interop/eigen.hpp"
#include "mctensor/linalg/strided.hpp"

namespace mct::eigen_detail {

/// The types that linalg/strided.hpp is compiled for.
template <class T, int N>
concept Compiled = ((std::is_same_v<T, double> || std::is_same_v<T, float>)&&N >= 2 && N <= 4) ||
                   ((std::is_same_v<T, half> || std::is_same_v<T, bfloat16>)&&N >= 2 && N <= 3);

template <class X>
inline constexpr bool is_compiled = false;
template <class T, int N>
inline constexpr bool is_compiled<Expansion<T, N>> = Compiled<T, N>;
template <class X>
concept CompiledScalar = is_compiled<X>;

/// Eigen's algorithms have a flag for a conjugated factor, which real numbers never need. Here this
/// flag selects Eigen's own loop.
inline constexpr bool own_loop = true;

/// Below this number of multiplications and additions Eigen's own loop is as fast. That loop takes
/// 15 ns for a multiplication and an addition with two components, and 40 ns and more with three or
/// four.
template <class T, int N>
constexpr double smallest_product = N == 2 && sizeof(T) > 2 ? 160 : 40;
template <class T, int N>
bool is_small(double multiplications) {
  return multiplications < smallest_product<T, N>;
}

/// An operand of Eigen in the form that the kernels take. `order` is its storage order.
template <class X>
linalg::Strided<X> strided(int order, X* data, std::int64_t rows, std::int64_t columns,
                           std::int64_t outer, std::int64_t inner = 1) {
  if (order == Eigen::RowMajor) return {data, rows, columns, outer, inner};
  return {data, rows, columns, inner, outer};
}

constexpr linalg::Half half_of(int mode) {
  return (mode & Eigen::Lower) != 0 ? linalg::Half::lower : linalg::Half::upper;
}
constexpr linalg::Half other_half(int mode) {
  return (mode & Eigen::Lower) != 0 ? linalg::Half::upper : linalg::Half::lower;
}
constexpr linalg::Diagonal diagonal_of(int mode) {
  return (mode & Eigen::UnitDiag) != 0   ? linalg::Diagonal::ones
         : (mode & Eigen::ZeroDiag) != 0 ? linalg::Diagonal::zeros
                                         : linalg::Diagonal::stored;
}

}  // namespace mct::eigen_detail

namespace Eigen::internal {

/// A product of matrices.
template <class Lhs, class Rhs>
requires(mct::eigen_detail::CompiledScalar<typename Lhs::Scalar>&& std::is_same_v<
         typename Lhs::Scalar,
         typename Rhs::Scalar>) struct generic_product_impl<Lhs, Rhs, DenseShape, DenseShape,
                                                            GemmProduct> {
  using X = typename Lhs::Scalar;
  /// Computes each element separately, by Eigen's loop.
  using Small = generic_product_impl<Lhs, Rhs, DenseShape, DenseShape, CoeffBasedProductMode>;

  template <class Dst>
  static void evalTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    if (lhs.cols() == 0) {
      dst.setZero();
    } else if (is_small(lhs, rhs)) {
      Small::eval_dynamic(dst, lhs, rhs, assign_op<X, X>());
    } else {
      run_kernel(dst, lhs, rhs, X(1), X());
    }
  }
  template <class Dst>
  static void addTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    if (lhs.cols() == 0) return;
    if (is_small(lhs, rhs)) {
      Small::eval_dynamic(dst, lhs, rhs, add_assign_op<X, X>());
    } else {
      run_kernel(dst, lhs, rhs, X(1), X(1));
    }
  }
  template <class Dst>
  static void subTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    if (lhs.cols() == 0) return;
    if (is_small(lhs, rhs)) {
      Small::eval_dynamic(dst, lhs, rhs, sub_assign_op<X, X>());
    } else {
      run_kernel(dst, lhs, rhs, X(-1), X(1));
    }
  }
  template <class Dst>
  static void scaleAndAddTo(Dst& dst, const Lhs& lhs, const Rhs& rhs, const X& alpha) {
    if (lhs.cols() > 0) run_kernel(dst, lhs, rhs, alpha, X(1));
  }

 private:
  static bool is_small(const Lhs& lhs, const Rhs& rhs) {
    using T = typename X::Scalar;
    return mct::eigen_detail::is_small<T, X::components>(double(lhs.rows()) * double(lhs.cols()) *
                                                         double(rhs.cols()));
  }
  template <class Dst>
  EIGEN_DONT_INLINE static void run_kernel(Dst& dst, const Lhs& lhs, const Rhs& rhs, const X& alpha,
                                           const X& beta) {
    // a and b are the matrices without their factors; an expression is evaluated first
    typename add_const_on_value_type<typename blas_traits<Lhs>::DirectLinearAccessType>::type a =
        blas_traits<Lhs>::extract(lhs);
    typename add_const_on_value_type<typename blas_traits<Rhs>::DirectLinearAccessType>::type b =
        blas_traits<Rhs>::extract(rhs);
    mct::linalg::gemm<typename X::Scalar, X::components>(
        combine_scalar_factors(alpha, lhs, rhs),
        {a.data(), a.rows(), a.cols(), a.rowStride(), a.colStride()},
        {b.data(), b.rows(), b.cols(), b.rowStride(), b.colStride()}, beta,
        {dst.data(), dst.rows(), dst.cols(), dst.rowStride(), dst.colStride()});
  }
};

// Before Eigen calls the following templates, it transposes results that are stored by rows.

/// res += alpha lhs rhs for a matrix lhs and a vector rhs.
template <class Index, class T, int N, class LhsMapper, int LhsOrder, class RhsMapper>
struct mct_matrix_vector_product {
  using X = mct::Expansion<T, N>;

  static void run(Index rows, Index cols, const LhsMapper& lhs, const RhsMapper& rhs, X* res,
                  Index increment, const X& alpha) {
    namespace detail = mct::eigen_detail;
    if (detail::is_small<T, N>(double(rows) * double(cols))) {
      general_matrix_vector_product<Index, X, LhsMapper, LhsOrder, detail::own_loop, X, RhsMapper,
                                    detail::own_loop>::run(rows, cols, lhs, rhs, res, increment,
                                                           alpha);
    } else {
      run_kernel(rows, cols, lhs, rhs, res, increment, alpha);
    }
  }

 private:
  EIGEN_DONT_INLINE static void run_kernel(Index rows, Index cols, const LhsMapper& lhs,
                                           const RhsMapper& rhs, X* res, Index increment,
                                           const X& alpha) {
    const Index rhs_increment = cols > 1 ? &rhs(1, 0) - &rhs(0, 0) : 1;
    mct::linalg::gemm<T, N>(
        alpha, mct::eigen_detail::strided(LhsOrder, &lhs(0, 0), rows, cols, lhs.stride()),
        {&rhs(0, 0), cols, 1, rhs_increment, 1}, X(T(1)), {res, rows, 1, increment, 1});
  }
};
template <class Index, class T, int N, class LhsMapper, class RhsMapper, int Version>
requires mct::eigen_detail::Compiled<T, N>
struct general_matrix_vector_product<Index, mct::Expansion<T, N>, LhsMapper, ColMajor, false,
                                     mct::Expansion<T, N>, RhsMapper, false, Version>
    : mct_matrix_vector_product<Index, T, N, LhsMapper, ColMajor, RhsMapper> {
};
template <class Index, class T, int N, class LhsMapper, class RhsMapper, int Version>
requires mct::eigen_detail::Compiled<T, N>
struct general_matrix_vector_product<Index, mct::Expansion<T, N>, LhsMapper, RowMajor, false,
                                     mct::Expansion<T, N>, RhsMapper, false, Version>
    : mct_matrix_vector_product<Index, T, N, LhsMapper, RowMajor, RhsMapper> {
};

/// The product of a column and a row.
template <class Lhs, class Rhs>
requires mct::eigen_detail::CompiledScalar<typename Lhs::Scalar>
struct generic_product_impl<Lhs, Rhs, DenseShape, DenseShape, OuterProduct> {
  using X = typename Lhs::Scalar;

  template <class Dst>
  static void evalTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    // there are no sums, so the kernels would gain nothing
    run_own(dst, lhs, rhs,
            [](const auto& to, const auto& from) { to.const_cast_derived() = from; });
  }
  template <class Dst>
  static void addTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    run(dst, lhs, rhs, X(1),
        [](const auto& to, const auto& from) { to.const_cast_derived() += from; });
  }
  template <class Dst>
  static void subTo(Dst& dst, const Lhs& lhs, const Rhs& rhs) {
    run(dst, lhs, rhs, X(-1),
        [](const auto& to, const auto& from) { to.const_cast_derived() -= from; });
  }
  template <class Dst>
  static void scaleAndAddTo(Dst& dst, const Lhs& lhs, const Rhs& rhs, const X& alpha) {
    run(dst, lhs, rhs, alpha,
        [&](const auto& to, const auto& from) { to.const_cast_derived() += alpha * from; });
  }

 private:
  template <class Dst, class F>
  static void run(Dst& dst, const Lhs& lhs, const Rhs& rhs, const X& alpha, const F& own) {
    if constexpr ((unsigned(Dst::Flags) & DirectAccessBit) != 0) {
      if (!is_small(dst)) {
        run_kernel(dst, lhs, rhs, alpha);
        return;
      }
    }
    run_own(dst, lhs, rhs, own);
  }
  template <class Dst, class F>
  static void run_own(Dst& dst, const Lhs& lhs, const Rhs& rhs, const F& f) {
    constexpr bool by_rows = (unsigned(Dst::Flags) & RowMajorBit) != 0;
    outer_product_selector_run(dst, lhs, rhs, f,
                               std::conditional_t<by_rows, true_type, false_type>());
  }
  template <class Dst>
  static bool is_small(const Dst& dst) {
    using T = typename X::Scalar;
    return mct::eigen_detail::is_small<T, X::components>(double(dst.rows()) * double(dst.cols()));
  }
  template <class Dst>
  EIGEN_DONT_INLINE static void run_kernel(Dst& dst, const Lhs& lhs, const Rhs& rhs,
                                           const X& alpha) {
    const typename Lhs::PlainObject column(lhs);
    const typename Rhs::PlainObject row(rhs);
    mct::linalg::gemm<typename X::Scalar, X::components>(
        alpha, {column.data(), dst.rows(), 1, 1, 1}, {row.data(), 1, dst.cols(), 1, 1}, X(1),
        {dst.data(), dst.rows(), dst.cols(), dst.rowStride(), dst.colStride()});
  }
};

/// res += alpha lhs rhs for the upper or the lower half of res alone.
template <class Index, class T, int N, int LhsOrder, int RhsOrder, int Increment, int UpLo,
          int Version>
requires mct::eigen_detail::Compiled<T, N>
struct general_matrix_matrix_triangular_product<Index, mct::Expansion<T, N>, LhsOrder, false,
                                                mct::Expansion<T, N>, RhsOrder, false, ColMajor,
                                                Increment, UpLo, Version> {
  using X = mct::Expansion<T, N>;

  EIGEN_DONT_INLINE static void run(Index size, Index depth, const X* lhs, Index lhs_stride,
                                    const X* rhs, Index rhs_stride, X* res, Index increment,
                                    Index res_stride, const X& alpha,
                                    level3_blocking<X, X>& blocking) {
    namespace detail = mct::eigen_detail;
    if (detail::is_small<T, N>(double(size) * double(size) * double(depth) / 2)) {
      general_matrix_matrix_triangular_product<Index, X, LhsOrder, detail::own_loop, X, RhsOrder,
                                               detail::own_loop, ColMajor, Increment, UpLo,
                                               Version>::run(size, depth, lhs, lhs_stride, rhs,
                                                             rhs_stride, res, increment, res_stride,
                                                             alpha, blocking);
      return;
    }
    mct::linalg::gemmt<T, N>(detail::half_of(UpLo), alpha,
                             detail::strided(LhsOrder, lhs, size, depth, lhs_stride),
                             detail::strided(RhsOrder, rhs, depth, size, rhs_stride),
                             detail::strided(ColMajor, res, size, size, res_stride, increment));
  }
};

/// res += alpha lhs rhs, where lhs or rhs is triangular or trapezoidal.
template <class T, int N, class Index, int Mode, bool LhsIsTriangular, int LhsOrder, int RhsOrder,
          int Increment, int Version>
struct mct_triangular_product {
  using X = mct::Expansion<T, N>;

  EIGEN_DONT_INLINE static void run(Index rows, Index cols, Index depth, const X* lhs,
                                    Index lhs_stride, const X* rhs, Index rhs_stride, X* res,
                                    Index increment, Index res_stride, const X& alpha,
                                    level3_blocking<X, X>& blocking) {
    namespace detail = mct::eigen_detail;
    if (detail::is_small<T, N>(double(rows) * double(cols) * double(depth))) {
      product_triangular_matrix_matrix<X, Index, Mode, LhsIsTriangular, LhsOrder, detail::own_loop,
                                       RhsOrder, detail::own_loop, ColMajor, Increment,
                                       Version>::run(rows, cols, depth, lhs, lhs_stride, rhs,
                                                     rhs_stride, res, increment, res_stride, alpha,
                                                     blocking);
      return;
    }
    const auto a = detail::strided(LhsOrder, lhs, rows, depth, lhs_stride);
    const auto b = detail::strided(RhsOrder, rhs, depth, cols, rhs_stride);
    const auto c = detail::strided(ColMajor, res, rows, cols, res_stride, increment);
    if constexpr (LhsIsTriangular) {
      mct::linalg::trmm<T, N>(detail::half_of(Mode), detail::diagonal_of(Mode), alpha, a, b, c);
    } else {
      mct::linalg::trmm<T, N>(detail::other_half(Mode), detail::diagonal_of(Mode), alpha,
                              b.transposed(), a.transposed(), c.transposed());
    }
  }
};

template <class T, int N, class Index, int Mode, int LhsOrder, int RhsOrder, int Increment,
          int Version>
requires mct::eigen_detail::Compiled<T, N>
struct product_triangular_matrix_matrix<mct::Expansion<T, N>, Index, Mode, true, LhsOrder, false,
                                        RhsOrder, false, ColMajor, Increment, Version>
    : mct_triangular_product<T, N, Index, Mode, true, LhsOrder, RhsOrder, Increment, Version> {
};
template <class T, int N, class Index, int Mode, int LhsOrder, int RhsOrder, int Increment,
          int Version>
requires mct::eigen_detail::Compiled<T, N>
struct product_triangular_matrix_matrix<mct::Expansion<T, N>, Index, Mode, false, LhsOrder, false,
                                        RhsOrder, false, ColMajor, Increment, Version>
    : mct_triangular_product<T, N, Index, Mode, false, LhsOrder, RhsOrder, Increment, Version> {
};

/// other = tri^-1 other, or other tri^-1.
template <class Index, class T, int N, int Side, int Mode, int TriOrder, int Increment>
struct mct_triangular_solve {
  using X = mct::Expansion<T, N>;

  EIGEN_DONT_INLINE static void run(Index size, Index other_size, const X* tri, Index tri_stride,
                                    X* other, Index increment, Index other_stride,
                                    level3_blocking<X, X>& blocking) {
    namespace detail = mct::eigen_detail;
    if (detail::is_small<T, N>(double(size) * double(size) * double(other_size) / 2)) {
      triangular_solve_matrix<X, Index, Side, Mode, detail::own_loop, TriOrder, ColMajor,
                              Increment>::run(size, other_size, tri, tri_stride, other, increment,
                                              other_stride, blocking);
      return;
    }
    const auto a = detail::strided(TriOrder, tri, size, size, tri_stride);
    if constexpr (Side == OnTheLeft) {
      mct::linalg::trsm<T, N>(
          detail::half_of(Mode), detail::diagonal_of(Mode), a,
          detail::strided(ColMajor, other, size, other_size, other_stride, increment));
    } else {
      mct::linalg::trsm<T, N>(
          detail::other_half(Mode), detail::diagonal_of(Mode), a.transposed(),
          detail::strided(RowMajor, other, size, other_size, other_stride, increment));
    }
  }
};
template <class Index, class T, int N, int Mode, int TriOrder, int Increment>
requires mct::eigen_detail::Compiled<T, N>
struct triangular_solve_matrix<mct::Expansion<T, N>, Index, OnTheLeft, Mode, false, TriOrder,
                               ColMajor, Increment>
    : mct_triangular_solve<Index, T, N, OnTheLeft, Mode, TriOrder, Increment> {
};
template <class Index, class T, int N, int Mode, int TriOrder, int Increment>
requires mct::eigen_detail::Compiled<T, N>
struct triangular_solve_matrix<mct::Expansion<T, N>, Index, OnTheRight, Mode, false, TriOrder,
                               ColMajor, Increment>
    : mct_triangular_solve<Index, T, N, OnTheRight, Mode, TriOrder, Increment> {
};

/// Within a block, Eigen's own loops reduce one column after the other. The kernels, which update
/// the rest of the matrix, are faster than these loops, so blocks are narrower than for double.
template <class MatrixQR, class HCoeffs, class T, int N>
requires mct::eigen_detail::Compiled<T, N>
struct householder_qr_inplace_blocked<MatrixQR, HCoeffs, mct::Expansion<T, N>, true> {
  EIGEN_DONT_INLINE static void run(MatrixQR& mat, HCoeffs& coefficients, Index max_block_size = 32,
                                    mct::Expansion<T, N>* memory = nullptr) {
    constexpr Index narrow = 16;
    const bool is_large = mat.cols() > 2 * narrow;
    householder_qr_inplace_blocked<MatrixQR, HCoeffs, mct::Expansion<T, N>, false>::run(
        mat, coefficients, is_large && narrow < max_block_size ? narrow : max_block_size, memory);
  }
};

}  // namespace Eigen::internal
