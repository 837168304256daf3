// The stereographic model of constant curvature kappa of any sign: for kappa < 0 the Poincaré ball
// of radius 1 / sqrt(-kappa), for kappa = 0 Euclidean space with lengths doubled, for kappa > 0 the
// sphere of radius 1 / sqrt(kappa) without the point opposite to the origin. Metric 4 |dx|^2 / (1 +
// kappa |x|^2)^2.
//
// All functions and their derivatives by kappa are smooth in kappa, also where kappa is 0
// (kappa_functions.hpp). With c_x = 1 + kappa |x|^2 and d = y - x,
//   c_x c_y - kappa |d|^2 = (1 + kappa x.y)^2 + kappa^2 |x ^ y|^2.
// For kappa < 0 no term on the left side is negative, so the left side is computed. For kappa > 0
// no term on the right side is negative, so the right side is computed. Sources: Bachmann,
// Becigneul, Ganea: Constant curvature graph convolutional networks, ICML 2020; for kappa < 0 the
// forms of poincare_ball.hpp.
#pragma once

#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/manifold.hpp"
#include "mctensor/geometry/models/kappa_functions.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// c = 1 + kappa |x|^2, with a relative error of u^N (1 + n u^N / c): products and their sum have
/// twice the limbs.
template <class W, int n>
inline W complement_of(const W& kappa, const Point<W, n>& x) {
  const auto square = sum_of_products<long_t<W>::components>(x, x);
  return shortened<W>(long_sum(lengthened(number<W>(1)), mul_limbs(square, lengthened(kappa))));
}

template <class W, int n>
inline Traced<W> complement_of(const Traced<W>& kappa, const Point<Traced<W>, n>& x) {
  auto& trace = Trace<W>::current();
  const auto values = values_of(x);
  trace.note(kappa.index, squared_norm(values));
  for (int i = 0; i < x.size(); ++i) trace.note(x[i].index, W(doubled(kappa.value) * values[i]));
  return noted(complement_of(kappa.value, values));
}
template <class W>
struct StereographicFormulas : CommonFormulas<StereographicFormulas<W>, W> {
  using CommonFormulas<StereographicFormulas<W>, W>::radius;  // 1: the unit of coordinates

  W curvature;

  template <int n>
  W complement(const Point<W, n>& x) const {
    if (is_flat()) {
      const W size = norm_of(x);
      return only_where(lead(size) - lead(size) == limb_t<W>(0), number<W>(1));
    }
    const W c = complement_of(curvature, x);
    return only_where(lead(c) >= limb_t<W>(0), c);
  }
  /// True in flat space, where squares of coordinates have no effect; they may overflow and are
  /// left out. False for a trace, which needs them for derivatives by kappa.
  bool is_flat() const { return !is_traced_v<W> && sign_of(curvature) == 0; }
  W curved(const W& a) const { return is_flat() ? number<W>(0) : W(curvature * a); }
  /// For kappa < 0.
  W ball_radius() const { return number<W>(1) / root(W(-curvature)); }
  template <int n>
  auto inside(const Point<W, n>& x) const {
    const W c = complement(x);
    return lead(c) == lead(c);
  }
  /// c_x c_y - kappa |d|^2, see above, for the difference d of x and y.
  template <int n>
  W whole(const Point<W, n>& x, const Point<W, n>& y, const W& cx, const W& cy, const W& d2) const {
    if (sign_of(curvature) < 0) return cx * cy - curvature * d2;
    const auto [along, aside] = sides(x, y);
    return along * along + aside * aside;
  }
  /// 1 + kappa x.y and kappa |x ^ y|.
  template <int n>
  std::pair<W, W> sides(const Point<W, n>& x, const Point<W, n>& y) const {
    return {number<W>(1) + curved(dot(x, y)), curved(area_of(x, pivoted_wedge(x, y)))};
  }
  /// Half the distance.
  template <int n>
  W half_arc(const Point<W, n>& x, const Point<W, n>& y) const {
    const W cx = complement(x);
    const W cy = complement(y);
    const W size = norm_of(y - x);
    const W product = cx * cy;
    if (somewhere(lead(product) > limb_t<W>(pow2<double>(FloatTraits<double>::emax / 2)))) {
      // near the point opposite to the origin, squares of coordinates may overflow
      const W far = root(cx) * root(cy);
      const auto [along, aside] = sides(x, y);
      return asin_k(curvature, W(size / far), W(hypotenuse(along, aside) / far));
    }
    const W scale = root(product);
    return asin_k(curvature, W(size / scale), W(root(whole(x, y, cx, cy, W(size * size))) / scale));
  }
  template <int n>
  W dist(const Point<W, n>& x, const Point<W, n>& y) const {
    return doubled(half_arc(x, y));
  }
  /// Half the distance from the origin.
  template <int n>
  W half_arc0(const Point<W, n>& x) const {
    const W c = root(complement(x));
    return asin_k(curvature, W(norm_of(x) / c), W(number<W>(1) / c));
  }
  template <int n>
  W dist0(const Point<W, n>& x) const {
    return doubled(half_arc0(x));
  }
  template <int n>
  W lambda_x(const Point<W, n>& x) const {
    return number<W>(2) / complement(x);
  }
  template <int n>
  W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const W lambda = lambda_x(x);
    return dot(u * lambda, v * lambda);
  }
  template <int n>
  W norm(const Point<W, n>& x, const Point<W, n>& u) const {
    return norm_times(u, lambda_x(x));
  }
  template <int n>
  Point<W, n> dist_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    return only_where(inside(y), directed(toward(x, y), W(-lambda_x(x))));
  }

  template <int n>
  Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(), [](int) { return number<W>(0); });
  }
  template <int n>
  Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return generate<Point<W, n>>(u.size(), [&](int i) { return halved(u[i]); });
  }
  template <int n>
  Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    const W c = complement(x);
    const auto [length, e] = polar(u);
    if constexpr (!is_traced_v<W>) {
      if (sign_of(curvature) < 0) {
        const W bend = root(W(-curvature));
        return ball_landing(W(number<W>(1) / bend), x, c, u,
                            reach_of(doubled(W(bend * (length / c)))));
      }
    }
    return moved(x, c, e, arc_step_of(curvature, W(length / c)));
  }
  template <int n>
  Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return expmap(x, u);
  }
  template <int n>
  Point<W, n> expmap0(const Point<W, n>& u) const {
    const auto [length, e] = polar(u);
    const ArcStep<W> turn = arc_step_of(curvature, length);
    return kept(e * W(turn.sine / turn.cosine));
  }
  template <int n>
  Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    return polar(toward(x, y)).direction * W(complement(x) * half_arc(x, y));
  }
  template <int n>
  Point<W, n> logmap0(const Point<W, n>& y) const {
    return polar(y).direction * half_arc0(y);
  }
  /// gyr[y, -x] u c_y / c_x, with the rotation of gyrovectors.hpp.
  template <int n>
  Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y, const Point<W, n>& u) const {
    const W cx = complement(x);
    const W cy = complement(y);
    return turned_along(x, y, cx, cy, u) * W(cy / cx);
  }
  template <int n>
  Point<W, n> ptransp0(const Point<W, n>& y, const Point<W, n>& u) const {
    return u * complement(y);
  }
  template <int n>
  Point<W, n> ptransp0back(const Point<W, n>& y, const Point<W, n>& u) const {
    return u * W(number<W>(1) / complement(y));
  }
  template <int n>
  Point<W, n> geodesic(const W& t, const Point<W, n>& x, const Point<W, n>& y) const {
    if constexpr (!is_traced_v<W>) {
      if (sign_of(curvature) < 0) return geodesic_point(*this, t, x, y);
    }
    const auto [from, to, part] = nearer_end(t, x, y);
    return expmap(from, logmap(from, to) * off_zero(part, number<W>(1)));
  }
  /// For kappa < 0. This function and `between` are the formulas of the ball.
  template <int n>
  W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    return norm_times(y - x, root(W(-curvature / (complement(x) * complement(y)))));
  }
  template <int n>
  Point<W, n> between(const Point<W, n>& x, const Point<W, n>& y, const Share<W>& share) const {
    const W own = number<W>(1) / complement(x);
    const W there = number<W>(1) / complement(y);
    return kept(ball_between(x, own, y, there, share));
  }
  template <int n>
  Point<W, n> mobius_add(const Point<W, n>& x, const Point<W, n>& y) const {
    const auto [length, e] = polar(y);
    return moved(x, complement(x), e, ArcStep<W>{length, number<W>(1), complement(y)});
  }
  template <int n>
  Point<W, n> mobius_sub(const Point<W, n>& x, const Point<W, n>& y) const {
    return mobius_add(x, -y);
  }
  template <int n>
  Point<W, n> mobius_scalar_mul(const W& r, const Point<W, n>& x) const {
    const auto negative = lead(r) < limb_t<W>(0);
    const ArcStep<W> turn = arc_step_of(curvature, W(blend(negative, W(-r), r) * half_arc0(x)));
    const W size = turn.sine / turn.cosine;
    return kept(polar(x).direction * blend(negative, W(-size), size));
  }
  template <int n>
  Point<W, n> gyration(const Point<W, n>& x, const Point<W, n>& y, const Point<W, n>& v) const {
    const auto a = -y;
    return turned_along(a, x, complement(a), complement(x), v);
  }

  template <class V, int n>
  Point<V, n> rounded(const Point<W, n>& z) const {
    if (!(sign_of(curvature) < 0)) return from_work<V>(z);
    return rounded_inside<V>(*this, ball_radius(), z);
  }
  template <class V, int n>
  Point<W, n> projx(const Point<W, n>& x) const {
    if (!(sign_of(curvature) < 0) || !somewhere(!(lead(complement(x)) > limb_t<W>(0)))) return x;
    const double margin = 4 * (unit_roundoff<V>() + x.size() * unit_roundoff<W>());
    const W largest = ball_radius();
    return polar(x).direction * W(largest - largest * number<W>(margin));
  }
  template <int n>
  Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& u) const {
    return only_where(inside(x), u);
  }
  template <int n>
  Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W half = halved(complement(x));
    return g * W(half * half);
  }
  template <int n>
  bool check_point(const Point<W, n>& x, double) const {
    const W c = complement(x);
    return lead(c) > 0 && lead(c) - lead(c) == 0;
  }
  template <int n>
  bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double) const {
    const W size = norm_of(u);
    return check_point(x, 0) && lead(size) - lead(size) == 0;
  }
  template <int n>
  Point<W, n> uniform_vector(const Point<W, n>& u, std::uint64_t seed, std::uint64_t index,
                             double distance, std::uint32_t part = 0) const {
    const double kappa(lead(curvature));
    const double k = kappa == 0 ? 1 : 1 / std::sqrt(std::fabs(kappa));
    const double length = k * uniform_length(kappa < 0   ? -1
                                             : kappa > 0 ? 1
                                                         : 0,
                                             u.size(), distance / k, seed, index, part);
    return u * W(number<W>(length) / norm(origin_like(u), u));
  }

  /// c_x d + kappa |d|^2 x, scaled. It has the direction of (-x) (+) y.
  template <int n>
  Point<W, n> toward(const Point<W, n>& x, const Point<W, n>& y) const {
    const Point<W, n> d = y - x;
    const auto scale = unit_scale(d);
    const Point<W, n> unit = times(d, scale);
    const W cx = complement(x);
    const W along = curved(over(squared_norm(unit), scale));
    return generate<Point<W, n>>(x.size(), [&](int i) { return W(cx * unit[i] + along * x[i]); });
  }

  /// z, moved inside the ball if rounding has put it on the boundary or outside. For kappa >= 0 z
  /// itself.
  template <int n>
  Point<W, n> kept(const Point<W, n>& z) const {
    if (!(sign_of(curvature) < 0)) return z;
    return kept_inside(ball_radius(), z);
  }

 private:
  /// x (+) w for the point w = sine / cosine e. In the quotient, numerator and denominator are
  /// multiplied by cosine^2; s is cosine x + sine e.
  template <int n>
  Point<W, n> moved(const Point<W, n>& x, const W& cx, const Point<W, n>& e,
                    const ArcStep<W>& turn) const {
    const Point<W, n> s = generate<Point<W, n>>(
        x.size(), [&](int i) { return W(turn.cosine * x[i] + turn.sine * e[i]); });
    const W along = curved(squared_norm(s));
    W divisor;
    if (sign_of(curvature) < 0) {
      divisor = cx * at_least_tiny(turn.rest) - along;
    } else {
      const W bend = curvature * turn.sine;
      const W forth = turn.cosine - (is_flat() ? bend : W(bend * dot(x, e)));
      const W aside = is_flat() ? bend : W(bend * area_of(x, pivoted_wedge(x, e)));
      divisor = forth * forth + aside * aside;
    }
    const W first = cx * turn.cosine / divisor;
    const W second = along / divisor;
    return kept(
        generate<Point<W, n>>(x.size(), [&](int i) { return W(first * s[i] - second * x[i]); }));
  }
  /// x ^ y applied to u, for the difference d of x and y. For kappa > 0 points may be so far out
  /// that d does not hold the bivector of points on a line with the origin, which is 0. So its own
  /// parts are taken, unless x is 0 and has none.
  template <int n>
  Point<W, n> turned_between(const Point<W, n>& x, const Point<W, n>& y, const Point<W, n>& d,
                             const Point<W, n>& u) const {
    if (!(sign_of(curvature) > 0)) return turned(x, d, u);
    const auto wedge = pivoted_wedge(x, y);
    if (somewhere(lead(wedge.pivot) == limb_t<W>(0))) return turned(x, d, u);
    const W a = dot(wedge.w, u) / wedge.pivot;
    const W b = dot(x, u) / wedge.pivot;
    return generate<Point<W, n>>(u.size(), [&](int i) { return W(x[i] * a - wedge.w[i] * b); });
  }
  template <int n>
  Point<W, n> turned_along(const Point<W, n>& x, const Point<W, n>& y, const W& cx, const W& cy,
                           const Point<W, n>& u) const {
    if (is_flat()) return u * W(cx * cy);  // 1, or NaN
    const Point<W, n> d = y - x;
    const W d2 = squared_norm(d);
    const W all = whole(x, y, cx, cy, d2);
    // The origin and two opposite points lie on one line, so there is nothing to scale.
    const auto opposite = lead(all) == limb_t<W>(0);
    const W scale = doubled(curvature) / blend(opposite, number<W>(1), all);
    const W along = sign_of(curvature) < 0 ? halved(W(cx + cy - curvature * d2))
                                           : W(number<W>(1) + curvature * dot(x, y));
    const Point<W, n> once = turned_between(x, y, d, u);
    const Point<W, n> twice = turned_between(x, y, d, once);
    return generate<Point<W, n>>(u.size(), [&](int i) {
      return W(u[i] + scale * (curvature * twice[i] - along * once[i]));
    });
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The stereographic model. Its curvature can be learned and may pass through 0:
/// Learnable<Stereographic<double>>(kappa) takes a variable of one number. Scalars only.
///
/// All bounds are manifold_bound of n coordinates. For lambda_x, norm and egrad2rgrad the bound is
/// relative to the result, for inner to the product of the lengths. For kappa <= 0 the bounds of
/// dist, logmap and ptransp are relative to the length of the result. For kappa > 0 the bound of
/// dist is relative to the result plus 1 / sqrt(kappa), and the bound of logmap to its length times
/// 1 + kappa (|x|^2 + |y|^2). For expmap, retr and mobius_* the bound is relative to |z| plus the
/// condition number; on the sphere this holds as long as coordinates are finite. For kappa < 0,
/// resulting points are inside the ball, even when they are rounded to float, half or bfloat16, as
/// in PoincareBall. Domain: |kappa| is 0 or from 1e-20 to 1e20. For kappa > 0, sqrt(kappa) |x| is
/// at most 1e150, for ptransp and gyration at most 1e70. A point whose c_x is negative gives NaN.
/// Optimizers of rows treat the curvature as a constant.
template <class V>
class Stereographic : public Operations<Stereographic<V>>,
                      public PointMethods<Stereographic<V>, V>,
                      public RandomPoints<Stereographic<V>, V> {
 public:
  using Value = V;
  using Work = work_t<V>;
  static constexpr int radii = 1;

  /// Throws DomainError unless the curvature is finite.
  explicit Stereographic(const V& curvature = V(scalar_t<V>(-1))) : curvature_(curvature) {
    const double head(detail::lead(detail::to_work(curvature)));
    if (!(head - head == 0))
      throw DomainError("curvature " + number_text(head) + " of a manifold is not finite");
  }
  const V& curvature() const { return curvature_; }

  detail::StereographicFormulas<Work> formulas() const {
    return formulas_at(std::array<Work, 1>{detail::to_work(curvature_)});
  }
  template <class W>
  detail::StereographicFormulas<W> formulas_at(const std::array<W, 1>& curvature) const {
    detail::StereographicFormulas<W> f;
    f.radius = detail::number<W>(1);
    f.curvature = curvature[0];
    return f;
  }
  /// The parameters that Learnable learns.
  std::array<V, 1> all_radii() const { return {curvature_}; }

  template <int n, class... Others>
  static constexpr void require(const Point<V, n>& x, const Others&... others) {
    detail::require_coordinates(x, 1);
    (detail::require_same_size(x, others), ...);
  }

 private:
  V curvature_;
};

}  // namespace mct::geometry
