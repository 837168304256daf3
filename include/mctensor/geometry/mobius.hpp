// Gyrovector operations of the Poincaré ball.
#pragma once

#include <array>
#include <vector>

#include "mctensor/geometry/poincare_ball.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

template <class W>
MCT_HD inline BallFormulas<W> ball_of(const W& radius) {
  BallFormulas<W> ball;
  ball.radius = radius;
  return ball;
}
/// A result of the ball of radius K in the work type as a point.
template <class V, class W, int n>
MCT_HD inline Point<V, n> ball_result(const W& radius, const Point<W, n>& z) {
  return rounded_point<V>(ball_of(radius), kept_inside(radius, z));
}

/// atanh(|x| / K) from |x| and the gap: asinh(|x| / sqrt(G)).
template <class W, int n>
MCT_HD inline W rapidity(const W& radius, const Point<W, n>& x) {
  return asinh_of(W(norm_of(x) / root(ball_of(radius).gap(x))));
}

}  // namespace detail

/// x (+) y, the Möbius sum: the point y carried along by the translation that takes the origin to
/// x. Error: manifold_bound (|z| + the condition number, the sum of |dz / d input| |input|).
/// Source: Ungar, with the erratum of Geometric Foundations (the inverse of x is -x).
template <class V, int n>
MCT_HD inline Point<V, n> mobius_add(const PoincareBall<V>& ball, const Point<V, n>& x,
                                     const Point<V, n>& y) {
  detail::require_same_size(x, y);
  const auto k = detail::to_work(ball.radius);
  const auto a = detail::to_work(x);
  const auto b = detail::to_work(y);
  const auto f = ball.formulas();
  return detail::rounded_point<V>(f, detail::mobius_quotient(k, a, f.gap(a), b, f.gap(b)));
}

/// x (-) y = x (+) (-y); mobius_sub(y, y) is 0. Bound of mobius_add.
template <class V, int n>
MCT_HD inline Point<V, n> mobius_sub(const PoincareBall<V>& ball, const Point<V, n>& x,
                                     const Point<V, n>& y) {
  return mobius_add(ball, x, -y);
}

/// r (x) x: the point of the ray through x at |r| times the distance, behind the origin for r < 0.
/// Relative error manifold_bound (1 + d), d the result's distance from the origin over K.
template <class V, int n>
MCT_HD inline Point<V, n> mobius_scalar_mul(const PoincareBall<V>& ball,
                                            const std::type_identity_t<V>& r,
                                            const Point<V, n>& x) {
  const auto k = detail::to_work(ball.radius);
  const auto a = detail::to_work(x);
  const auto t = detail::to_work(r);
  using W = work_t<V>;
  using L = detail::limb_t<W>;
  const auto negative = detail::lead(t) < L(scalar_t<L>(0));
  const W size = detail::tanh_of(W(detail::blend(negative, -t, t) * detail::rapidity(k, a)));
  return detail::ball_result<V>(
      k, detail::polar(a).direction * W(k * detail::blend(negative, -size, size)));
}

namespace detail {

/// A matrix is a sequence of rows: std::array<Point<V, n>, m> for a result of m coordinates, a
/// vector for one of run-time size.
template <class Rows>
struct RowTraits;
template <class V, int n, std::size_t m>
struct RowTraits<std::array<Point<V, n>, m>> {
  static constexpr int rows = int(m);
};
template <class V, int n>
struct RowTraits<std::vector<Point<V, n>>> {
  static constexpr int rows = dynamic;
};

}  // namespace detail

/// M (x) x = K tanh(|M x| / |x| atanh(|x| / K)) M x / |M x|, for a matrix given by its rows
/// (std::array for a result of fixed size, std::vector else). 0 where M x = 0.
/// Error as mobius_scalar_mul's, plus that of the product M x.
template <class Rows, class V, int n>
MCT_HD inline auto mobius_matvec(const PoincareBall<V>& ball, const Rows& matrix,
                                 const Point<V, n>& x) {
  using W = work_t<V>;
  using L = detail::limb_t<W>;
  const W k = detail::to_work(ball.radius);
  const auto a = detail::to_work(x);
  constexpr int m = detail::RowTraits<Rows>::rows;
  const auto image = detail::generate<Point<W, m>>(
      int(matrix.size()), [&](int i) { return dot(detail::to_work(matrix[std::size_t(i)]), a); });
  const auto [length, e] = detail::polar(image);
  const W size = detail::norm_of(a);
  const auto still = detail::lead(size) == L(scalar_t<L>(0));
  const W stretch = length / detail::blend(still, detail::number<W>(1), size);
  return detail::ball_result<V>(k, e * W(k * detail::tanh_of(W(stretch * detail::rapidity(k, a)))));
}

/// gyr[x, y] v: the rotation with x (+) (y (+) v) = (x (+) y) (+) gyr[x, y] v. Error
/// manifold_bound |v|, next to the boundary too.
template <class V, int n>
MCT_HD inline Point<V, n> gyration(const PoincareBall<V>& ball, const Point<V, n>& x,
                                   const Point<V, n>& y, const Point<V, n>& v) {
  const auto k = detail::to_work(ball.radius);
  const auto a = -detail::to_work(y);
  const auto b = detail::to_work(x);
  const auto f = ball.formulas();
  return detail::from_work<V>(
      detail::gyration_from_gaps(k, a, f.gap(a), b, f.gap(b), detail::to_work(v)));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
