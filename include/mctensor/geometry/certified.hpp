// Distances, exponential and logarithmic maps of hyperbolic space with a radius for every number.
//
//   const mct::geometry::PoincareBall<double> ball(1);
//   const auto d = dist_certified(ball, x, y);      // d.value() is ball.dist(x, y)
//   d.radius();                                     // the exact distance is no farther away
//
// Points and vectors count as exact. The value comes from the model's own method. The radius comes
// from a formula for the same result, evaluated in numbers that carry their error and have more
// components. The exact result is no farther from the value than the radius.
//
// Domain: every point and vector of PoincareBall, HalfSpace and Lorentz in double, f64x2 and f64x3.
// Only the spatial coordinates of a point of Lorentz are read, as in the model's methods. A radius
// is infinite if an operand is not a point of the model, or if numbers of the formula overflow.
// Source: the formulas of docs/geometry.md; each is derived from the hyperboloid.
#pragma once

#include <type_traits>
#include <vector>

#include "mctensor/certified/functions.hpp"
#include "mctensor/geometry/models.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

namespace certified_detail {

using mct::certified_detail::farthest_from_zero;
using mct::certified_detail::most;
using mct::certified_detail::raised;

/// How many components the numbers of the formulas have, for results of n components.
constexpr int components_of_formulas(int n) { return n < 2 ? 3 : 4; }

template <class V>
inline constexpr int components_of = 1;
template <int N>
inline constexpr int components_of<Expansion<double, N>> = N;

/// A number of a formula, and coordinates of such numbers.
template <int L>
using Exact = Certified<double, L>;
template <int L>
using Coordinates = std::vector<Exact<L>>;

template <int L>
Coordinates<L> operator+(const Coordinates<L>& x, const Coordinates<L>& y) {
  Coordinates<L> r = x;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] += y[i];
  return r;
}
template <int L>
Coordinates<L> times(const Coordinates<L>& x, const Exact<L>& a) {
  Coordinates<L> r = x;
  for (auto& c : r) c *= a;
  return r;
}
template <int L>
Coordinates<L> operator-(const Coordinates<L>& x, const Coordinates<L>& y) {
  Coordinates<L> r = x;
  for (std::size_t i = 0; i < r.size(); ++i) r[i] -= y[i];
  return r;
}
template <int L>
Exact<L> inner(const Coordinates<L>& x, const Coordinates<L>& y) {
  Exact<L> sum;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
template <int L, class V, int n>
Coordinates<L> exactly(const Point<V, n>& x) {
  Coordinates<L> r;
  for (int i = 0; i < x.size(); ++i) r.emplace_back(Expansion<double, L>(x[i]));
  return r;
}

/// x if it is certainly positive, else a number with an infinite radius.
template <int L>
Exact<L> positive(const Exact<L>& x) {
  return is_positive(x) ? x : Exact<L>(x.value(), FloatTraits<double>::infinity);
}

/// The sum of c_k q^k for |q| <= 1/8, up to the last term that counts. Coefficients are positive
/// and decrease, so the sum of the omitted terms is below twice the first of them.
template <int L, class Next>
Exact<L> series(const Exact<L>& q, Next next) {
  const double size = farthest_from_zero(q);
  Exact<L> sum(1), power(1);
  double left = 1;
  for (int k = 1; left > 0x1p-220; ++k) {
    power *= q;
    sum += next(power, k);
    left *= size;
  }
  return sum + Exact<L>(Expansion<double, L>(0.0), raised(2 * left * size));
}

/// sinh(s) / s and cosh(s) for s^2 = q >= 0. Both are smooth in q.
template <int L>
Exact<L> sinhc_of_square(const Exact<L>& q) {
  if (farthest_from_zero(q) < 0.125) {
    Exact<L> factor(1);
    return series(q, [&factor](const Exact<L>& power, int k) {
      factor = factor / Exact<L>(2 * k * (2 * k + 1));
      return power * factor;
    });
  }
  const Exact<L> s = sqrt(q);
  return sinh(s) / s;
}
template <int L>
Exact<L> cosh_of_square(const Exact<L>& q) {
  if (farthest_from_zero(q) < 0.125) {
    Exact<L> factor(1);
    return series(q, [&factor](const Exact<L>& power, int k) {
      factor = factor / Exact<L>((2 * k - 1) * 2 * k);
      return power * factor;
    });
  }
  return cosh(sqrt(q));
}
/// asinh(s) / s for s^2 = q >= 0. Its own series alternates. So it is computed by the series of
/// artanh at s / sqrt(1 + s^2).
template <int L>
Exact<L> asinhc_of_square(const Exact<L>& q) {
  if (farthest_from_zero(q) < 0.125) {
    const Exact<L> above = Exact<L>(1) + q;
    return series(Exact<L>(q / above),
                  [](const Exact<L>& power, int k) { return power / Exact<L>(2 * k + 1); }) /
           sqrt(above);
  }
  const Exact<L> s = sqrt(q);
  return asinh(s) / s;
}
/// The distance d, in units of K, for which sinh^2(d / 2) = q > 0: 2 asinh(sqrt(q)).
template <int L>
Exact<L> distance_of(const Exact<L>& q) {
  return Exact<L>(2) * asinh(sqrt(q));
}
/// d / sinh d for sinh^2(d / 2) = q: asinhc(q) / sqrt(1 + q), because sinh d = 2 sqrt(q (1 + q)).
template <int L>
Exact<L> rsinhc_of(const Exact<L>& q) {
  return asinhc_of_square(q) / sqrt(Exact<L>(1) + q);
}

/// The value, with a radius that covers the whole enclosure of the formula.
template <int N, int L>
Certified<double, N> around(const Expansion<double, N>& value, const Exact<L>& formula) {
  const Exact<L> difference = formula - Exact<L>(Expansion<double, L>(value));
  return {value, raised(most(difference.value()) + difference.radius())};
}
template <int L, class V, int n>
std::vector<Certified<double, components_of<V>>> around(const Point<V, n>& values,
                                                        const Coordinates<L>& formula) {
  std::vector<Certified<double, components_of<V>>> r;
  bool all_finite = true;
  for (int i = 0; i < values.size(); ++i) {
    r.push_back(around(Expansion<double, components_of<V>>(values[i]), formula[std::size_t(i)]));
    all_finite = all_finite && isfinite(r.back().value());
  }
  if (!all_finite)  // if an operand is not a point, other coordinates may be finite
    for (auto& x : r) x = {x.value(), FloatTraits<double>::infinity};
  return r;
}
template <class V, int n>
bool are_equal(const Point<V, n>& x, const Point<V, n>& y) {
  for (int i = 0; i < x.size(); ++i)
    if (!(x[i] == y[i])) return false;
  return true;
}

/// The formulas of the ball of radius K. Coordinates that are lengths are divided by K.
template <int L>
struct BallEnclosures {
  Exact<L> k;

  Coordinates<L> over(const Coordinates<L>& x) const { return times(x, Exact<L>(Exact<L>(1) / k)); }
  static Exact<L> gap(const Coordinates<L>& x) {
    return positive(Exact<L>(Exact<L>(1) - inner(x, x)));
  }
  /// (-x) + y of the gyrogroup for y - x = `way`, with |x| < 1: the numerator (1 - |x|^2) way - x
  /// |way|^2 does not cancel for points next to each other.
  static Coordinates<L> gyro_difference(const Coordinates<L>& x, const Coordinates<L>& way) {
    const Exact<L> square = inner(way, way);
    const Exact<L> g = gap(x);
    const Exact<L> denominator = g * g - Exact<L>(2) * g * inner(x, way) + inner(x, x) * square;
    return times(times(way, g) - times(x, square), Exact<L>(Exact<L>(1) / denominator));
  }
  Exact<L> half_sinh_square(const Coordinates<L>& x, const Coordinates<L>& y) const {
    const Coordinates<L> way = y - x;
    return inner(way, way) / (gap(x) * gap(y));
  }
  Exact<L> dist(const Coordinates<L>& x, const Coordinates<L>& y) const {
    return k * distance_of(half_sinh_square(over(x), over(y)));
  }
  Coordinates<L> expmap(const Coordinates<L>& x, const Coordinates<L>& v) const {
    // w = tanh(s) / |u| u for s = |u| / (1 - |x|^2), then x (+) w of the gyrogroup
    const Coordinates<L> at = over(x), u = over(v);
    const Exact<L> g = gap(at);
    const Exact<L> q = inner(u, u) / (g * g);
    const Exact<L> scale = sinhc_of_square(q) / (cosh_of_square(q) * g);
    const Coordinates<L> t = times(u, scale);
    const Exact<L> xt = Exact<L>(2) * inner(at, t), tt = inner(t, t);
    const Exact<L> denominator = Exact<L>(1) + xt + inner(at, at) * tt;
    const Coordinates<L> sum = times(at, Exact<L>(Exact<L>(1) + xt + tt)) + times(t, g);
    return times(sum, Exact<L>(k / denominator));
  }
  Coordinates<L> logmap(const Coordinates<L>& x, const Coordinates<L>& y) const {
    const Coordinates<L> at = over(x), to = over(y);
    const Exact<L> q = half_sinh_square(at, to);
    // artanh(|w|) / |w| = asinh(s) / s sqrt(1 + q), because |w| = s / sqrt(1 + q), s^2 = q
    const Exact<L> factor = gap(at) * asinhc_of_square(q) * sqrt(Exact<L>(1) + q);
    return times(gyro_difference(at, to - at), Exact<L>(k * factor));
  }
};

/// The formulas of the half-space. Lengths of vectors are in units of the height, so only distances
/// depend on K.
template <int L>
struct HalfSpaceEnclosures {
  Exact<L> k;

  static Exact<L> half_sinh_square(const Coordinates<L>& x, const Coordinates<L>& y) {
    const Coordinates<L> way = y - x;
    return inner(way, way) / (Exact<L>(4) * positive(x.back()) * positive(y.back()));
  }
  Exact<L> dist(const Coordinates<L>& x, const Coordinates<L>& y) const {
    return k * distance_of(half_sinh_square(x, y));
  }
  Coordinates<L> expmap(const Coordinates<L>& x, const Coordinates<L>& v) const {
    const Coordinates<L> u = times(v, Exact<L>(Exact<L>(1) / positive(x.back())));
    const Exact<L> q = inner(u, u);
    const Exact<L> sinhc = sinhc_of_square(q);
    const Exact<L> height = x.back() / (cosh_of_square(q) - u.back() * sinhc);
    Coordinates<L> r = x + times(u, Exact<L>(height * sinhc));
    r.back() = height;
    return r;
  }
  Coordinates<L> logmap(const Coordinates<L>& x, const Coordinates<L>& y) const {
    const Exact<L> q = half_sinh_square(x, y);
    const Exact<L> factor = rsinhc_of(q) * x.back() / y.back();
    Coordinates<L> r = times(y - x, factor);
    // cosh d - h / h', and cosh d - 1 = 2 q
    r.back() = rsinhc_of(q) * x.back() * (Exact<L>(2) * q + (y.back() - x.back()) / y.back());
    return r;
  }
};

/// The formulas of the hyperboloid. A point is given by its spatial coordinates X; its time is
/// sqrt(K^2 + |X|^2).
template <int L>
struct LorentzEnclosures {
  Exact<L> k;

  static Coordinates<L> space(const Coordinates<L>& x) { return {x.begin() + 1, x.end()}; }
  Exact<L> time(const Coordinates<L>& space) const { return sqrt(k * k + inner(space, space)); }
  Coordinates<L> with_time(const Coordinates<L>& space, const Exact<L>& t) const {
    Coordinates<L> r = space;
    r.insert(r.begin(), t);
    return r;
  }
  /// <y - x, y - x> / 4 K^2: |Y - X|^2 minus the square of the difference of times. The difference
  /// of times is (Y - X).(Y + X) over the sum of times.
  Exact<L> half_sinh_square(const Coordinates<L>& x, const Coordinates<L>& y) const {
    const Coordinates<L> way = y - x;
    const Exact<L> of_time = inner(way, x + y) / (time(x) + time(y));
    return (inner(way, way) - of_time * of_time) / (Exact<L>(4) * k * k);
  }
  Exact<L> dist(const Coordinates<L>& x, const Coordinates<L>& y) const {
    return k * distance_of(half_sinh_square(space(x), space(y)));
  }
  Coordinates<L> expmap(const Coordinates<L>& x, const Coordinates<L>& v) const {
    const Coordinates<L> at = space(x), u = space(v);
    const Exact<L> of_time = inner(at, u) / time(at);
    const Exact<L> q = (inner(u, u) - of_time * of_time) / (k * k);
    const Coordinates<L> r = times(at, cosh_of_square(q)) + times(u, sinhc_of_square(q));
    return with_time(r, time(r));
  }
  Coordinates<L> logmap(const Coordinates<L>& x, const Coordinates<L>& y) const {
    const Coordinates<L> at = space(x), to = space(y);
    const Exact<L> q = half_sinh_square(at, to);
    // y - cosh(d) x, and cosh d - 1 = 2 q
    const Coordinates<L> m = to - at - times(at, Exact<L>(Exact<L>(2) * q));
    const Coordinates<L> r = times(m, rsinhc_of(q));
    return with_time(r, Exact<L>(inner(at, r) / time(at)));
  }
};

template <class M, int L>
struct EnclosuresOf;
template <class V, int L>
struct EnclosuresOf<PoincareBall<V>, L> : std::type_identity<BallEnclosures<L>> {};
template <class V, int L>
struct EnclosuresOf<HalfSpace<V>, L> : std::type_identity<HalfSpaceEnclosures<L>> {};
template <class V, int L>
struct EnclosuresOf<Lorentz<V>, L> : std::type_identity<LorentzEnclosures<L>> {};

template <class M>
inline constexpr int formula_components = components_of_formulas(components_of<typename M::Value>);
template <class M>
auto enclosures(const M& model) {
  static_assert(std::is_same_v<mct::detail::limb_t<typename M::Value>, double>,
                "certified geometry is of double, f64x2 and f64x3");
  constexpr int L = formula_components<M>;
  return typename EnclosuresOf<M, L>::type{Exact<L>(Expansion<double, L>(model.radius()))};
}

}  // namespace certified_detail

/// model.dist(x, y) with its radius, for PoincareBall, HalfSpace and Lorentz of double, f64x2 and
/// f64x3. Up to distances of some 30 (f64x3: 15), the radius is hardly larger than the error of the
/// method. Farther out, the rounding errors of the formula's own numbers make it larger.
template <class M, int n>
Certified<double, certified_detail::components_of<typename M::Value>> dist_certified(
    const M& model, const Point<typename M::Value, n>& x, const Point<typename M::Value, n>& y) {
  using namespace certified_detail;
  constexpr int N = components_of<typename M::Value>, L = formula_components<M>;
  const Expansion<double, N> value(model.dist(x, y));
  if (are_equal(x, y) && value.limb[0] == 0) return {value, 0.0};
  return around(value, enclosures(model).dist(exactly<L>(x), exactly<L>(y)));
}

/// The coordinates of model.expmap(x, v) with their radii, for the same models.
template <class M, int n>
std::vector<Certified<double, certified_detail::components_of<typename M::Value>>> expmap_certified(
    const M& model, const Point<typename M::Value, n>& x, const Point<typename M::Value, n>& v) {
  using namespace certified_detail;
  constexpr int L = formula_components<M>;
  return around(model.expmap(x, v), enclosures(model).expmap(exactly<L>(x), exactly<L>(v)));
}

/// The coordinates of model.logmap(x, y) with their radii, for the same models.
template <class M, int n>
std::vector<Certified<double, certified_detail::components_of<typename M::Value>>> logmap_certified(
    const M& model, const Point<typename M::Value, n>& x, const Point<typename M::Value, n>& y) {
  using namespace certified_detail;
  constexpr int L = formula_components<M>;
  if (are_equal(x, y)) return around(model.logmap(x, y), Coordinates<L>(std::size_t(x.size())));
  return around(model.logmap(x, y), enclosures(model).logmap(exactly<L>(x), exactly<L>(y)));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
