// Points and tangent vectors for the suite and the tests of manifolds: random ones at every
// distance from the origin that the type can hold, coincident and nearly coincident ones, tiny and
// huge vectors.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "mctensor/geometry/all.hpp"
#include "validation/core/geometry_oracle.hpp"

namespace mct::validation {

/// A Big as a V, rounded.
template <class V>
V from_big(const Big& x) {
  if constexpr (is_expansion_v<V>) {
    double limbs[4];
    x.split(limbs);
    return V(Expansion<double, 4>::from_limbs(limbs));
  } else {
    return V(double(x));
  }
}
template <class V, int n>
geometry::Point<V, n> point_from_big(const BigVector& x) {
  geometry::Point<V, n> r;
  for (int i = 0; i < n; ++i) r[i] = from_big<V>(x[std::size_t(i)]);
  return r;
}

template <class V>
using Limb = geometry::detail::limb_t<V>;
template <class V>
inline constexpr int limbs = geometry::detail::limbs_of<V>;

/// u^N as a Big and bits of a V.
template <class V>
Big unit() {
  return ldexp(Big(1), -long(limbs<V>) * FloatTraits<Limb<V>>::p);
}
template <class V>
inline constexpr int bits_of = limbs<V>* FloatTraits<Limb<V>>::p;

/// Bits that are left of sums of a boundary's digits: their products have 5 limbs at most.
template <class V>
inline constexpr int boundary_bits = limbs<V> <= 2 ? bits_of<V>
                                                   : (5 - limbs<V>)*FloatTraits<Limb<V>>::p;

/// The distance at which heights, which lessen like e^-d, are still normal numbers to their last
/// limb.
template <class V>
inline constexpr double farthest_height = std::min(0.67 * FloatTraits<Limb<V>>::emax,
                                                   0.69 * (-FloatTraits<Limb<V>>::emin -
                                                           bits_of<V> - FloatTraits<Limb<V>>::p));

/// The stereographic model of negative curvature by its radius, which follows from the curvature.
template <class V>
struct HyperbolicStereographic : geometry::Stereographic<V> {
  explicit HyperbolicStereographic(const V& radius)
      : geometry::Stereographic<V>(V(Limb<V>(-1 / (double(radius) * double(radius))))) {}
  Big radius() const { return Big(1) / sqrt(Big(0) - Big(this->curvature())); }
};

/// What the tests must know of a model: its oracle, how far from the origin its points go.
template <template <class> class M>
struct ModelInfo;
template <>
struct ModelInfo<geometry::PoincareBall> {
  static constexpr Model model = Model::ball, chart = Model::ball;
  static constexpr int extra = 0;
  template <class V>
  static double farthest() {
    return std::min(0.69 * (boundary_bits<V> - 4), 0.3 * FloatTraits<Limb<V>>::emax);
  }
};
template <>
struct ModelInfo<HyperbolicStereographic> : ModelInfo<geometry::PoincareBall> {};
template <>
struct ModelInfo<geometry::Klein> {
  static constexpr Model model = Model::klein, chart = Model::klein;
  static constexpr int extra = 0;
  template <class V>
  static double farthest() {
    return std::min(0.345 * (boundary_bits<V> - 4), 0.3 * FloatTraits<Limb<V>>::emax);
  }
};
template <>
struct ModelInfo<geometry::HalfSpace> {
  static constexpr Model model = Model::half_space, chart = Model::half_space;
  static constexpr int extra = 0;
  template <class V>
  static double farthest() {
    return farthest_height<V>;
  }
};
/// The hemisphere's oracle is the half-space around it.
template <>
struct ModelInfo<geometry::Hemisphere> {
  static constexpr Model model = Model::half_space, chart = Model::hemisphere;
  static constexpr int extra = 1;
  template <class V>
  static double farthest() {
    return farthest_height<V>;
  }
};
template <>
struct ModelInfo<geometry::Lorentz> {
  static constexpr Model model = Model::lorentz, chart = Model::lorentz;
  static constexpr int extra = 1;
  template <class V>
  static double farthest() {
    const double far = 0.3 * FloatTraits<Limb<V>>::emax;
    return limbs<V> > 1 ? std::min(0.69 * boundary_bits<V>, far) : far;
  }
};
template <>
struct ModelInfo<geometry::Euclidean> {
  static constexpr Model model = Model::euclidean, chart = Model::euclidean;
  static constexpr int extra = 0;
  template <class V>
  static double farthest() {
    return 20;
  }
};
template <>
struct ModelInfo<geometry::Sphere> {
  static constexpr Model model = Model::sphere, chart = Model::sphere;
  static constexpr int extra = 1;
  template <class V>
  static double farthest() {
    return 3;
  }
};

/// Everything that happens at one place: three points, two tangent vectors at the first, a part of
/// the way to the second.
template <class V, int n>
struct Place {
  geometry::Point<V, n> x, y, z, u, v;
  V t = V(Limb<V>(0));
};

/// The random numbers of cases, and what is made of them whatever the type of numbers.
class CaseSource {
 protected:
  explicit CaseSource(unsigned seed) : random_(seed) {}

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  BigVector direction(int size) {
    std::normal_distribution<double> normal;
    BigVector e;
    for (int i = 0; i < size; ++i) e.push_back(Big(normal(random_)));
    return e * (Big(1) / norm(e));
  }

  BigVector axis(int dimension) {
    BigVector e = BigVector(std::size_t(dimension), Big(0));
    e[std::size_t(uniform(0, dimension))] = Big(uniform(0, 1) < 0.5 ? -1 : 1);
    return e;
  }
  /// A unit vector across e, along an axis if e is.
  BigVector across(const BigVector& e) {
    BigVector a = e;
    while (dot(a, e) > Big(0.99) || dot(a, e) < Big(-0.99)) a = axis(int(e.size()));
    a = a - e * dot(a, e);
    return a * (Big(1) / norm(a));
  }
  /// Two points of a geodesic through the origin, and a vector at the first of a length (over K).
  struct BigLine {
    BigVector x, y, u;
    double length;
  };
  /// See Cases::on_a_line.
  BigLine line(int i, int dimension, const ManifoldOracle& chart, double farthest) {
    const BigVector e = i % 3 == 0 ? direction(dimension) : axis(dimension);
    const double r = i % 5 == 4 ? uniform(0, std::min(5.0, farthest)) : uniform(0, farthest);
    const double s[] = {r / 2,        r * uniform(0.9, 1.1),      2 * r, uniform(0, 2 * r),
                        farthest - r, std::min(1.0, farthest - r)};
    const int way = i / 3 % 8;  // 6, 7: sideways
    // 3072 bits hold what is left of e^s, and of the half-space's cosh s - sinh s
    const double length =
        std::min(way < 6 ? s[way] : uniform(0, way == 6 ? 1 : farthest - r), 900.0);
    const double along = way < 4 ? -length : way < 6 ? length : 0;
    const Big& k = chart.radius();
    const BigVector X = e * (k * sinh(Big(r)));
    BigVector U = e * (Big(along) * k * cosh(Big(r)));
    if (way >= 6) U = across(e) * (Big(length) * k);
    BigLine line;
    line.x = chart.from_space(X);
    line.y = chart.from_space(e * (k * sinh(Big(r + along * uniform(0, 1)))));
    line.u = chart.pull(X, U);
    line.length = length;
    return line;
  }
  /// A multiple of u of a length (over K); none of zero.
  static BigVector lengthened(const ManifoldOracle& oracle, const BigVector& x, const BigVector& u,
                              double length) {
    const Big size = oracle.norm_at(x, u);
    return size.is_zero() ? BigVector() : u * (Big(length) * oracle.radius() / size);
  }
  /// See Cases::time_beyond.
  double end_beyond(const ManifoldOracle& oracle, const BigVector& origin, const BigVector& x,
                    const BigVector& y, bool line, int i, double line_length) {
    const bool first = i / 4 % 2 == 0;
    const Big& k = oracle.radius();
    const double end(oracle.dist(origin, first ? x : y) / k);
    const double other(oracle.dist(origin, first ? y : x) / k);
    const double room = line && end < other ? 2 * end : std::max(line_length - end, 0.0);
    const double d(oracle.dist(x, y) / k);
    const double most = std::min(room / std::max(d, 1e-3), 100.0);
    const double beyond[] = {0.01, 1, uniform(0, 1), most};
    const double part = std::min(beyond[i % 4], most);
    return first ? -part : 1 + part;
  }
  /// See Cases::sideways.
  BigVector sideways_of(const ManifoldOracle& chart, const BigVector& x, int dimension) {
    const Big& k = chart.radius();
    const BigVector X = chart.to_space(x);
    const BigVector e = direction(dimension);
    const BigVector across = e - X * (dot(e, X) / dot(X, X));
    const Big s(uniform(0, 1));
    return chart.from_space(X * cosh(s) + across * (k * sinh(s) / norm(across)));
  }

 private:
  std::mt19937_64 random_;
};

template <template <class> class M, class V, int dimension = 3>
class Cases : CaseSource {
 public:
  static constexpr int n = dimension + ModelInfo<M>::extra;
  using P = geometry::Point<V, n>;
  using Info = ModelInfo<M>;

  explicit Cases(double radius, unsigned seed = 1) : CaseSource(seed), manifold(V(radius)) {}

  /// Place number i, with everything.
  Place<V, n> make(int i) {
    Place<V, n> p = points(i);
    p.z = point(uniform(0, reach(i)));
    p.u = vector(p.x, i);
    p.v = vector(p.x, i + 1);
    return p;
  }
  /// Its x and y alone: points near the origin and far from it, equal, near, (on the sphere)
  /// opposite ones and (on the hyperboloid) some across the radius from each other.
  Place<V, n> points(int i) {
    Place<V, n> p;
    const bool central = i % 7 == 3;
    p.x = point(central ? tiny_length() : uniform(0, reach(i)));
    p.y = i % 5 == 1   ? p.x
          : i % 5 == 2 ? near(p.x)
                       : point(central ? tiny_length() : uniform(0, reach(i)));
    if (Info::chart == Model::sphere && i % 5 == 3) p.y = i % 2 == 0 ? -p.x : near(-p.x);
    if (Info::chart == Model::lorentz && i % 5 == 3 && !central) p.y = sideways(p.x);
    return p;
  }
  /// On one geodesic through the origin, along an axis or in any direction: x, the vector u at x,
  /// and y near the end of u. Every third is on no axis; u leads inward a part of the way, to the
  /// origin or next to it, through it as far out on the other side or anywhere; outward; or
  /// sideways, along another axis. Number i and radius(i) have the ends of distances and of radii
  /// together. No farther out than `most`.
  Place<V, n> on_a_line(int i, double most = HUGE_VAL) {
    // on axes nothing is lost to digits of x_0, which limit Info::farthest for several components
    const bool far = Info::chart == Model::lorentz && i % 3 != 0;
    const double farthest = std::min(far ? 0.3 * FloatTraits<Limb<V>>::emax : line_length(), most);
    const BigLine line = this->line(i, dimension, oracle(Info::chart), farthest);
    Place<V, n> p;
    p.x = point_from_big<V, n>(line.x);
    p.y = point_from_big<V, n>(line.y);
    p.u = of_length(p.x, point_from_big<V, n>(line.u), line.length);
    return p;
  }
  /// Before the first end of the geodesic of a place or behind the second, up to 100 times as far
  /// as they are from each other; no farther out than points may be, of a place on a line as far on
  /// the other side of the origin, too.
  V time_beyond(const Place<V, n>& p, bool line, int i) {
    return V(Limb<V>(end_beyond(oracle(Info::model), big_vector(manifold.origin(n)),
                                big_vector(p.x), big_vector(p.y), line, i, line_length())));
  }

  /// A tangent vector of place number i.
  P vector(const P& x, int i) { return tangent(x, vector_length(i)); }

  /// A point at a distance from the origin (over K) in a random direction.
  P point(double distance) {
    const BigVector e = direction(dimension);
    const Big k = Big(manifold.radius());
    if constexpr (Info::chart == Model::euclidean) {
      return point_from_big<V, n>(e * Big(distance));
    } else if constexpr (Info::chart == Model::sphere) {
      BigVector x = e * (k * sin(Big(distance)));
      x.push_back(k * cos(Big(distance)));
      return manifold.projx(point_from_big<V, n>(x));
    } else {
      const ManifoldOracle chart(Info::chart, k);
      return point_from_big<V, n>(chart.from_space(e * (k * sinh(Big(distance)))));
    }
  }

  /// A tangent vector of a Riemannian length (over K).
  P tangent(const P& x, double length) {
    BigVector e = direction(n);
    return of_length(x, manifold.proju(x, point_from_big<V, n>(e)), length);
  }

  /// Where on a geodesic: at its ends, next to them, between.
  V time(int i) {
    const double times[] = {0, 1, 0.5, 1e-6, 1 - 0x1p-7, 0.25, 0.9};
    return V(Limb<V>(i % 8 == 7 ? uniform(0, 1) : times[i % 8]));
  }
  /// The radius of case i: from 1 to 2, of doubles at times the least and the largest there may be.
  static double radius(int i, double mantissa) {
    if (!std::is_same_v<Limb<V>, double>) return mantissa;
    if (std::is_same_v<M<V>, HyperbolicStereographic<V>>)
      return i % 11 == 9 ? 1e-10 * mantissa : i % 11 == 10 ? 1e10 * mantissa / 2 : mantissa;
    return i % 11 == 9 ? 1e-45 * mantissa : i % 11 == 10 ? 5e44 * mantissa : mantissa;
  }

  using CaseSource::uniform;

  M<V> manifold;

 private:
  ManifoldOracle oracle(Model model) const { return ManifoldOracle(model, Big(manifold.radius())); }
  /// A multiple of u, rounded, of a Riemannian length (over K).
  P of_length(const P& x, P u, double length) const {
    const BigVector longer = lengthened(oracle(Info::model), big_vector(x), big_vector(u), length);
    if (longer.empty()) return u;
    u = point_from_big<V, n>(longer);
    if constexpr (Info::extra == 1) u = tangent_again(x, u);
    return u;
  }
  /// Rounding moved it off the tangent space.
  P tangent_again(const P& x, const P& u) const {
    if constexpr (Info::chart == Model::lorentz) {
      const auto f = manifold.formulas();
      using geometry::detail::space_of;
      return geometry::detail::from_work<V>(f.lifted_vector(
          space_of(geometry::detail::to_work(x)), space_of(geometry::detail::to_work(u))));
    } else {
      return manifold.proju(x, u);
    }
  }

  /// How far from the origin, over K, points may be: the hemisphere's heights, and its coordinates
  /// in other models, have the unit K and the whole range.
  double line_length() const {
    const double farthest = Info::template farthest<V>();
    if (Info::chart != Model::hemisphere) return farthest;
    return farthest - std::fabs(std::log(double(Big(manifold.radius()))));
  }

  /// A few units in the last place, or a little more, away; but no less than what has all its
  /// digits over the radius and times it.
  P near(const P& x) {
    P y = x;
    const double k(Big(manifold.radius()));
    double size = HUGE_VAL;
    for (int i = 0; i < n; ++i)
      if (double(x[i]) != 0) size = std::min(size, std::fabs(double(x[i])));
    const double least = std::max(k, 1 / k) * tiny * 0x1p10 / size;
    const double last = std::exp2(-uniform(0.5 * bits_of<V>, bits_of<V> - 2));
    if (!(least <= 0.25)) return x;
    const double step = std::max(last, least);
    for (int i = 0; i < n; ++i) y[i] = y[i] + y[i] * V(Limb<V>(uniform(-step, step)));
    if (Info::extra == 1) y = manifold.projx(y);
    return manifold.check_point(y, 64) ? y : x;
  }

  /// A point on the geodesic through x across the direction of the origin, where Y - X is nearly
  /// along X but the logarithm is not.
  P sideways(const P& x) {
    return point_from_big<V, n>(sideways_of(oracle(Info::chart), big_vector(x), dimension));
  }

  double reach(int i) const {
    const double farthest = line_length();
    return i % 3 == 0 ? 1 : i % 3 == 1 ? farthest / 4 : farthest;
  }
  /// From next to the smallest number of which all digits are there (double: 1e-300) to 1.
  double tiny_length() { return std::exp(uniform(std::log(least_length()), 0)); }
  /// Over K: small radii make coordinates smaller, and on the hemisphere, whose heights are as
  /// large as the radius, large ones make quotients by them smaller.
  double least_length() const {
    const double k(Big(manifold.radius()));
    const double quotient = Info::chart == Model::hemisphere ? std::max(1.0, k) : 1;
    return std::min(1.0, tiny * quotient / std::min(1.0, k));
  }
  static constexpr double tiny = pow2<double>(
      std::max(FloatTraits<Limb<V>>::emin + FloatTraits<Limb<V>>::p * limbs<V> + 24, -1000));

  double vector_length(int i) {
    using L = Limb<V>;
    const double huge = Info::chart == Model::euclidean ? 100
                        : Info::chart == Model::sphere  ? 3
                                                        : 0.68 * FloatTraits<L>::emax;
    switch (i % 6) {
      case 0:
        return uniform(0, 1);
      case 1:
        return uniform(0, std::min(10.0, huge));
      case 2:
        return least_length() * uniform(1, 100);
      case 3:
        return tiny_length();
      case 4:
        return Info::chart == Model::lorentz ? uniform(0, huge / 3) : huge;
      default:
        return uniform(0, 0.1);
    }
  }
};

}  // namespace mct::validation
