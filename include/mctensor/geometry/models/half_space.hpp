// The Poincaré half-space: last coordinate h > 0, metric K^2 |dx|^2 / h^2.
//
// Source of expmap: Yu 2024, appendix B.2.2. Its stable form is replaced by one without subtraction
// and without squares of large functions. With the unit vector e along the tangent and r = |e
// without its last coordinate|,
//   cosh s - e_n sinh s = e^-s + sinh s r^2 / (1 + e_n)   for e_n >= 0.
#pragma once

#include "mctensor/geometry/manifold.hpp"
#include "mctensor/geometry/models/steps.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// cosh s - c sinh s for the cosine c and the sine r of an angle. The result is never negative.
template <class W>
MCT_HD inline W falling(const Reach<W>& reach, const W& c, const W& r) {
  using L = limb_t<W>;
  const auto forward = lead(c) >= L(scalar_t<L>(0));
  const W one = number<W>(1);
  const W positive = reach.exp_minus + reach.sinh * r * r / (one + blend(forward, c, one));
  return blend(forward, positive, W(reach.cosh - c * reach.sinh));
}

/// The end of a step: its height, and the horizontal length of the step.
template <class W>
struct Landing {
  W height, across;
};

/// The landing of a step from height h; c and r are the cosine and the sine of the angle between
/// the step and the upward direction.
template <class W>
MCT_HD inline Landing<W> landing_of(const W& h, const Reach<W>& reach, const W& c, const W& r) {
  const W fall = falling(reach, c, r);
  return {above_zero(W(h / fall)), h * (reach.sinh * r / fall)};
}

/// The same for long steps: e^-s has lost limbs or e^s is out of range, but heights may be in
/// range. Let F = e^(s/4). To all digits, sinh s = cosh s = F^4 / 2. Let A = F^4 r. For c >= 0 the
/// height is h F^4 / (1 + A^2 / (2 (1 + c))). For A >= 1 this is computed as h / (F^2 r)^2 divided
/// by 1 / A^2 + 1 / (2 (1 + c)). Powers of F are multiplied one factor at a time, so no product
/// overflows unless the result does.
template <class W>
MCT_HD inline Landing<W> far_landing_of(const W& h, const W& F, const W& c, const W& r) {
  using L = limb_t<W>;
  const L zero(scalar_t<L>(0));
  const L unit(scalar_t<L>(1));
  const W one = number<W>(1);
  const auto upward = lead(c) >= zero;
  const W span = one + blend(upward, c, -c);  // 1 + |c|
  const L near = ((lead(r) * lead(F)) * lead(F)) * lead(F) * lead(F);
  const auto steep = near < unit;
  const W A = blend(steep, W(((r * F) * F) * F * F), one);
  const W low = one + halved(W(A * A)) / span;
  const W start = ((h * F) * F) / low;
  const W climbed = (start * F) * F;
  const W thrown = blend(lead(r) == zero, W(zero), W(((start * halved(A)) * F) * F));
  const W side = blend(steep, one, r);
  const W inverse = blend(steep, one, W((one / (side * F)) / F));  // 1 / (F^2 r)
  const W rest = (inverse / F) / F;
  const W high = rest * rest + halved(W(one / span));
  const W fallen = ((h * inverse) * inverse) / high;
  const W crossed = halved(W(h / side)) / high;
  const W sunk = ((((h / F) / F) / F) / F) * (number<W>(2) / span);
  return {above_zero(blend(upward, blend(steep, climbed, fallen), sunk)),
          blend(upward, blend(steep, thrown, crossed), W(h * (r / span)))};
}

/// Formulas of the half-space in any dimension. The hemisphere uses them, too, because it is a
/// totally geodesic part of a half-space.
template <class Model, class W>
struct UpperFormulas : HyperbolicFormulas<Model, W> {
  using HyperbolicFormulas<Model, W>::radius;

  template <int n>
  MCT_HD static const W& height(const Point<W, n>& x) {
    return x[x.size() - 1];
  }
  /// x with its last coordinate replaced by 0.
  template <int n>
  MCT_HD static Point<W, n> horizontal(Point<W, n> x) {
    x[x.size() - 1] = number<W>(0);
    return x;
  }

  /// The height of a point; NaN if it is not positive or a coordinate is NaN.
  template <int n>
  MCT_HD static W height_at(const Point<W, n>& x) {
    using L = limb_t<W>;
    const L zero(scalar_t<L>(0));
    return only_where(lead(height(x)) > zero && has_no_nan(x), height(x));
  }
  template <int n>
  MCT_HD auto inside(const Point<W, n>& x) const {
    const W h = height_at(x);
    return lead(h) == lead(h);
  }
  template <class V, int n>
  MCT_HD Point<V, n> rounded(const Point<W, n>& z) const {
    return rounded_above_zero<V>(z);
  }

  template <int n>
  MCT_HD W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    return halved(W(norm_of(y - x) / (root(height_at(x)) * root(height_at(y)))));
  }
  template <int n>
  MCT_HD W half_sinh_square(const Point<W, n>& x, const Point<W, n>& y) const {
    return half_sinh_square(squared_norm(y - x), height(x), doubled(doubled(height(y))));
  }
  /// half_sinh_square from |y - x|^2 and the heights. The square must be NaN if a coordinate is
  /// NaN; the heights may be invalid.
  MCT_HD W half_sinh_square(const W& d2, const W& from, const W& four_times_to) const {
    using L = limb_t<W>;
    return only_where(lead(from) > L(scalar_t<L>(0)),
                      ordinary_quotient(d2, W(from * four_times_to)));
  }
  template <int n>
  MCT_HD W length(const Point<W, n>& x, const Point<W, n>& u) const {
    return norm_times(u, W(number<W>(1) / height_at(x)));
  }
  template <int n>
  MCT_HD W lambda_x(const Point<W, n>& x) const {
    return radius / height_at(x);
  }
  template <int n>
  MCT_HD Point<W, n> dist_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    return this->conformal_gradient(x, y);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const W lambda = lambda_x(x);
    return dot(u * lambda, v * lambda);
  }
  template <int n>
  MCT_HD Point<W, n> advance(const Point<W, n>& x, const Point<W, n>& u,
                             const Reach<W>& reach) const {
    return advance_by(
        x, u, [&](const W& h, const W& c, const W& r) { return landing_of(h, reach, c, r); });
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    return stepped(x, u, length(x, u), ExponentialStep<W>());
  }
  /// Cuts the length of u to 2^(emax - 4) K.
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return stepped(x, u, length(x, u), AlgebraicStep<W>());
  }
  /// The point at part < 0 of the geodesic from x to y. The function does not use logmap, because
  /// limbs of the vector may be below the range although the points have theirs.
  template <int n>
  MCT_HD Point<W, n> beyond(const Point<W, n>& x, const Point<W, n>& y, const W& part) const {
    return stepped(x, -toward(x, y), W(-(part * this->arc(x, y))), ExponentialStep<W>());
  }
  /// The end of a step of length s K along u, for s >= 0.
  template <int n, class Step>
  MCT_HD Point<W, n> stepped(const Point<W, n>& x, const Point<W, n>& u, const W& s,
                             Step step) const {
    if (!somewhere(step.is_far(s))) return advance(x, u, step.reach(s));
    return far_stepped(Point<W, n>(x), Point<W, n>(u), W(s), step);
  }
  template <int n, class Step>
  MCT_HD MCT_NOINLINE Point<W, n> far_stepped(const Point<W, n>& x, const Point<W, n>& u,
                                              const W& s, Step step) const {
    const auto far = step.is_far(s);
    const auto [reach, F] = step.far_reach(s, far);
    return advance_by(x, u, [&, &near = reach, &root = F](const W& h, const W& c, const W& r) {
      const Landing<W> landing = landing_of(h, near, c, r);
      const Landing<W> beyond = far_landing_of(h, root, c, r);
      return Landing<W>{blend(far, beyond.height, landing.height),
                        blend(far, beyond.across, landing.across)};
    });
  }
  template <int n, class F>
  MCT_HD Point<W, n> advance_by(const Point<W, n>& x, const Point<W, n>& u,
                                const F& landing_at) const {
    const Point<W, n> e = polar(u).direction;
    const auto [r, sideways] = polar(horizontal(e));
    const Landing<W> landing = landing_at(height_at(x), height(e), r);
    const W across = within_range(landing.across);
    Point<W, n> z = generate<Point<W, n>>(
        x.size(), [&, &along = sideways](int i) { return W(x[i] + across * along[i]); });
    z[x.size() - 1] = landing.height;
    return within_range(z);
  }
  /// In the light-cone coordinates 1 / x_n and x_i / x_n of the hyperboloid, the result is the mean
  /// of x and y, where the weight of each is its share over its height.
  template <int n>
  MCT_HD Point<W, n> between(const Point<W, n>& x, const Point<W, n>& y,
                             const Share<W>& share) const {
    const W rx = root(height_at(x));
    const W ry = root(height_at(y));
    const W own = ry / rx;
    const W other = ((rx / ry) * share.second) * share.first;
    const W sum = own + other;
    const W a = own / sum;
    const W b = other / sum;
    Point<W, n> z = generate<Point<W, n>>(x.size(), [&](int i) { return W(x[i] * a + y[i] * b); });
    z[x.size() - 1] = above_zero(W(((rx * ry) * share.inverse) / sum));
    return z;
  }
  template <int n>
  MCT_HD Way<W, n> way(const Point<W, n>& x, const Point<W, n>& y) const {
    const W& from = height(x);
    const W& to = height(y);
    const Point<W, n> d = y - x;
    const W& dh = height(d);
    const Point<W, n> flat = horizontal(d);
    const W s2 = squared_norm(flat);
    Point<W, n> v = flat * doubled(from);
    v[x.size() - 1] = dh * (to + from) + s2;
    const W unit = doubled(doubled(to));
    return {half_sinh_square(W(s2 + dh * dh), from, unit), v, unit};
  }
  /// Horizontally 2 x_n (y - x), upward (y_n - x_n)(y_n + x_n) + |horizontal part of y - x|^2, all
  /// times a common scale.
  template <int n>
  MCT_HD Point<W, n> toward(const Point<W, n>& x, const Point<W, n>& y) const {
    const W from = height_at(x);
    const W to = height_at(y);
    Point<W, n> d = y - x;
    const W dh = height(d);
    d[x.size() - 1] = to + from;
    const auto scale = unit_scale(d);
    d = times(d, scale);
    const W h = times(from, scale);
    const W top = height(d);
    const Point<W, n> flat = horizontal(d);
    Point<W, n> v = flat * doubled(h);
    v[x.size() - 1] = times(dh, scale) * top + squared_norm(flat);
    return v;
  }
  /// y_n / x_n times a rotation. The rotation turns the upward direction toward y by twice the
  /// angle whose tangent is |horizontal part of y - x| / (x_n + y_n).
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    Point<W, n> d = y - x;
    const W from = height_at(x);
    const W to = height_at(y);
    d[x.size() - 1] = from + to;
    d = polar(d).direction;
    const W cosine = height(d);
    const Point<W, n> sine = horizontal(d);
    const W s2 = squared_norm(sine);
    const W un = height(u);
    const W us = dot(sine, u);
    W ratio = to / from;
    W rest = number<W>(1);
    // the quotient of heights may overflow although results do not, so its root is applied twice
    const auto ordinary = ordinary_lanes(ratio);
    if (somewhere(!ordinary)) {
      rest = blend(ordinary, rest, W(root(to) / root(from)));
      ratio = blend(ordinary, ratio, rest);
    }
    const W a = doubled(W(cosine * un - us));
    Point<W, n> v =
        generate<Point<W, n>>(x.size(), [&](int i) { return W(ratio * (u[i] + a * sine[i])); });
    v[x.size() - 1] = ratio * (un - doubled(W(s2 * un + cosine * us)));
    return somewhere(!ordinary) ? v * rest : v;
  }
};

template <class W>
struct HalfSpaceFormulas : UpperFormulas<HalfSpaceFormulas<W>, W> {
  using UpperFormulas<HalfSpaceFormulas<W>, W>::radius;
  using UpperFormulas<HalfSpaceFormulas<W>, W>::height;
  using UpperFormulas<HalfSpaceFormulas<W>, W>::height_at;

  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(),
                                 [&](int i) { return number<W>(i == x.size() - 1 ? 1 : 0); });
  }
  template <int n>
  MCT_HD Point<W, n> orthonormal_at_origin(const Point<W, n>& u) const {
    return u / radius;
  }
  template <class V, int n>
  MCT_HD Point<W, n> projx(Point<W, n> x) const {
    using L = limb_t<W>;
    W& h = x[x.size() - 1];
    const auto below = lead(h) <= L(scalar_t<L>(0));
    h = blend(below, W(L(scalar_t<L>(std::numeric_limits<scalar_t<limb_t<V>>>::min()))), h);
    return x;
  }
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    const W inverse = height_at(x) / radius;
    return (g * inverse) * inverse;
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double) const {
    const W size = norm_of(x);
    return lead(size) - lead(size) == 0 && lead(height(x)) > 0;
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The half-space with radius of curvature K: n coordinates, the last one positive. The coordinates
/// have no unit: multiplying all of them by a positive number is an isometry. The origin is (0,
/// ..., 0, 1).
///
/// Bounds: manifold_bound of n coordinates. For dist, dist0, norm, inner, logmap, ptransp and
/// egrad2rgrad the bound is relative and has no condition number: for inner relative to the product
/// of the lengths, for logmap and ptransp to the length of the result. For expmap and retr the
/// bound of each coordinate is relative to |z_i| plus its condition number, the sum of |dz_i / d
/// input| |input|; for the height this is (1 + s) z_n with s = |u|_x / K. For geodesic the bound of
/// each coordinate is relative to |z_i| + t |dz_i / dt|, with t from the nearer end; beyond the
/// ends its condition number is added. Domain: heights whose last limb is a normal number; in
/// double, distances between points up to 1400 and lengths up to 2800 (longer vectors are cut to
/// 2800). A height that is not positive gives NaN. A height that would underflow to zero becomes
/// the smallest number; one that would overflow becomes +-2^1020 (2^(emax - 4)).
template <class V>
struct HalfSpace : Manifold<detail::HalfSpaceFormulas, V> {
  using Manifold<detail::HalfSpaceFormulas, V>::Manifold;
};
template <class V>
HalfSpace(V) -> HalfSpace<V>;

}  // namespace mct::geometry
