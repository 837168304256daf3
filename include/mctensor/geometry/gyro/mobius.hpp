// Gyrovector operations with matrices and functions on the Poincaré ball. The other gyrovector
// operations are in the list of operations.hpp.
//
// Error: (1 + s) manifold_bound plus the error of the product, where s is the distance over K.
// Domain: points of the ball; other points give NaN. Source: Ganea, Becigneul, Hofmann: Hyperbolic
// neural networks, NeurIPS 2018; Ungar 2005.
#pragma once

#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::geometry {

namespace operation::inline MCT_ISA_NAMESPACE {

/// (y, x): mobius_matvec for a given product y = M x, which may have another size than x.
struct mobius_image {
  static constexpr const char* name = "mobius_matvec";
  static constexpr const char* operands = "qp";
  static constexpr OperationResult result = OperationResult::point;

  template <class V, class F, class Y, class X>
  requires requires(const F& f, const Y& y, const X& x) { f.mobius_image(y, x); }
  MCT_HD static auto on(const F& f, const Y& y, const X& x) { return f.mobius_image(y, x); }
};

}  // namespace operation::inline MCT_ISA_NAMESPACE

inline namespace MCT_ISA_NAMESPACE {

/// M (x) x = K tanh(|M x| / |x| atanh(|x| / K)) M x / |M x|, and 0 if M x = 0. The matrix is a
/// sequence of rows: a std::array of Points if the result has a fixed size, else a std::vector.
/// Error: as mobius_scalar_mul, plus the error of the product M x.
template <class Rows, class V, int n>
MCT_HD inline auto mobius_matvec(const PoincareBall<V>& ball, const Rows& matrix,
                                 const Point<V, n>& x) {
  const auto f = ball.formulas();
  return detail::rounded_point<V>(f, f.mobius_matvec(matrix, detail::to_work(x)));
}

/// expmap0(f(logmap0(x))) for a function f of vectors. x: a point, a tensor or a variable.
template <class M, class F, class X>
auto mobius_fn_apply(const M& ball, const F& f, const X& x) {
  return expmap0(ball, f(logmap0(ball, x)));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
