// Converts hyperbolic points between all models and storages, at any distance from the origin.
// Tilings and half-spaces with several components are storages, too.
//
//   const LTiling<double> plane;                                   // all of one radius
//   const XmcHalfSpace<double, 20> half;
//   const auto y = convert(plane, half, plane.from_polar(600, {0.6, 0.8}));
//   const auto b = convert(half, PoincareBall<double>(1), y);      // a Point<double, 2>
//
// Origins correspond to each other. The last axis of the half-space, which leads upward,
// corresponds to the last axis of the ball.
//
// Error of to_ball_point: as convert. Domain: every point of the storages. Source: the polar form
// (distance and direction) of docs/geometry_use.md.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/storage/coordinates.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"
#include "mctensor/geometry/storage/stored_point.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace stored_detail {

/// The components of a number, which is plain, an Expansion or a LongSum.
template <class C>
std::vector<double> components_of(const C& c) {
  if constexpr (requires { c.limb; }) {
    std::vector<double> r;
    for (const auto& limb : c.limb) r.push_back(double(limb));
    return r;
  } else {
    return {double(c)};
  }
}
template <class C>
void set_components(C& c, const std::vector<double>& components) {
  if constexpr (requires { c.limb; }) {
    using T = std::remove_cvref_t<decltype(c.limb[0])>;
    for (std::size_t k = 0; k < components.size(); ++k) c.limb[k] = T(components[k]);
  } else {
    c = C(components[0]);
  }
}

/// add_coordinates appends n coordinates of x to a stored point; set_coordinates copies them to x.
template <class X>
void add_coordinates(StoredPoint& to, const X& x, int n) {
  for (int i = 0; i < n; ++i)
    with_coordinate(x, i, [&](const auto& c) { to.coordinates.push_back(components_of(c)); });
}
template <class X>
void set_coordinates(X& x, const StoredPoint& from) {
  for (std::size_t i = 0; i < from.coordinates.size(); ++i)
    with_coordinate(x, int(i), [&](auto& c) { set_components(c, from.coordinates[i]); });
}

/// The bits of a component of V.
template <class V>
inline constexpr int component_bits = FloatTraits<detail::limb_t<V>>::p;

/// How the points of a space are stored. Members:
/// - `dimension`; `dynamic` if it is known at run time only;
/// - `bits` of a component;
/// - `to_stored(space, x, n)` for n dimensions;
/// - `from_stored(space, like, stored)`; an invalid point if a coordinate has left its range;
/// - `distance`: roughly the distance of x from the origin at radius 1.
template <class Space, class Point>
struct StorageOf;

template <class V>
struct StorageOf<LTiling<V>, LTilingPoint<V>> {
  using Value = V;
  static constexpr int dimension = 2, bits = component_bits<V>;
  static StoredPoint to_stored(const LTiling<V>&, const LTilingPoint<V>& x, int) {
    StoredPoint r{PointStorage::l_tiling};
    add_coordinates(r, x, 2);
    r.tile = x.tile;
    return r;
  }
  static LTilingPoint<V> from_stored(const LTiling<V>&, LTilingPoint<V> x, const StoredPoint& p) {
    x.tile = p.tile;
    set_coordinates(x, p);
    reduce(x);
    return x;
  }
  static double distance(const LTiling<V>&, const LTilingPoint<V>& x) {
    return double(tiling_detail::lead(LTiling<V>().dist0(x)));
  }
};

template <class V, std::size_t n>
struct StorageOf<HTiling<V, n>, HTilingPoint<V, n>> {
  using Value = V;
  static constexpr int dimension = int(n), bits = component_bits<V>;
  static StoredPoint to_stored(const HTiling<V, n>&, const HTilingPoint<V, n>& x, int) {
    StoredPoint r{PointStorage::h_tiling};
    add_coordinates(r, x, dimension);
    r.level = x.j;
    r.cube.assign(x.k.begin(), x.k.end());
    return r;
  }
  static HTilingPoint<V, n> from_stored(const HTiling<V, n>&, HTilingPoint<V, n> x,
                                        const StoredPoint& p) {
    x.j = p.level;
    std::copy(p.cube.begin(), p.cube.end(), x.k.begin());
    set_coordinates(x, p);
    reduce(x);
    return x;
  }
  static double distance(const HTiling<V, n>&, const HTilingPoint<V, n>& x) {
    return double(tiling_detail::lead(HTiling<V, n>().dist0(x)));
  }
};

template <class T, int M, class Height, int n>
struct StorageOf<HalfSpaceRepresentation<T, M, Height>,
                 HalfSpacePoint<Horizontal<T, M>, typename Height::Value, n>> {
  using Space = HalfSpaceRepresentation<T, M, Height>;
  using Point = typename Space::template Point<n>;
  using Value = T;
  static constexpr int dimension = n, bits = component_bits<T>;
  static StoredPoint to_stored(const Space&, const Point& x, int) {
    StoredPoint r{std::is_same_v<Height, LogHeight<T>> ? PointStorage::log_half_space
                                                       : PointStorage::half_space};
    add_coordinates(r, x, n);
    return r;
  }
  static Point from_stored(const Space&, Point x, const StoredPoint& p) {
    set_coordinates(x, p);
    return x;
  }
  /// cosh d is a sum of h, 1 / h and |x|^2 / h, halved.
  static double distance(const Space&, const Point& x) {
    const double head(x.height);
    const double log_h = std::is_same_v<Height, LogHeight<T>> ? head : std::log(head);
    double largest = std::numeric_limits<double>::min();
    for (const auto& c : x.x)
      largest = std::max(largest, std::fabs(double(halfspace_detail::leading(c))));
    return std::max({std::fabs(log_h), 2 * std::log(largest) + std::log(double(n)) - log_h, 0.0}) +
           2;
  }
};

/// A point of a model is stored by its coordinates on the hyperboloid, a point of the half-space by
/// its own coordinates.
template <FormulaManifold M, class V, int coordinates>
struct StorageOf<M, Point<V, coordinates>> {
  using Value = V;
  using W = work_t<V>;
  using P = Point<V, coordinates>;
  static constexpr int more = decltype(std::declval<const M&>().formulas())::least_coordinates - 1;
  static constexpr int dimension = coordinates == dynamic ? dynamic : coordinates - more;
  static constexpr bool is_half_space = std::is_same_v<M, HalfSpace<V>>;
  static constexpr int bits = component_bits<std::conditional_t<is_half_space, V, W>>;

  template <int n>
  static StoredPoint to_stored(const M& m, const Point<V, n>& x, int dimensions) {
    StoredPoint r{is_half_space ? PointStorage::half_space : PointStorage::lorentz};
    m.require(x);
    if (x.size() != dimensions + more)
      throw ShapeError("stored points: a point has " + std::to_string(x.size()) +
                       " coordinates, expected " + std::to_string(dimensions + more));
    if constexpr (is_half_space) {
      add_coordinates(r, x, x.size());
    } else {
      const auto f = m.formulas();
      add_coordinates(r, detail::to_space(f, detail::to_work(x)) / f.radius, dimensions);
    }
    return r;
  }
  static P from_stored(const M& m, const P&, const StoredPoint& p) {
    const auto n = int(p.coordinates.size());
    if constexpr (is_half_space) {
      P x = P::of_size(n);
      set_coordinates(x, p);
      return x;
    } else {
      const auto f = m.formulas();
      auto X = Point<W, dimension>::of_size(n);
      set_coordinates(X, p);
      return detail::rounded_point<V>(f, detail::from_space(f, X * f.radius));
    }
  }
  static double distance(const M& m, const P& x) {
    return double(detail::lead(m.dist0(x))) / double(detail::lead(m.radius()));
  }
};

/// A point of the ball with its gap. It keeps all digits at any distance from the origin.
template <class V, int n>
requires(n != dynamic) struct StorageOf<PoincareBall<V>, BallPoint<V, n>> {
  using Value = V;
  static constexpr int dimension = n;
  static StoredPoint to_stored(const PoincareBall<V>& ball, const BallPoint<V, n>& x, int) {
    const Lorentz<V> lorentz(ball.radius());
    return StorageOf<Lorentz<V>, Point<V, n + 1>>::to_stored(lorentz, convert<Lorentz>(ball, x), n);
  }
  static double distance(const PoincareBall<V>& ball, const BallPoint<V, n>& x) {
    return double(detail::lead(dist0(ball, x))) / double(detail::lead(ball.radius()));
  }
};

/// Throws DomainError for spaces of different radii, even if their number types differ.
template <class From, class To>
void require_same_radius(const From& from, const To& to) {
  const auto digits = [](const auto& space) {
    auto components = components_of(space.radius());
    while (components.back() == 0) components.pop_back();
    return components;
  };
  const auto a = digits(from), b = digits(to);
  if (a != b)
    throw DomainError("convert: the spaces have different radii, " + number_text(a[0], 17) +
                      " and " + number_text(b[0], 17));
}
template <class Space, class X>
bool is_point(const Space& space, const X& x) {
  if constexpr (requires { space.check_point(x); }) return space.check_point(x);
  return true;  // of a tiling
}

/// A point of a space with n dimensions. Only its storage and numbers of components are used.
template <class V>
LTilingPoint<V> some_point(const LTiling<V>& space, std::integral_constant<int, 2>) {
  return space.origin();
}
template <class V, std::size_t m, int n>
requires(m == std::size_t(n)) HTilingPoint<V, m> some_point(const HTiling<V, m>& space,
                                                            std::integral_constant<int, n>) {
  return space.origin();
}
template <class T, int M, class Height, int n>
auto some_point(const HalfSpaceRepresentation<T, M, Height>& space,
                std::integral_constant<int, n>) {
  return space.template origin<n>();
}
template <FormulaManifold M, int n>
auto some_point(const M& m, std::integral_constant<int, n>) {
  using F = decltype(m.formulas());
  return m.template origin<n + F::least_coordinates - 1>();
}

}  // namespace stored_detail

/// Moves x along its geodesic through the origin. The distance of the result from the origin, at
/// radius 1, is `numerator` / `denominator` times the distance of x. The result has the storage of
/// x. Its coordinates are right to half a unit of their last component (for a tiling 4 u^N of the
/// place). Coordinates that leave the range are infinite or zero. Throws DomainError as store_at.
template <class Space, class X>
X scaled_from_origin(const Space& space, const X& x, double numerator, double denominator) {
  using S = stored_detail::StorageOf<Space, X>;
  static_assert(S::dimension != dynamic, "the compiler must know the dimension: use Point<V, n>");
  auto from = S::to_stored(space, x, S::dimension);
  from.bits = S::bits;
  StoredPoint to = from;
  store_at(to, from, S::distance(space, x), numerator, denominator);
  return S::from_stored(space, x, to);
}

/// The point x of a model or storage `from` as a point of `to`, which must have the same radius and
/// dimension. Error: for storages and the half-space, the coordinates of x are taken as exact. For
/// other models, they are taken as known to a few u^N of their place on the hyperboloid.
/// Coordinates of the result are right to half a unit of their last component (tilings: 4 u^N of
/// the place; models other than the half-space: as convert<To>). Time for double: 50 microseconds
/// to distance 100, milliseconds at 600. Throws DomainError for another radius, for an invalid
/// point, for distances above about 5600, and if coordinates leave their range (Lorentz beyond
/// 700). Points of a ball end just inside it.
template <class From, class To, class X>
requires requires { typename stored_detail::StorageOf<From, X>::Value; }
auto convert(const From& from, const To& to, const X& x) {
  using S = stored_detail::StorageOf<From, X>;
  static_assert(S::dimension != dynamic, "the compiler must know the dimension: use Point<V, n>");
  constexpr std::integral_constant<int, S::dimension> n;
  auto like = stored_detail::some_point(to, n);
  using Target = stored_detail::StorageOf<To, decltype(like)>;
  stored_detail::require_same_radius(from, to);
  const auto stored = S::to_stored(from, x, n);
  const double distance = S::distance(from, x);
  if (!std::isfinite(distance))
    throw DomainError("convert: the point is outside its space, or is not finite");
  auto result = Target::to_stored(to, like, n);
  result.bits = Target::bits;
  double numerator = 1, denominator = 1;
  if constexpr (FormulaManifold<To>) {
    // a ball stores all points beyond distance 300 alike, so the numbers need not grow further
    constexpr bool is_ball =
        !Target::is_half_space && decltype(to.formulas())::least_coordinates == 1;
    if (is_ball && distance > 300) {
      numerator = 300;
      denominator = distance;
    }
  }
  store_at(result, stored, distance, numerator, denominator);
  auto y = Target::from_stored(to, like, result);
  if (!stored_detail::is_point(to, y))
    throw DomainError("convert: a point at distance " + number_text(distance) +
                      " (at radius 1) has coordinates out of range");
  return y;
}

/// A point of a tiling or of a half-space with several components as a BallPoint. The BallPoint has
/// as many components as the numbers of a tiling, or one for a half-space. Domain: to distance 350
/// in double; beyond 700 DomainError.
template <class From, class X>
requires(!FormulaManifold<From> && requires {
  typename stored_detail::StorageOf<From, X>::Value;
}) auto to_ball_point(const From& from, const X& x) {
  using V = typename stored_detail::StorageOf<From, X>::Value;
  using detail::number;
  constexpr int n = stored_detail::StorageOf<From, X>::dimension;
  using W = work_t<V>;
  const V radius(from.radius());
  const W k = detail::to_work(radius);
  const auto z = detail::to_work(convert(from, Lorentz<V>(radius), x));
  const auto space = detail::space_of(z) / k;
  static_assert(decltype(space)::dimension == n);
  return detail::narrowed<V>(
      detail::ball_point_from(k, space, detail::hypotenuse(number<W>(1), detail::norm_of(space))));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
