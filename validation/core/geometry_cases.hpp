// Points and tangent vectors for the suite and the tests of manifolds: random ones at every
// distance from the origin that the type can hold, coincident and nearly coincident ones, tiny and
// huge vectors. They are made in 3072 bits and rounded to the number type, whichever it is.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <type_traits>
#include <vector>

#include "mctensor/expansion/error_bounds.hpp"
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
template <class V, int n = geometry::dynamic>
geometry::Point<V, n> point_from_big(const BigVector& x) {
  auto r = geometry::Point<V, n>::of_size(int(x.size()));
  for (int i = 0; i < r.size(); ++i) r[i] = from_big<V>(x[std::size_t(i)]);
  return r;
}

template <class V>
using Limb = geometry::detail::limb_t<V>;
template <class V>
inline constexpr int limbs = geometry::detail::limbs_of<V>;
template <class V>
inline constexpr int bits_of = limbs<V>* FloatTraits<Limb<V>>::p;

/// The facts about a number type V that cases and checks need.
struct PointType {
  int limbs, precision, emin, emax;
  bool is_double;                ///< its components are doubles, and nothing is rounded again
  double max, eta;               ///< the largest and the smallest component
  double add;                    ///< the bound of a sum
  int spare_bits;                ///< that the longest sums have more than V
  double (*bound)(int n);        ///< manifold_bound
  Big (*rounded)(const Big& x);  ///< to a V

  /// u^N
  Big unit() const { return ldexp(Big(1), -long(bits())); }
  int bits() const { return limbs * precision; }
  /// Beyond it a result may be infinite.
  Big largest() const { return Big(max / 1e6); }
  BigVector rounded_point(BigVector x) const {
    for (Big& c : x) c = rounded(c);
    return x;
  }
};
template <class V>
inline constexpr PointType point_type = {
    limbs<V>,
    FloatTraits<Limb<V>>::p,
    FloatTraits<Limb<V>>::emin,
    FloatTraits<Limb<V>>::emax,
    std::is_same_v<Limb<V>, double>,
    double(FloatTraits<Limb<V>>::max),
    double(FloatTraits<Limb<V>>::eta),
    error_bounds<limbs<V>>.add,
    bits_of<geometry::detail::long_t<geometry::work_t<V>>> - bits_of<V>,
    &geometry::manifold_bound<V>,
    [](const Big& x) { return Big(from_big<V>(x)); }};
template <class V>
Big unit() {
  return point_type<V>.unit();
}

/// How far from the origin, over K, the points of a chart go.
inline double farthest(Model chart, const PointType& type) {
  // bits that are left of sums of a boundary's digits: their products have 5 limbs at most
  const int boundary_bits = type.limbs <= 2 ? type.bits() : (5 - type.limbs) * type.precision;
  const double far = 0.3 * type.emax;
  switch (chart) {
    case Model::ball:
      return std::min(0.69 * (boundary_bits - 4), far);
    case Model::klein:
      return std::min(0.345 * (boundary_bits - 4), far);
    case Model::lorentz:
      return type.limbs > 1 ? std::min(0.69 * boundary_bits, far) : far;
    case Model::euclidean:
      return 20;
    case Model::sphere:
      return 3;
    default:  // heights, which lessen like e^-d, are still normal numbers to their last limb
      return std::min(0.67 * type.emax, 0.69 * (-type.emin - type.bits() - type.precision));
  }
}

/// A model, and points of a type in it.
struct GeometrySpace {
  Model model, chart;  ///< of the oracle, of coordinates
  bool is_stereographic;
  int dimension, n;  ///< n: coordinates
  PointType type;

  bool is_flat() const { return chart == Model::euclidean || chart == Model::sphere; }
  bool has_surface() const { return n > dimension; }
};
/// (The hemisphere's oracle is the half-space around it, the stereographic model's curvature is
/// negative.)
constexpr GeometrySpace geometry_space(Model model, const PointType& type, int dimension = 3) {
  using enum geometry::Model;
  const Model chart = model == stereographic ? ball : model;
  const bool is_surface = chart == hemisphere || chart == lorentz || chart == sphere;
  return {chart == hemisphere ? half_space : chart,
          chart,
          model == stereographic,
          dimension,
          dimension + is_surface,
          type};
}

/// Everything that happens at one place: three points, two tangent vectors at the first, a part of
/// the way to the second.
struct BigPlace {
  BigVector x, y, z, u, v;
  Big t;
};

class GeometryCases {
 public:
  GeometryCases(const GeometrySpace& space, double k, unsigned seed)
      : space_(space),
        type_(space.type),
        random_(seed),
        number_(type_.rounded(Big(space.is_stereographic ? -1 / (k * k) : k))),
        chart_(space.chart,
               space.is_stereographic ? Big(1) / sqrt(Big(0) - number_) : Big(number_)),
        oracle_(space.model, chart_.radius()) {}

  /// The argument that tells the library the manifold: the radius, or the stereographic model's
  /// curvature.
  const Big& number() const { return number_; }
  const Big& radius() const { return chart_.radius(); }

  /// Place number i, with everything.
  BigPlace make(int i) {
    BigPlace p = points(i);
    p.z = point(uniform(0, reach(i)));
    p.u = vector(p.x, i);
    p.v = vector(p.x, i + 1);
    return p;
  }
  /// Its x and y alone: points near the origin and far from it, equal, near, (on the sphere)
  /// opposite ones and (on the hyperboloid) some across the radius from each other.
  BigPlace points(int i) {
    BigPlace p;
    const bool central = i % 7 == 3;
    p.x = point(central ? tiny_length() : uniform(0, reach(i)));
    p.y = i % 5 == 1   ? p.x
          : i % 5 == 2 ? near(p.x)
                       : point(central ? tiny_length() : uniform(0, reach(i)));
    if (space_.chart == Model::sphere && i % 5 == 3)
      p.y = i % 2 == 0 ? p.x * Big(-1) : near(p.x * Big(-1));
    if (space_.chart == Model::lorentz && i % 5 == 3 && !central) p.y = sideways(p.x);
    return p;
  }
  /// On one geodesic through the origin, along an axis or in any direction: x, the vector u at x,
  /// and y near the end of u. Every third is on no axis; u leads inward a part of the way, to the
  /// origin or next to it, through it as far out on the other side or anywhere; outward; or
  /// sideways, along another axis. Number i and radius(i) have the ends of distances and of radii
  /// together. No farther out than `most`.
  BigPlace on_a_line(int i, double most = HUGE_VAL) {
    // on axes nothing is lost to digits of x_0, which limit `farthest` for several components
    const bool far = space_.chart == Model::lorentz && i % 3 != 0;
    const double farthest = std::min(far ? 0.3 * type_.emax : line_length(), most);
    const BigVector e = i % 3 == 0 ? direction(space_.dimension) : axis(space_.dimension);
    const double r = i % 5 == 4 ? uniform(0, std::min(5.0, farthest)) : uniform(0, farthest);
    const double s[] = {r / 2,        r * uniform(0.9, 1.1),      2 * r, uniform(0, 2 * r),
                        farthest - r, std::min(1.0, farthest - r)};
    const int way = i / 3 % 8;  // 6, 7: sideways
    // 3072 bits hold the rest of e^s, and of the half-space's cosh s - sinh s
    const double length =
        std::min(way < 6 ? s[way] : uniform(0, way == 6 ? 1 : farthest - r), 900.0);
    const double along = way < 4 ? -length : way < 6 ? length : 0;
    const Big& k = radius();
    const BigVector X = e * (k * sinh(Big(r)));
    const BigVector U =
        way >= 6 ? across(e) * (Big(length) * k) : e * (Big(along) * k * cosh(Big(r)));
    BigPlace p;
    p.x = type_.rounded_point(chart_.from_space(X));
    p.y = type_.rounded_point(chart_.from_space(e * (k * sinh(Big(r + along * uniform(0, 1))))));
    p.u = of_length(p.x, type_.rounded_point(chart_.pull(X, U)), length);
    return p;
  }
  /// Before the first end of the geodesic of a place or after the second, up to 100 times as far
  /// as they are from each other; no farther out than points may be, of a place on a line as far on
  /// the other side of the origin, too.
  Big time_beyond(const BigPlace& p, bool line, int i) {
    const BigVector origin = chart_.from_space(BigVector(std::size_t(space_.dimension), Big(0)));
    const bool first = i / 4 % 2 == 0;
    const double end(oracle_.dist(origin, first ? p.x : p.y) / radius());
    const double other(oracle_.dist(origin, first ? p.y : p.x) / radius());
    // where the hemisphere's points are as far as e^-2d from its radius, that must have its digits
    const bool through =
        line && end < other && (space_.chart != Model::hemisphere || 2 * end < line_length());
    const double room = through ? 2 * end : std::max(line_length() - end, 0.0);
    const double d(oracle_.dist(p.x, p.y) / radius());
    const double most = std::min(room / std::max(d, 1e-3), 100.0);
    const double beyond[] = {0.01, 1, uniform(0, 1), most};
    const double part = std::min(beyond[i % 4], most);
    return type_.rounded(Big(first ? -part : 1 + part));
  }

  /// A tangent vector of place number i.
  BigVector vector(const BigVector& x, int i) { return tangent(x, vector_length(i)); }

  /// A point at a distance from the origin (over K) in a random direction.
  BigVector point(double distance) {
    const BigVector e = direction(space_.dimension);
    const Big& k = radius();
    if (space_.chart == Model::euclidean) return type_.rounded_point(e * Big(distance));
    if (space_.chart != Model::sphere)
      return type_.rounded_point(chart_.from_space(e * (k * sinh(Big(distance)))));
    BigVector x = e * (k * sin(Big(distance)));
    x.push_back(k * cos(Big(distance)));
    return projected(x);
  }
  /// A tangent vector of a Riemannian length (over K).
  BigVector tangent(const BigVector& x, double length) {
    return of_length(x, tangent_of(x, direction(space_.n)), length);
  }
  /// Where on a geodesic: at its ends, next to them, between.
  Big time(int i) {
    const double times[] = {0, 1, 0.5, 1e-6, 1 - 0x1p-7, 0.25, 0.9};
    return type_.rounded(Big(i % 8 == 7 ? uniform(0, 1) : times[i % 8]));
  }
  /// The radius of case i: from 1 to 2, of doubles at times the least and the largest there may be.
  static double radius(const GeometrySpace& space, int i, double mantissa) {
    if (!space.type.is_double || i % 11 < 9) return mantissa;
    const bool least = i % 11 == 9;
    if (space.is_stereographic) return least ? 1e-10 * mantissa : 1e10 * mantissa / 2;
    return least ? 1e-45 * mantissa : 5e44 * mantissa;
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
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

  /// The point of a surface next to x, rounded.
  BigVector projected(BigVector x) const {
    if (space_.chart == Model::lorentz)
      x = chart_.from_space(chart_.to_space(x));
    else if (space_.has_surface())
      x = x * (radius() / norm(x));
    return type_.rounded_point(std::move(x));
  }
  /// The tangent part of u, rounded.
  BigVector tangent_of(const BigVector& x, const BigVector& u) const {
    if (space_.chart == Model::lorentz) return type_.rounded_point(chart_.proju(x, u));
    if (!space_.has_surface()) return type_.rounded_point(u);
    return type_.rounded_point(u - x * (dot(x, u) / dot(x, x)));
  }
  /// A multiple of u, rounded, of a Riemannian length; u where that is zero.
  BigVector of_length(const BigVector& x, const BigVector& u, double length) const {
    const Big size = oracle_.norm_at(x, u);
    if (size.is_zero()) return u;
    const BigVector longer = type_.rounded_point(u * (Big(length) * radius() / size));
    // rounding moved it off the tangent space
    if (space_.chart != Model::lorentz) return tangent_of(x, longer);
    const BigVector X = chart_.to_space(x);
    BigVector U = chart_.push(x, longer);
    U.insert(U.begin(), type_.rounded(dot(X, U) / chart_.time_of(X)));
    return U;
  }

  /// How far from the origin, over K, points may be: the hemisphere's heights, and its coordinates
  /// in other models, have the unit K and the whole range.
  double line_length() const {
    const double all = farthest(space_.chart, type_);
    return space_.chart != Model::hemisphere ? all : all - std::fabs(std::log(double(radius())));
  }
  /// A few units in the last place, or a little more, away; but no less than what has all its
  /// digits over the radius and times it.
  BigVector near(const BigVector& x) {
    const double k(radius());
    double size = HUGE_VAL;
    for (const Big& c : x)
      if (double(c) != 0) size = std::min(size, std::fabs(double(c)));
    const double least = std::max(k, 1 / k) * tiny() * 0x1p10 / size;
    const double last = std::exp2(-uniform(0.5 * type_.bits(), type_.bits() - 2));
    if (!(least <= 0.25)) return x;
    const double step = std::max(last, least);
    BigVector y = x;
    for (Big& c : y) c = c + c * Big(uniform(-step, step));
    y = projected(y);
    const bool round = space_.chart == Model::ball || space_.chart == Model::klein;
    return !round || norm(y) < radius() ? y : x;
  }
  /// A point on the geodesic through x across the direction of the origin, where Y - X is nearly
  /// along X but the logarithm is not.
  BigVector sideways(const BigVector& x) {
    const BigVector X = chart_.to_space(x);
    const BigVector e = direction(space_.dimension);
    const BigVector across = e - X * (dot(e, X) / dot(X, X));
    const Big s(uniform(0, 1));
    return type_.rounded_point(
        chart_.from_space(X * cosh(s) + across * (radius() * sinh(s) / norm(across))));
  }

  double reach(int i) const {
    const double far = line_length();
    return i % 3 == 0 ? 1 : i % 3 == 1 ? far / 4 : far;
  }
  /// From next to the smallest number of which all digits are there (double: 1e-300) to 1.
  double tiny_length() { return std::exp(uniform(std::log(least_length()), 0)); }
  /// Over K: small radii make coordinates smaller, and on the hemisphere, whose heights are as
  /// large as the radius, large ones make quotients by them smaller.
  double least_length() const {
    const double k(radius());
    const double quotient = space_.chart == Model::hemisphere ? std::max(1.0, k) : 1;
    return std::min(1.0, tiny() * quotient / std::min(1.0, k));
  }
  double tiny() const { return std::exp2(std::max(type_.emin + type_.bits() + 24, -1000)); }

  double vector_length(int i) {
    const double huge = space_.chart == Model::euclidean ? 100
                        : space_.chart == Model::sphere  ? 3
                                                         : 0.68 * type_.emax;
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
        return space_.chart == Model::lorentz ? uniform(0, huge / 3) : huge;
      default:
        return uniform(0, 0.1);
    }
  }

  GeometrySpace space_;
  PointType type_;
  std::mt19937_64 random_;
  Big number_;
  ManifoldOracle chart_, oracle_;
};

}  // namespace mct::validation
