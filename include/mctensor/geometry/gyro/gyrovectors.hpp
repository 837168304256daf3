// Gyrovector formulas of the Poincaré ball: addition, multiplication, and functions of both.
//
// Source: Ungar: Analytic hyperbolic geometry, 2005. In Geometric Foundations
// (docs/bibliography.md) the Möbius inverse of x is wrong; it is -x.
#pragma once

#include <array>
#include <vector>

#include "mctensor/geometry/domain.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The Möbius sum of x and w from their gaps G_x and G_w: K^2 (G_x (x + w) + |x + w|^2 x) / (G_x
/// G_w + K^2 |x + w|^2). The result is never outside the ball.
template <class W, int n>
MCT_HD inline Point<W, n> mobius_quotient(const W& radius, const Point<W, n>& x, const W& gap_x,
                                          const Point<W, n>& w, const W& gap_w) {
  const W k2 = radius * radius;
  const Point<W, n> sum = x + w;
  const W s2 = squared_norm(sum);
  const W scale = k2 / (gap_x * gap_w + k2 * s2);
  const W along_sum = scale * gap_x;
  const W along_x = scale * s2;
  return kept_inside(radius, generate<Point<W, n>>(x.size(), [&](int i) {
                       return W(sum[i] * along_sum + x[i] * along_x);
                     }));
}

/// gyr[y, -x] u, a rotation in the plane of x and y. Let d = y - x, c = K^2 - x.y and
///   B u = x (y.u) - y (x.u) = x (d.u) - d (x.u).
/// Half the angle has the tangent |x ^ y| / c. The result is u + 2 (c B u + B B u) / (G_x G_y + K^2
/// |d|^2). The error is a few u^N |u|, also next to the boundary.
template <class W, int n>
MCT_HD inline Point<W, n> gyration_along(const W& radius, const Point<W, n>& x, const W& gap_x,
                                         const W& gap_y, const Point<W, n>& d,
                                         const Point<W, n>& u) {
  const W d2 = squared_norm(d);
  const W c = halved(W(gap_x + gap_y + d2));
  const W scale = number<W>(2) / (gap_x * gap_y + radius * radius * d2);
  const Point<W, n> once = turned(x, d, u);
  const Point<W, n> twice = turned(x, d, once);
  return generate<Point<W, n>>(u.size(),
                               [&](int i) { return W(u[i] + scale * (c * once[i] + twice[i])); });
}
template <class W, int n>
MCT_HD inline Point<W, n> gyration_from_gaps(const W& radius, const Point<W, n>& x, const W& gap_x,
                                             const Point<W, n>& y, const W& gap_y,
                                             const Point<W, n>& u) {
  return gyration_along(radius, x, gap_x, gap_y, y - x, u);
}

/// A matrix is a sequence of rows: std::array<Point<V, n>, m> if the result has m coordinates,
/// std::vector<Point<V, n>> if their number is known at run time only.
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

/// Ball supplies radius and gap, and inherits these formulas.
template <class Ball, class W>
struct GyrovectorFormulas {
  /// x (+) y: the image of y under the translation that takes the origin to x.
  template <int n>
  MCT_HD Point<W, n> mobius_add(const Point<W, n>& x, const Point<W, n>& y) const {
    return mobius_quotient(ball().radius, x, ball().gap(x), y, ball().gap(y));
  }
  /// x (+) (-y); mobius_sub(y, y) is 0.
  template <int n>
  MCT_HD Point<W, n> mobius_sub(const Point<W, n>& x, const Point<W, n>& y) const {
    return mobius_add(x, -y);
  }
  /// x [+] y = x (+) gyr[x, -y] y, the commutative sum: K^2 (G_y x + G_x y) / (K^2 G_y + G_x
  /// |y|^2).
  template <int n>
  MCT_HD Point<W, n> mobius_coadd(const Point<W, n>& x, const Point<W, n>& y) const {
    const W k2 = ball().radius * ball().radius;
    const W gap_x = ball().gap(x);
    const W gap_y = ball().gap(y);
    const W scale = k2 / (k2 * gap_y + gap_x * squared_norm(y));
    return kept_inside(ball().radius, x * W(scale * gap_y) + y * W(scale * gap_x));
  }
  template <int n>
  MCT_HD Point<W, n> mobius_cosub(const Point<W, n>& x, const Point<W, n>& y) const {
    return mobius_coadd(x, -y);
  }
  /// atanh(|x| / K), computed as asinh(|x| / sqrt(G)) with the gap G.
  template <int n>
  MCT_HD W rapidity(const Point<W, n>& x) const {
    return asinh_of(W(norm_of(x) / root(ball().gap(x))));
  }
  /// The point on the ray through x at |r| times the distance of x from the origin. For r < 0 it is
  /// on the other side of the origin.
  template <int n>
  MCT_HD Point<W, n> mobius_scalar_mul(const W& r, const Point<W, n>& x) const {
    using L = limb_t<W>;
    const auto negative = lead(r) < L(scalar_t<L>(0));
    const W size = tanh_of(W(blend(negative, -r, r) * rapidity(x)));
    return kept_inside(ball().radius,
                       polar(x).direction * W(ball().radius * blend(negative, -size, size)));
  }
  /// K tanh(|y| / |x| atanh(|x| / K)) y / |y|, where y is the image of x under a linear map; 0 for
  /// y = 0.
  template <int m, int n>
  MCT_HD Point<W, m> mobius_image(const Point<W, m>& y, const Point<W, n>& x) const {
    using L = limb_t<W>;
    const auto [length, e] = polar(y);
    const W size = norm_of(x);
    const auto still = lead(size) == L(scalar_t<L>(0));
    const W stretch = length / blend(still, number<W>(1), size);
    return kept_inside(ball().radius, e * W(ball().radius * tanh_of(W(stretch * rapidity(x)))));
  }
  /// M (x) x for the matrix M with these rows.
  template <class Rows, int n>
  MCT_HD auto mobius_matvec(const Rows& matrix, const Point<W, n>& x) const {
    constexpr int m = RowTraits<Rows>::rows;
    const auto image = generate<Point<W, m>>(
        int(matrix.size()), [&](int i) { return dot(to_work(matrix[std::size_t(i)]), x); });
    return mobius_image(image, x);
  }
  /// mobius_matvec with the diagonal matrix of w.
  template <int n>
  MCT_HD Point<W, n> mobius_pointwise_mul(const Point<W, n>& w, const Point<W, n>& x) const {
    return mobius_image(generate<Point<W, n>>(x.size(), [&](int i) { return W(w[i] * x[i]); }), x);
  }
  /// gyr[x, y] v: the rotation for which x (+) (y (+) v) = (x (+) y) (+) gyr[x, y] v.
  template <int n>
  MCT_HD Point<W, n> gyration(const Point<W, n>& x, const Point<W, n>& y,
                              const Point<W, n>& v) const {
    // the radius is scaled to near 1, as in BallFormulas::ptransp
    const auto scale = scale_to_unit(lead(ball().radius));
    const Point<W, n> a = times(-y, scale);
    const Point<W, n> b = times(x, scale);
    Ball unit;
    unit.radius = times(ball().radius, scale);
    return gyration_from_gaps(unit.radius, a, unit.gap(a), b, unit.gap(b), v);
  }

 private:
  MCT_HD constexpr const Ball& ball() const { return static_cast<const Ball&>(*this); }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
