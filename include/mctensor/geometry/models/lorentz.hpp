// The Lorentz model (hyperboloid): <x, x> = -K^2, x_0 > 0, with <x, y> = -x_0 y_0 + x_1 y_1 + ...
//
// A point is given by its spatial coordinates x_1 ... x_n. The time x_0 = sqrt(K^2 + |x|^2) follows
// from them and is not read. The form of <x, y> in the literature uses it and cancels: at distance
// r from the origin its error is e^2r u. With the times a, b and the spatial parts X, Y of x and y,
// these sums do not cancel (the first follows from Lagrange's identity):
//   -<x, y> - K^2 = (K^2 |Y - X|^2 + |X ^ Y|^2) / (a b + K^2 + X.Y),
//   -<x, y> - K^2 = (K^2 (|X|^2 + |Y|^2) + |X|^2 |Y|^2) / (a b + K^2) - X.Y   for opposite X and Y,
//   <u, u> = (K^2 |U|^2 + |X ^ U|^2) / a^2   for a tangent vector u with the spatial part U.
#pragma once

#include "mctensor/geometry/models/heading.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"
#include "mctensor/geometry/models/steps.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// Coordinates 1 ... n; coordinate 0 is only checked for NaN.
template <class W, int n>
MCT_HD inline Point<W, dimension_plus<n, -1>> space_of(const Point<W, n>& x) {
  const auto number = lead(x[0]) == lead(x[0]);
  return generate<Point<W, dimension_plus<n, -1>>>(
      x.size() - 1, [&](int i) { return only_where(number, x[i + 1]); });
}
/// A point or vector from coordinate 0 and the others.
template <class W, int m>
MCT_HD inline Point<W, dimension_plus<m, 1>> with_time(const W& time, const Point<W, m>& space) {
  return generate<Point<W, dimension_plus<m, 1>>>(
      space.size() + 1, [&](int i) { return i == 0 ? time : space[i - 1]; });
}

/// `value` is <x, v> / K for the point x with the spatial part X and the vector v = (v_0, V);
/// `slope` is X / x_0. If v is nearly tangent, the product cancels, and its error may be multiplied
/// by x_0. So the product is summed with one limb more. The time has one limb more, too: it is the
/// sum of its rounded value t and (K^2 + |X|^2 - t^2) / (2 t).
template <class W, int m>
struct MinkowskiProduct {
  W value;
  Point<W, m> slope;
};
template <class W, int m>
MCT_HD inline MinkowskiProduct<W, m> minkowski_product(const W& radius, const Point<W, m>& X,
                                                       const Point<W, m>& V, const W& v0) {
  const auto scale = unit_scale(with_time(radius, X));
  const Point<W, m> E = times(X, scale);
  const W k = times(radius, scale);
  const W time = root(W(k * k + squared_norm(E)));
  constexpr int more = limbs_of<W> + 1;
  auto square = long_sum(product_in<more>(k, k), -product_in<more>(time, time));
  auto product = -product_in<more>(time, v0);
  for (int i = 0; i < E.size(); ++i) {
    square = long_sum(square, product_in<more>(E[i], E[i]));
    product = long_sum(product, product_in<more>(E[i], V[i]));
  }
  const W rest = shortened<W>(square) / doubled(time);
  return {W((shortened<W>(product) - rest * v0) / k), E / time};
}

/// For points with the times a and b: `vector` is P = b / a X - Y, `ratio` is b / a, `excess` is b
/// / a - 1. From them -<x, y> - K^2 = (|P|^2 + K^2 (b / a - 1)^2) a / (2 b), a sum that does not
/// cancel. Its derivative by X is P, and by Y it is -a / b P. For numbers of one limb it is
/// computed from squares of times in two limbs: P has an error of u^2 b, beside the error of its
/// rounding.
template <class W, int m>
struct MinkowskiPull {
  Point<W, m> vector;
  W ratio, excess;
  W half_sinh_square;  ///< NaN where squares overflow or lose limbs, or P has lost digits
};
template <class W, int m>
MCT_HD inline MinkowskiPull<W, m> minkowski_pull(const W& radius, const Point<W, m>& X,
                                                 const Point<W, m>& Y) {
  using L = limb_t<W>;
  const auto a2 = long_square_sum(radius, X);
  const auto b2 = long_square_sum(radius, Y);
  const W ratio = root(W(b2.hi / a2.hi));
  const auto [square, square_low] = two_prod(ratio, ratio);
  const auto [near, near_low] = two_prod(square, a2.hi);
  const W rest = (b2.hi - near) + (b2.lo - (near_low + square_low * a2.hi + square * a2.lo));
  const W low = rest / (doubled(ratio) * a2.hi);
  MinkowskiPull<W, m> r{long_pull(ratio, low, X, Y), ratio, {}, {}};
  r.excess = ((b2.hi - a2.hi) + (b2.lo - a2.lo)) / (a2.hi * (number<W>(1) + ratio));
  const W across = radius * r.excess;
  const W sum = squared_norm(r.vector) + across * across;
  const W k2 = radius * radius;
  const auto has_digits = sum > L(scalar_t<L>(0x1p-94)) * b2.hi;
  r.half_sinh_square = only_where(has_digits, ordinary_quotient(sum, W(number<W>(4) * k2 * ratio)));
  return r;
}

template <class W>
struct LorentzFormulas : HyperbolicFormulas<LorentzFormulas<W>, W> {
  using HyperbolicFormulas<LorentzFormulas<W>, W>::radius;
  static constexpr int least_coordinates = 2;
  static constexpr bool is_program = is_symbolic_v<W> && !is_traced_v<W>;

  /// The time of the point with this spatial part.
  template <int m>
  MCT_HD W time_of(const Point<W, m>& space) const {
    const auto slow = [&] { return hypotenuse(radius, norm_of(space)); };
    if constexpr (is_traced_v<W>) {
      return slow();
    } else {
      const W square = radius * radius + squared_norm(space);
      return where_ordinary(
          square, [&] { return root(square); }, slow);
    }
  }
  /// The time with twice the limbs. long_time_of is for ordinary squares, scaled_long_time_of for
  /// any squares.
  template <int m>
  MCT_HD long_t<W> long_time_of(const Point<W, m>& space) const {
    const auto all = with_time(radius, space);
    return root(sum_of_products<long_t<W>::components>(all, all));
  }
  template <int m>
  MCT_HD long_t<W> scaled_long_time_of(const Point<W, m>& space) const {
    const auto scale = unit_scale(with_time(radius, space));
    LorentzFormulas near;
    near.radius = times(radius, scale);
    return over(near.long_time_of(times(space, scale)), scale);
  }
  /// The point with this spatial part. Programs leave points beyond the range of float to the
  /// formulas, so that their results can be rounded to float one coordinate at a time.
  template <int m>
  MCT_HD Point<W, dimension_plus<m, 1>> lifted(const Point<W, m>& space) const {
    const W time = time_of(space);
    if constexpr (is_program) require(lead(time) < limb_t<W>(0x1p127));
    return with_time(time, space);
  }
  /// The tangent vector with the spatial part U at the point with the spatial part X.
  template <int m>
  MCT_HD Point<W, dimension_plus<m, 1>> lifted_vector(const Point<W, m>& X,
                                                      const Point<W, m>& U) const {
    return with_time(W(dot_in<limbs_of<W> + 1>(in_units(X, time_of(X)), U)), U);
  }
  template <int n>
  MCT_HD Point<W, n> origin_like(const Point<W, n>& x) const {
    return generate<Point<W, n>>(x.size(), [&](int i) { return i == 0 ? radius : number<W>(0); });
  }
  /// Rounds each coordinate. A point beyond the range of V moves toward the origin until its time
  /// is the largest V. Where K is beyond that, the result is infinite.
  template <class V, int n>
  MCT_HD Point<V, n> rounded(const Point<W, n>& z) const {
    const Point<V, n> r = from_work<V>(z);
    if constexpr (!is_work_v<V>) {
      using T = limb_t<V>;
      read_again(r);
      const auto infinity = lead(number<W>(FloatTraits<double>::infinity));
      if (lead(to_work(r[0])) != infinity || lead(z[0]) == infinity) return r;
      const W last = number<W>(double(FloatTraits<T>::max) * (1 - 0x1p-40));  // rounds to max
      if (!(lead(radius) < lead(last))) return r;
      const auto X = space_of(z);
      const W length = root(W((last - radius) * (last + radius)));
      return from_work<V>(lifted(polar(X).direction * length));
    }
    return r;
  }
  /// True where steps to z and to points behind it end at the same point of values V.
  template <class V, int n>
  MCT_HD bool is_last(const Point<W, n>& z) const {
    const double time(lead(z[0]));
    const double most =
        is_work_v<V> ? 0.99 * double(lead(farthest())) : double(FloatTraits<limb_t<V>>::max);
    return !(time < most);
  }

  /// K^2 d2 + |X ^ V|^2; x2 and v2 are the squares of |X| and |V|. The result is NaN where its
  /// digits are not certain. X ^ V with N limbs has an error of u^N |X| |V|. If that matters beside
  /// the root of the sum, X ^ V is computed with N + 1 limbs.
  template <int m>
  MCT_HD W with_area(const W& d2, const Point<W, m>& X, const W& x2, const Point<W, m>& V,
                     const W& v2) const {
    using L = limb_t<W>;
    const W sum = with_area_in<limbs_of<W>>(d2, X, V);
    if constexpr (limbs_of<W> == 1) return sum;
    const L long_area = lead(x2) * lead(v2);
    const auto near = long_area > L(scalar_t<L>(16)) * lead(sum);
    return somewhere(near) ? W(blend(near, with_small_area(d2, X, V, long_area), sum)) : sum;
  }
  template <int M, int m>
  MCT_HD W with_area_in(const W& d2, const Point<W, m>& X, const Point<W, m>& V) const {
    const auto wedge = pivoted_wedge_in<M>(X, V);
    return radius * radius * d2 + gram(X, wedge, wedge);
  }
  template <int m>
  MCT_HD MCT_NOINLINE W with_small_area(const W& d2, const Point<W, m>& X, const Point<W, m>& V,
                                        const limb_t<W>& long_area) const {
    using L = limb_t<W>;
    constexpr auto blur = scalar_t<L>(0x1p6) * FloatTraits<L>::u;
    const W sum = with_area_in<limbs_of<W> + 1>(d2, X, V);
    return only_where(long_area * L(blur * blur) <= lead(sum), sum);
  }
  /// q = (-<x, y> / K^2 - 1) / 2 from squares. It is NaN where one overflows or loses limbs.
  template <int m>
  MCT_HD W half_sinh_square_of_space(const Point<W, m>& X, const Point<W, m>& Y) const {
    if constexpr (limbs_of<W> == 1) {
      return minkowski_pull(radius, X, Y).half_sinh_square;
    } else {
      return half_sinh_square_by_area(X, Y);
    }
  }
  template <int m>
  MCT_HD W half_sinh_square_by_area(const Point<W, m>& X, const Point<W, m>& Y) const {
    using L = limb_t<W>;
    const W k2 = radius * radius;
    const W x2 = squared_norm(X);
    const W y2 = squared_norm(Y);
    const W times = root(W((k2 + x2) * (k2 + y2)));
    const W product = dot(X, Y);
    const W near = ordinary_quotient(with_area(squared_norm(Y - X), X, x2, Y, y2),
                                     doubled(W(k2 * (times + k2 + product))));
    const auto opposite = lead(product) < L(scalar_t<L>(-0.5)) * lead(times);
    if (!somewhere(opposite)) return near;
    const W far = (k2 * (x2 + y2) + x2 * y2) / (times + k2) - product;
    return blend(opposite, ordinary_quotient(far, doubled(k2)), near);
  }
  template <int n>
  MCT_HD W half_sinh_square(const Point<W, n>& x, const Point<W, n>& y) const {
    return half_sinh_square_of_space(space_of(x), space_of(y));
  }
  /// X / a. With one limb by a single division: the inverse of the largest a has all its digits.
  template <int m>
  MCT_HD static Point<W, m> in_units(const Point<W, m>& X, const W& a) {
    if constexpr (limbs_of<W> == 1 && !is_traced_v<W>) {
      return X * W(number<W>(1) / a);
    } else {
      return X / a;
    }
  }
  /// sqrt((-<x, y> / K^2 - 1) / 2) for coordinates up to the largest number. The inverses p and q
  /// of large times lose lower limbs by underflow, but count only beside 1.
  template <int m>
  MCT_HD W half_sinh_of_space(const Point<W, m>& X, const Point<W, m>& Y) const {
    if constexpr (is_symbolic_v<W>) {
      if constexpr (is_traced_v<W>) {
        return noted_half_sinh(radius, X, Y);
      } else {
        const W q = half_sinh_square_of_space(X, Y);
        require(ordinary_lanes(q));
        return root(q);
      }
    } else {
      return half_sinh_in_units(X, Y);
    }
  }
  template <int m>
  MCT_HD W half_sinh_in_units(const Point<W, m>& X, const Point<W, m>& Y) const {
    using L = limb_t<W>;
    const W one = number<W>(1);
    // in units of the times: A = X / a, B = Y / b, p = K / a, q = K / b
    const W a = time_of(X);
    const W b = time_of(Y);
    const W mean = root(a) * root(b);
    const W p = radius / a;
    const W q = radius / b;
    const W pq = p * q;
    const Point<W, m> A = in_units(X, a);
    const Point<W, m> B = in_units(Y, b);
    const W product = dot(A, B);
    const auto opposite = lead(product) < L(scalar_t<L>(-0.5));
    const W near = hypotenuse(W(norm_of(Y - X) / mean),
                              W(difference_area_over(X, Y, a, b) * (mean / radius))) /
                   root(doubled(W(one + pq + blend(opposite, one, product))));
    if (!somewhere(opposite)) return near;
    const W a2 = squared_norm(A);
    const W b2 = squared_norm(B);
    const W far2 =
        (a2 * q * q + b2 * p * p + a2 * b2) / (one + pq) - blend(opposite, product, -one);
    return blend(opposite, W(root(halved(far2)) * (mean / radius)), near);
  }
  template <int n>
  MCT_HD W half_sinh(const Point<W, n>& x, const Point<W, n>& y) const {
    return half_sinh_of_space(space_of(x), space_of(y));
  }
  /// sqrt(<u, u>) / K = hypot(K |U|, |X ^ U|) / (a K)
  template <int n>
  MCT_HD W length(const Point<W, n>& x, const Point<W, n>& u) const {
    if constexpr (is_traced_v<W>) {
      return scaled_length(x, u);
    } else {
      const auto X = space_of(x);
      const auto U = space_of(u);
      const W x2 = squared_norm(X);
      const W u2 = squared_norm(U);
      const W k2 = radius * radius;
      const W square = ordinary_quotient(with_area(u2, X, x2, U, u2), W(k2 * (k2 + x2)));
      return where_ordinary(
          square, [&] { return root(square); }, [&] { return scaled_length(x, u); });
    }
  }
  template <int n>
  MCT_HD MCT_NOINLINE W scaled_length(const Point<W, n>& x, const Point<W, n>& u) const {
    const auto X = space_of(x);
    if constexpr (is_symbolic_v<W> && is_traced_v<W>) return noted_length(radius, X, space_of(u));
    const auto scale = unit_scale(space_of(u));
    const auto U = times(space_of(u), scale);
    const W a = time_of(X);
    const W size = hypotenuse(W(radius / a * norm_of(U)), area_over(X, U, a));
    return over(W(size / radius), scale);
  }
  template <int n>
  MCT_HD W inner(const Point<W, n>& x, const Point<W, n>& u, const Point<W, n>& v) const {
    const auto X = space_of(x);
    const auto U = space_of(u);
    const auto V = space_of(v);
    const W a = time_of(X);
    const W p = radius / a;
    const auto scale = unit_scale(X);  // squares of coordinates next to the origin are 0
    const auto E = times(X, scale);
    const W part = number<W>(1) / times(a, scale);
    const W area = gram(E, pivoted_wedge(E, U), pivoted_wedge(E, V));
    return dot(U * p, V * p) + (area * part) * part;
  }
  template <int n>
  MCT_HD Point<W, n> expmap(const Point<W, n>& x, const Point<W, n>& u) const {
    return stepped(x, u, ExponentialStep<W>());
  }
  template <int n>
  MCT_HD Point<W, n> retr(const Point<W, n>& x, const Point<W, n>& u) const {
    return stepped(x, u, AlgebraicStep<W>());
  }
  template <int n, class Step>
  MCT_HD Point<W, n> stepped(const Point<W, n>& x, const Point<W, n>& u, Step step) const {
    using L = limb_t<W>;
    const auto X = space_of(x);
    const auto U = space_of(u);
    if constexpr (is_traced_v<W>) {
      // the textbook sum, because parts along and across X have no derivatives at the origin
      const auto sum = [&](const Point<W, dimension_plus<n, -1>>& V, const W& s) {
        const auto still = lead(s) == L(scalar_t<L>(0));
        return [&, V, divisor = W(blend(still, number<W>(1), s))](const Reach<W>& reach) {
          return X * reach.cosh + V * W(reach.sinh / divisor);
        };
      };
      const W s = length(x, u);
      return within_reach(lifted(sum(U, s)(step.reach(s))), [&] {
        const W a = time_of(X);
        if (somewhere(lead(dot(in_units(X, a), times(U, unit_scale(U)))) < L(scalar_t<L>(0)))) {
          const auto heading = heading_of(radius, X, a, U);
          return far_landing(a, heading, heading.length, step_along(heading, step));
        }
        const auto scale = unit_scale(U);
        return far_end(
            s, step, [](const W& start) { return lead(start) > L(scalar_t<L>(0)); },
            sum(times(U, scale), length(x, times(u, scale))));
      });
    } else {
      const W a = time_of(X);
      const auto heading = heading_of(radius, X, a, U);
      return landed(a, heading, heading.length, step_along(heading, step));
    }
  }
  template <int m>
  MCT_HD static ExponentialStep<W> step_along(const Heading<W, m>&, ExponentialStep<W> step) {
    return step;
  }
  template <int m>
  MCT_HD LongAlgebraicStep<W> step_along(const Heading<W, m>& heading, AlgebraicStep<W>) const {
    return {{}, radius, heading.scaled_length, heading.scale};
  }

  /// The point at part < 0 of the geodesic from x to y. The function does not use logmap, because
  /// the coordinates of a vector far out cannot hold a direction.
  template <int n>
  MCT_HD Point<W, n> beyond(const Point<W, n>& x, const Point<W, n>& y, const W& part) const {
    const auto X = space_of(x);
    const auto Y = space_of(y);
    const W a = time_of(X);
    const auto heading = heading_away(radius, X, a, Y, time_of(Y), half_sinh_of_space(X, Y));
    return landed(a, heading, W(-(part * heading.length)), ExponentialStep<W>());
  }
  /// The end of a step of length s K from the point with the time a.
  template <int m, class Step>
  MCT_HD MCT_ALWAYS_INLINE Point<W, dimension_plus<m, 1>> landed(const W& a,
                                                                 const Heading<W, m>& heading,
                                                                 const W& s, Step step) const {
    return within_reach(lifted(landing_on(radius, a, heading, step.reach(s))),
                        [&] { return far_landing(W(a), Heading<W, m>(heading), W(s), step); });
  }
  /// The longest spatial part of the end of a step.
  MCT_HD W farthest() const {
    using L = limb_t<W>;
    const auto small = lead(radius) < L(scalar_t<L>(1));
    return blend(small, radius, number<W>(1)) *
           number<W>(pow2<scalar_t<L>>(FloatTraits<L>::emax - 8));
  }
  /// z, or the point with the spatial part far() where the time of z is beyond farthest().
  template <int n, class Far>
  MCT_HD MCT_ALWAYS_INLINE Point<W, n> within_reach(const Point<W, n>& z, const Far& far) const {
    using L = limb_t<W>;
    if constexpr (is_program) return z;
    const auto near = lead(z[0]) < L(scalar_t<L>(0x1p866));  // the least farthest()
    if (!somewhere(!near)) return z;
    const auto within = lead(z[0]) < lead(farthest());
    return somewhere(!within) ? blend(within, z, lifted(far())) : z;
  }
  /// The landing of a step with a factor e^s or a landing beyond the range.
  template <int m, class Step>
  MCT_HD MCT_NOINLINE Point<W, m> far_landing(const W& a, const Heading<W, m>& heading, const W& s,
                                              Step step) const {
    using L = limb_t<W>;
    const L zero(scalar_t<L>(0));
    const auto inward = lead(heading.cosine) < zero;
    // True where parts of the landing with this sinh s come near the end of the range. With the
    // factors that follow, the landing is then beyond it.
    const auto is_large = [&](const W& sinh) {
      const L side = blend(inward, lead(heading.sine), L(scalar_t<L>(1)));
      return (side * lead(sinh)) * (side * lead(a)) > L(scalar_t<L>(0x1p1000));
    };
    const Point<W, m> z = far_end(s, step, is_large, [&](const Reach<W>& reach) {
      return landing_on(radius, a, heading, reach);
    });
    // the part with e^-s
    const auto falls = inward && Step::is_far(s);
    const W F = step.far_reach(s, falls).F;
    const W rest = blend(falls, W((((heading.distance / F) / F) / F) / F), number<W>(0));
    return generate<Point<W, m>>(z.size(),
                                 [&](int i) { return W(z[i] + heading.outward[i] * rest); });
  }
  /// The spatial part of the end of a step of length s K, not longer than farthest(). sum_of gives
  /// it from the functions of s, in which it is linear. For far steps these are F^4 / 2, F^4 / 2
  /// and 0. The sum is formed with F / 2 (1 / 2 where is_large says so), and the other factors F
  /// follow one by one. For other steps it is formed with a factor of 2^-900.
  template <class Step, class IsLarge, class SumOf>
  MCT_HD auto far_end(const W& s, Step step, const IsLarge& is_large, const SumOf& sum_of) const {
    using L = limb_t<W>;
    using S = scalar_t<L>;
    const W zero = number<W>(0);
    const W tiny = number<W>(0x1p-900);
    const auto far = Step::is_far(s);
    const FarReach<W> all = step.far_reach(s, far);
    // a step of more than 1650 K leads beyond the range, also through the origin: F is 2^595 there
    const W F = blend(lead(all.F) > L(S(0x1p600)), number<W>(0x1p600), all.F);
    const W half_F = halved(F);
    const W start = blend(is_large(half_F), number<W>(0.5), half_F);
    const W first = blend(far, W(half_F / start), number<W>(0x1p225));
    const W next = blend(far, F, number<W>(0x1p225));
    const auto z = sum_of(Reach<W>{blend(far, start, W(all.reach.sinh * tiny)),
                                   blend(far, start, W(all.reach.cosh * tiny)),
                                   blend(far, zero, W(all.reach.exp_minus * tiny)), zero, zero});
    const auto [size, direction] = polar(z);
    const L f = lead(next);
    const W longest = farthest();
    const auto too_long = (((lead(size) * lead(first)) * f) * f) * f > lead(longest);
    return blend(too_long, direction * longest, (((z * first) * next) * next) * next);
  }
  template <int n>
  MCT_HD Point<W, n> between(const Point<W, n>& x, const Point<W, n>& y,
                             const Share<W>& share) const {
    const auto Y = (space_of(y) * share.second) * share.first;
    return lifted((space_of(x) + Y) / share.inverse);
  }
  /// s / sinh s (Y - X) - s tanh(s / 2) X, which has the length s K.
  template <int n>
  MCT_HD Point<W, n> logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    if constexpr (is_traced_v<W>) {
      return scaled_logmap(x, y);
    } else {
      const W q = half_sinh_square(x, y);
      const auto quick = [&] {
        const Arc<W> s = arc_of_square(q);
        const auto X = space_of(x);
        const W r = halved(s.length) / s.half_sinh;
        return lifted_vector(X, (space_of(y) - X) * r - X * W(doubled(r) * q));
      };
      return where_ordinary(q, quick,
                            [&] { return scaled_logmap(Point<W, n>(x), Point<W, n>(y)); });
    }
  }
  template <int n>
  MCT_HD MCT_NOINLINE Point<W, n> scaled_logmap(const Point<W, n>& x, const Point<W, n>& y) const {
    const auto X = space_of(x);
    const auto Y = space_of(y);
    const W sh = half_sinh_of_space(X, Y);
    const W half_s = asinh_of(sh);
    const W half_cosh = hypotenuse(number<W>(1), sh);
    using L = limb_t<W>;
    const auto same = lead(sh) == L(scalar_t<L>(0));
    const W one = number<W>(1);
    const W r = blend(same, one, W(half_s / blend(same, one, sh))) / half_cosh;
    return lifted_vector(X, (Y - X) * r - X * W(doubled(half_s) * (sh / half_cosh)));
  }

  /// The derivative by the spatial coordinates is (b / a X - Y) / (K sinh d) for the distance K d.
  /// It cancels for far points, so the times have twice the limbs. The derivative by the time is 0,
  /// because the time is not read.
  template <int n>
  MCT_HD Point<W, n> dist_gradient(const Point<W, n>& x, const Point<W, n>& y) const {
    const auto X = space_of(x);
    const auto Y = space_of(y);
    if constexpr (is_traced_v<W>) {  // -V + (V . X) X / a^2 for the unit vector V toward y
      const auto v = logmap(x, y);
      const auto A = X / time_of(X);
      const auto g = A * dot(space_of(v), A) - space_of(v);
      return with_time(number<W>(0), g / W(radius * length(x, v)));
    } else {
      return with_time(number<W>(0), gradient_in_space(X, Y));
    }
  }
  template <int m>
  MCT_HD Point<W, m> gradient_in_space(const Point<W, m>& X, const Point<W, m>& Y) const {
    const auto over_sinh = [&](const W& q) {
      return W(halved(number<W>(1) / (radius * root(W(q + q * q)))));
    };
    if constexpr (is_symbolic_v<W>) {
      const auto pull = minkowski_pull(radius, X, Y);
      return pull.vector * over_sinh(pull.half_sinh_square);
    } else if constexpr (limbs_of<W> == 1) {
      const auto pull = minkowski_pull(radius, X, Y);
      const W& q = pull.half_sinh_square;
      return where_ordinary(
          q, [&] { return pull.vector * over_sinh(q); }, [&] { return scaled_gradient(X, Y); });
    } else {
      const W q = half_sinh_square_of_space(X, Y);
      return where_ordinary(
          q, [&] { return pulled(X, long_time_of(X), Y, long_time_of(Y)) * over_sinh(q); },
          [&] { return scaled_gradient(X, Y); });
    }
  }
  template <int m>
  MCT_HD MCT_NOINLINE Point<W, m> scaled_gradient(const Point<W, m>& X,
                                                  const Point<W, m>& Y) const {
    using L = limb_t<W>;
    const W half = half_sinh_of_space(X, Y);
    const auto same = lead(half) == L(scalar_t<L>(0));
    const W sinh = doubled(W(half * hypotenuse(number<W>(1), half)));
    const auto g = pulled(X, scaled_long_time_of(X), Y, scaled_long_time_of(Y)) /
                   W(blend(same, number<W>(1), W(radius * sinh)));
    return blend(same, X * number<W>(0), g);
  }
  /// b / a X - Y for the times a and b.
  template <int m>
  MCT_HD static Point<W, m> pulled(const Point<W, m>& X, const long_t<W>& a, const Point<W, m>& Y,
                                   const long_t<W>& b) {
    const auto ratio = b / a;
    return generate<Point<W, m>>(X.size(), [&](int i) {
      return shortened<W>(long_sum(mul_limbs(ratio, lengthened(X[i])), -lengthened(Y[i])));
    });
  }

  /// Converts the tangent vector U to the ball, where the point is b = K X / (a + K). The result is
  /// the sum of the part of U across X and the part along X times K / a, times K / (a + K). The
  /// parts are computed apart, so that each has all its digits, although in their sum one may hide
  /// the other. With w of pivoted_wedge the part across is (w - X (X.w) / |X|^2) / X_p, where
  /// nothing cancels because w_p = 0.
  template <int m>
  MCT_HD Point<W, m> in_ball(const Point<W, m>& X, const W& a, const Point<W, m>& U) const {
    if constexpr (is_traced_v<W>) {
      // near the origin the parts have large derivatives that cancel; the sum of the parts has none
      const auto central = lead(norm_of(X)) < lead(radius);
      if (often(central)) {
        const auto v = (U - X * W(long_dot(X, U) / (a * (a + radius)))) * W(radius / (a + radius));
        return often(!central) ? blend(central, v, parts_in_ball(X, a, U)) : v;
      }
    }
    return parts_in_ball(X, a, U);
  }
  template <int m>
  MCT_HD Point<W, m> parts_in_ball(const Point<W, m>& X, const W& a, const Point<W, m>& U) const {
    using L = limb_t<W>;
    const auto small = unit_scale(U);
    const Point<W, m> unit = times(U, small);
    const Point<W, m> e = times(X, unit_scale(X));
    const Pivoted<W, m> wedge = pivoted_wedge(e, unit);
    const auto at_origin = lead(wedge.pivot) == L(scalar_t<L>(0));
    const W one = number<W>(1);
    const W pivot = blend(at_origin, one, wedge.pivot);
    const W square = blend(at_origin, one, squared_norm(e));
    const W lean = dot(e, wedge.w) / square;
    const W along = long_dot(e, unit) / square * (radius / a);
    const W scale = radius / (a + radius);
    return generate<Point<W, m>>(X.size(), [&](int i) {
      const W across = (wedge.w[i] - e[i] * lean) / pivot;
      return over(W(scale * blend(at_origin, unit[i], W(across + e[i] * along))), small);
    });
  }
  template <int n>
  MCT_HD Point<W, n> ptransp(const Point<W, n>& x, const Point<W, n>& y,
                             const Point<W, n>& u) const {
    // the radius is scaled to [1, 2), because for far points its fourth power times e^-2d may
    // underflow
    const auto scale = unit_scale(Point<W, 2>(radius, radius));
    LorentzFormulas unit;
    unit.radius = times(radius, scale);
    return unit.carried(times(space_of(x), scale), times(space_of(y), scale), space_of(u));
  }
  /// The transport is computed in the ball, where it is a rotation. From the rotated vector v, U =
  /// s v + s^2 (b.v) b / K^2 with s = (time + K) / K. The difference of the points in the ball
  /// follows from the difference of X and Y.
  template <int m>
  MCT_HD Point<W, dimension_plus<m, 1>> carried(const Point<W, m>& X, const Point<W, m>& Y,
                                                const Point<W, m>& U) const {
    if constexpr (is_symbolic_v<W> && is_traced_v<W>)
      return lifted_vector(Y, noted_carried(radius, X, Y, U));
    const W a = time_of(X);
    const W b = time_of(Y);
    const W from = radius / (a + radius);
    const W to = radius / (b + radius);
    const auto d = Y - X;
    const W later = dot(d, X / (a + b)) + dot(d, Y / (a + b));  // b - a
    const auto near = d * to - X * W(from * (later / (b + radius)));
    const auto far = Y * to - X * from;  // far out, X / (b + K) would cancel
    const auto far_apart = is_apart(a, b);
    const auto way =
        generate<Point<W, m>>(X.size(), [&](int i) { return blend(far_apart, far[i], near[i]); });
    const W k2 = radius * radius;
    const auto v = gyration_along(radius, X * from, doubled(W(k2 * from)), doubled(W(k2 * to)), way,
                                  in_ball(X, a, U)) *
                   W(to / from);
    const auto end = Y * to;
    const W s = (b + radius) / radius;
    const W along = long_dot(end, v) * (s / radius) * (s / radius);
    return lifted_vector(Y, v * s + end * along);
  }

  template <class V, int n>
  MCT_HD Point<W, n> projx(const Point<W, n>& x) const {
    return lifted(space_of(x));
  }
  /// v + <x, v> / K^2 x
  template <int n>
  MCT_HD Point<W, n> proju(const Point<W, n>& x, const Point<W, n>& v) const {
    const auto X = space_of(x);
    const auto product = minkowski_product(radius, X, space_of(v), v[0]);
    const auto U = space_of(v) + (X / radius) * product.value;
    return with_time(W(long_dot(product.slope, U)), U);
  }
  /// The projection of the gradient with its time negated.
  template <int n>
  MCT_HD Point<W, n> egrad2rgrad(const Point<W, n>& x, const Point<W, n>& g) const {
    return proju(x, with_time(W(-g[0]), space_of(g)));
  }
  template <int n>
  MCT_HD bool check_point(const Point<W, n>& x, double tolerance) const {
    const W time = time_of(space_of(x));
    return magnitude(lead(W(x[0] - time))) <= tolerance * lead(time);
  }
  template <int n>
  MCT_HD bool check_vector(const Point<W, n>& x, const Point<W, n>& u, double tolerance) const {
    const auto X = space_of(x);
    const auto U = space_of(u);
    const W u0 = long_dot(X / time_of(X), U);
    return magnitude(lead(W(u[0] - u0))) <= tolerance * lead(norm_of(U));
  }

  /// |X ^ U| / a for a time a.
  template <int m>
  MCT_HD static W area_over(const Point<W, m>& X, const Point<W, m>& U, const W& a) {
    const auto scale = unit_scale(X);
    const Point<W, m> unit = times(X, scale);
    return area_of(unit, pivoted_wedge(unit, U)) / times(a, scale);
  }
  /// |X ^ Y| / (a b) for times a and b.
  template <int m>
  MCT_HD static W difference_area_over(const Point<W, m>& X, const Point<W, m>& Y, const W& a,
                                       const W& b) {
    const auto scale = unit_scale(Point<W, 2>(norm_of(X), norm_of(Y)));
    const Point<W, m> A = times(X, scale);
    const auto wedge = pivoted_difference(A, times(Y, scale));
    const W from = times(a, scale);
    const W to = times(b, scale);
    const W near = area_of(A, wedge) / from / to;
    if constexpr (limbs_of<W> == 1) {
      using L = limb_t<W>;
      const L tiny(scalar_t<L>(0x1p-900));
      const auto lost = lead(from) < tiny || lead(to) < tiny;
      return somewhere(lost) ? W(blend(lost, W(area_over(X, Y, a) / b), near)) : near;
    } else {
      // Y - X may have only the digits of the longer of the two
      return blend(is_apart(a, b), W(area_over(X, Y, a) / b), near);
    }
  }
  /// True if one time is more than twice the other. Then differences cancel at most one bit.
  MCT_HD static auto is_apart(const W& a, const W& b) {
    using L = limb_t<W>;
    const L two(scalar_t<L>(2));
    return lead(a) > two * lead(b) || lead(b) > two * lead(a);
  }
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail

namespace mct::geometry {

/// The hyperboloid with radius of curvature K: n + 1 coordinates, coordinate 0 is the time. Only
/// the spatial coordinates of points and tangent vectors are read; coordinate 0 is only checked for
/// NaN. The time of a result is computed from its spatial coordinates and rounded.
///
/// Bounds: manifold_bound of n + 1 coordinates, with M = 2 N limbs, but at most 5.
/// - dist, dist0, norm: relative.
/// - expmap, retr: relative to |z| plus the condition number. This is the sum of |dz / d input|
///   |input| or, if larger, the change of z by changes u^N of the inputs, divided by u^N. (Far out,
///   a vector straight outward has a small length in the metric, and rounding changes its
///   direction.) Where the bound is beyond the range of the type, no bound is stated. A step whose
///   spatial part would be longer than 2^1016 (2^(emax - 8)) times the smaller of K and 1 ends in
///   the same direction at that length; the bound relative to |z| is the bound before this cut.
/// - geodesic: relative to |z| + t |dz / dt|, with t from the nearer end; beyond the ends its
///   condition number is added. If an operand lies on an axis and a step leads inward, the
///   condition number and the error are small.
/// - logmap: relative to the larger of |z| and dist x_0 / K.
/// - ptransp: relative to the Riemannian length times (x_0 + y_0) / K (y_0 / K for u along X),
///   because ambient coordinates cannot hold vectors better.
/// - proju, egrad2rgrad: in coordinates, relative to |z| + |v| (1 + u x_0^2 / K^2). z itself may be
///   x_0^2 / K^2 times as long as v.
/// - dist_gradient: relative to |z| + u^(M-N) y_0 / (K sinh d) for the distance K d, in types that
///   are narrower than double to |z| + 2 u^(M-N) y_0 / (K sinh d), because the quotient of times
///   and its product with X are rounded to M components; its derivatives lose x_0^2 / K^2 u^N.
///
/// With two and more components the bounds grow beyond distance 73 (N = 4: 36) by u^(M-N) x_0 / K;
/// for dist, x_0 is the smaller time here.
///
/// Domain: in double, distances from the origin to 700. For expmap, retr and geodesic all lengths;
/// limbs of parts below the range are lost. For logmap and inner distances to 350, for ptransp to
/// 300 and lengths to 20. For proju and egrad2rgrad as long as z is a number: to 350 for
/// coordinates near 1.
template <class V>
struct Lorentz : Manifold<detail::LorentzFormulas, V> {
  using Manifold<detail::LorentzFormulas, V>::Manifold;
};
template <class V>
Lorentz(V) -> Lorentz<V>;

}  // namespace mct::geometry
