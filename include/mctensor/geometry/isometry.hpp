// Isometries as values: make, compose, invert, apply.
//
// Error: each operator() states its error; the other functions have manifold_bound of |z| + cond
// (docs/geometry.md). Domain: points of the model; other points give NaN. Source: Ungar 2005 (the
// ball); Yu 2024, A.1.1 (T_S).
#pragma once

#include <array>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/gyro/mobius.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// A square matrix, as a sequence of rows.
template <class V, int n>
struct SquareOf {
  using type = std::array<Point<V, n>, std::size_t(n)>;
};
template <class V>
struct SquareOf<V, dynamic> {
  using type = std::vector<Point<V>>;
};
template <class V, int n>
using Square = typename SquareOf<V, n>::type;

template <class V, int n>
inline Square<V, n> identity_like(const Point<V, n>& x) {
  Square<V, n> m{};
  if constexpr (n == dynamic) m.resize(std::size_t(x.size()));
  for (int i = 0; i < x.size(); ++i) {
    auto& row = m[std::size_t(i)];
    row = generate<Point<V, n>>(x.size(), [&](int j) { return number<V>(i == j ? 1 : 0); });
  }
  return m;
}
template <class M, class V, int n>
inline Point<V, n> times_vector(const M& m, const Point<V, n>& x) {
  return generate<Point<V, n>>(x.size(), [&](int i) { return dot(m[std::size_t(i)], x); });
}
template <class M>
inline M transposed(const M& m) {
  M r = m;
  const int n = int(m.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) r[std::size_t(i)][j] = m[std::size_t(j)][i];
  return r;
}
/// f applied to every column of m.
template <class M, class F>
inline M map_columns(const M& m, const F& f) {
  M columns = transposed(m);
  for (auto& column : columns) column = f(column);
  return transposed(columns);
}

/// The matrix of the rotation in the plane of coordinates i and j, from i toward j.
template <class V, int n>
inline Square<V, n> plane_rotation(const Point<V, n>& like, int i, int j, const V& angle) {
  using std::cos;
  using std::sin;
  const int size = like.size();
  if (i < 0 || j < 0 || i >= size || j >= size || i == j)
    throw ShapeError("rotate: coordinates " + std::to_string(i) + " and " + std::to_string(j) +
                     " of a point of " + std::to_string(size) +
                     " coordinates: two different coordinates are expected, counted from 0");
  auto m = identity_like(like);
  m[std::size_t(i)][i] = m[std::size_t(j)][j] = cos(angle);
  m[std::size_t(j)][i] = sin(angle);
  m[std::size_t(i)][j] = -sin(angle);
  return m;
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// An isometry x -> A (a (+) x) of the Poincaré ball with an orthogonal matrix A. Every isometry
/// has this form. V is a work type: double or an expansion of doubles.
template <class V, int n>
struct BallIsometry {
  PoincareBall<V> ball;
  Point<V, n> a;
  detail::Square<V, n> matrix;

  /// The image of a point. Error: the bound of mobius_add, plus n u^N |z| for the matrix.
  Point<V, n> operator()(const Point<V, n>& x) const {
    return detail::times_vector(matrix, mobius_add(ball, a, x));
  }
};

/// An isometry of the half-space: x -> scale A y + c. Here y is x - b or, if `inverts`, the
/// inversion (x - b) / |x - b|^2. b and c are horizontal: their last coordinate is 0. A is an
/// orthogonal matrix that does not change heights. Every isometry has one of these forms. V is a
/// work type.
template <class V, int n>
struct HalfSpaceIsometry {
  bool inverts;
  V scale;
  detail::Square<V, n> matrix;
  Point<V, n> b, c;

  /// The image of a point. Error: manifold_bound |z - c|, plus rounding of the sums with b and c.
  Point<V, n> operator()(const Point<V, n>& x) const {
    Point<V, n> y = x - b;
    if (inverts) {
      const auto [size, e] = detail::polar(y);
      y = e / size;
    }
    return detail::times_vector(matrix, y) * scale + c;
  }
};

inline namespace MCT_ISA_NAMESPACE {

/// x -> a (+) x. It takes the origin to a.
template <class V, int n>
inline BallIsometry<V, n> translate(const PoincareBall<V>& ball, const Point<V, n>& a) {
  static_assert(is_work_v<V>);
  return {ball, a, detail::identity_like(a)};
}
/// The isometry T_S that takes S to the origin: x -> -S + (1 - k |S|^2) Inv(Inv(x) - S) with Inv(x)
/// = x / (k |x|^2), k = 1 / K^2 (Yu 2024, definition A.1.1, where the k before |S|^2 is missing).
/// The function computes x -> (-S) (+) x, which is the same map. This form needs no inversion and
/// is also defined at x = 0.
template <class V, int n>
inline BallIsometry<V, n> translate_to_origin(const PoincareBall<V>& ball, const Point<V, n>& s) {
  return translate(ball, -s);
}
/// The rotation about the origin in the plane of coordinates i and j, from i toward j. Throws
/// ShapeError unless i and j are two different coordinates of the point `like`.
template <class V, int n>
inline BallIsometry<V, n> rotate(const PoincareBall<V>& ball, const Point<V, n>& like, int i, int j,
                                 const V& angle) {
  static_assert(is_work_v<V>);
  return {ball, detail::BallFormulas<V>().origin_like(like),
          detail::plane_rotation(like, i, j, angle)};
}
/// x -> -x, the geodesic symmetry about the origin.
template <class V, int n>
inline BallIsometry<V, n> invert(const PoincareBall<V>& ball, const Point<V, n>& like) {
  BallIsometry<V, n> f = translate(ball, detail::BallFormulas<V>().origin_like(like));
  for (auto& row : f.matrix) row = -row;
  return f;
}

/// f after g. With b = A_g^T a_f this is A_f A_g gyr[b, a_g] ((a_g (+) b) (+) x). Throws
/// DomainError if the balls of f and g have different radii.
template <class V, int n>
inline BallIsometry<V, n> compose(const BallIsometry<V, n>& f, const BallIsometry<V, n>& g) {
  if (!(f.ball.radius() == g.ball.radius()))
    throw DomainError("compose: the isometries belong to balls of different radius, " +
                      number_text(double(f.ball.radius())) + " and " +
                      number_text(double(g.ball.radius())));
  const Point<V, n> b = detail::times_vector(detail::transposed(g.matrix), f.a);
  const auto turned = detail::map_columns(
      detail::identity_like(b), [&](const Point<V, n>& e) { return gyration(f.ball, b, g.a, e); });
  return {f.ball, mobius_add(f.ball, g.a, b),
          detail::map_columns(turned, [&](const Point<V, n>& e) {
            return detail::times_vector(f.matrix, detail::times_vector(g.matrix, e));
          })};
}
/// The inverse isometry of f: A^T ((-A a) (+) x).
template <class V, int n>
inline BallIsometry<V, n> inverse(const BallIsometry<V, n>& f) {
  return {f.ball, -detail::times_vector(f.matrix, f.a), detail::transposed(f.matrix)};
}

/// x -> scale x + c for a horizontal c. For any points x and y there is such a map from x to y,
/// with scale = y_n / x_n. Throws DomainError for a c that is not horizontal, and for a scale that
/// is not positive and finite.
template <class V, int n>
inline HalfSpaceIsometry<V, n> translate(const HalfSpace<V>&, const Point<V, n>& c,
                                         const V& scale) {
  static_assert(is_work_v<V>);
  detail::require_coordinates(c, 1);
  if (!(c[c.size() - 1] == detail::number<V>(0)))
    throw DomainError("translate: the translation of a half-space must be horizontal");
  if (!(detail::lead(scale) > 0) || !std::isfinite(double(detail::lead(scale))))
    throw DomainError("translate: the scale " + number_text(double(detail::lead(scale))) +
                      " is not positive and finite");
  return {false, scale, detail::identity_like(c), c - c, c};
}
/// The rotation about the vertical axis in the plane of horizontal coordinates i and j. Throws
/// ShapeError unless i and j are two different horizontal coordinates.
template <class V, int n>
inline HalfSpaceIsometry<V, n> rotate(const HalfSpace<V>&, const Point<V, n>& like, int i, int j,
                                      const V& angle) {
  static_assert(is_work_v<V>);
  if (i == like.size() - 1 || j == like.size() - 1)
    throw ShapeError(
        "rotate: coordinate " + std::to_string(like.size() - 1) +
        " is the height of the half-space; a rotation turns horizontal coordinates only");
  const Point<V, n> zero = like - like;
  return {false, detail::number<V>(1), detail::plane_rotation(like, i, j, angle), zero, zero};
}
/// x -> x / |x|^2, the inversion in the unit sphere.
template <class V, int n>
inline HalfSpaceIsometry<V, n> invert(const HalfSpace<V>&, const Point<V, n>& like) {
  static_assert(is_work_v<V>);
  const Point<V, n> zero = like - like;
  return {true, detail::number<V>(1), detail::identity_like(like), zero, zero};
}

/// f after g. Let d = A_g^T (c_g - b_f) / scale_g lie between two inversions. They are composed by
/// Inv(Inv(y) + d) = Inv(d) + R Inv(y + Inv(d)) / |d|^2, where R is the reflection along d. A d
/// that is not larger than the rounding of c_g and b_f is taken as 0: the inversions cancel. For a
/// small d the pole Inv(d) is far away, and images have an error of u^N / |d|. Then apply g and
/// afterwards f instead of the composed isometry.
template <class V, int n>
inline HalfSpaceIsometry<V, n> compose(const HalfSpaceIsometry<V, n>& f,
                                       const HalfSpaceIsometry<V, n>& g) {
  const auto both = detail::map_columns(
      g.matrix, [&](const Point<V, n>& e) { return detail::times_vector(f.matrix, e); });
  const Point<V, n> between = g.c - f.b;
  const auto back = detail::transposed(g.matrix);
  const auto onward = [&](const Point<V, n>& y) {
    return detail::times_vector(f.matrix, y) * f.scale + f.c;
  };
  if (!f.inverts) return {g.inverts, V(f.scale * g.scale), both, g.b, onward(between)};
  const Point<V, n> d = detail::times_vector(back, between) / g.scale;
  if (!g.inverts) return {true, V(f.scale / g.scale), both, g.b - d, f.c};
  const auto [size, e] = detail::polar(d);
  const double u = 8 * detail::unit_roundoff<V>();
  const V rounding = (detail::norm_of(g.c) + detail::norm_of(f.b)) / g.scale * V(u);
  if (size <= rounding) return {false, V(f.scale / g.scale), both, g.b, f.c};
  const auto reflected = detail::map_columns(
      detail::identity_like(d),
      [&, &unit = e](const Point<V, n>& y) { return y - unit * detail::doubled(dot(unit, y)); });
  const Point<V, n> pole = e / size;
  return {true, V(f.scale / g.scale / size / size),
          detail::map_columns(reflected,
                              [&](const Point<V, n>& y) { return detail::times_vector(both, y); }),
          g.b - pole, detail::times_vector(both, pole) * V(f.scale / g.scale) + f.c};
}
/// The inverse isometry of f.
template <class V, int n>
inline HalfSpaceIsometry<V, n> inverse(const HalfSpaceIsometry<V, n>& f) {
  const V scale = f.inverts ? f.scale : V(detail::number<V>(1) / f.scale);
  return {f.inverts, scale, detail::transposed(f.matrix), f.c, f.b};
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
