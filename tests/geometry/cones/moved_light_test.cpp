// A light at another place: what it sees, and gradients through it, against textbook formulas in
// 3072 bits.
#include "mctensor/geometry/cones/moved_light.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>

#include "mctensor/geometry/cones/pair_gradient.hpp"
#include "tests/geometry/cones/cone_cases.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using testing::message_of;

/// x / (k |x|^2) for k = 1 / K^2.
BigVector inverted(const BigVector& x, const Big& radius) {
  return x * (radius * radius / dot(x, x));
}
/// Definition A.1.1 of Yu 2024 in the ball, with the k that is missing there; in the half-space the
/// inversion at the light's place.
BigVector seen_in_theory(const ConeOracle& oracle, const BigVector& place, const BigVector& x) {
  if (!oracle.in_ball()) return inverted(x - place, Big(1));
  const BigVector moved = inverted(inverted(x, oracle.k) - place, oracle.k);
  return moved * (Big(1) - dot(place, place) / (oracle.k * oracle.k)) - place;
}

/// Pairs, and the place of a light.
template <class M>
struct Lights {
  using V = typename M::Value;
  static constexpr bool upper = geometry::detail::is_half_space_v<M>;

  /// A point about as far from the others as they are from each other.
  Point3<V> point() {
    Point3<V> x{V(normal()), V(normal()), V(normal())};
    if constexpr (upper) {
      x[2] = V(std::exp(normal()));
      return x;
    } else {
      return x * V(1.3 * std::tanh(normal()) / double(geometry::detail::lead(norm(x))));
    }
  }
  Point3<V> place() {
    Point3<V> s = point();
    if constexpr (upper) s[2] = V(0);
    return s;
  }
  /// Farther from the light than x, not on the axis, where the distance from it has a corner.
  Point3<V> behind(Point3<V> x) {
    if constexpr (upper) {
      x[0] = x[0] + x[2] * V(0.02 * normal());
      x[2] = x[2] * V(0.4);
      return x;
    } else {
      const V length = norm(x);
      const V more = (V(1.5) - length) / V(2);
      x[0] = x[0] + more * V(0.02 * normal());
      return x * ((length + more) / length);
    }
  }
  double normal() { return std::normal_distribution<>()(random); }

  std::mt19937_64 random{5};
};

/// |x| over the height, or lambda |x|: by how much a relative rounding moves a point at most.
template <class M, class V>
double spread(const M& m, const Point3<V>& x) {
  const double size(geometry::detail::lead(norm(x)));
  return 1 + size * double(geometry::detail::lead(m.lambda_x(x)));
}

template <class C>
void check(const std::string& name, const C& cones, ConeKind kind) {
  using V = typename C::Value;
  using M = std::remove_cvref_t<decltype(cones.manifold())>;
  const M& m = cones.manifold();
  const auto radii = cones.all_radii();
  const ConeOracle oracle{model_of<M>, kind, Big(radii[0]), Big(radii[1])};
  const double unit = manifold_bound<V>(3) * geometry::detail::unit_roundoff<V>();
  const V gamma(1e-3);
  Lights<M> lights;
  int inside = 0, checked = 0;
  for (int i = 0; i < 45; ++i) {
    const MovedLight<M, 3> light(m, lights.place());
    // out of the light, and on one side of the cone's edge and of altitude 0
    const Point3<V> u = light.unseen(cones.projx(light.seen(lights.point())));
    const Point3<V> v = i % 3 == 0 ? light.unseen(lights.behind(light.seen(u))) : lights.point();
    const BigVector s = validation::big_vector(light.place());
    const BigVector bu = validation::big_vector(u), bv = validation::big_vector(v);
    const auto theory = [&](const BigVector& x) { return seen_in_theory(oracle, s, x); };
    const auto distance = [&](const BigVector& x, const BigVector& y) {
      return oracle.cone_distance(theory(x), theory(y), Big(gamma));
    };
    const Point3<V> at = light.seen(u), to = light.seen(v);
    if (!std::isfinite(double(geometry::detail::lead(cones.cone_distance(at, to, gamma)))))
      continue;
    if (std::fabs(double(geometry::detail::lead(cones.altitude(at, to)))) < 1e-2) continue;
    const double aperture(geometry::detail::lead(cones.half_aperture(at)));
    const double moved = unit * (spread(m, at) + spread(m, to)) / std::cos(aperture);
    // distances to where the light sees a point in theory, and back
    for (const auto& [x, y] : {std::pair(u, at), {v, to}}) {
      const Big off = oracle.dist(theory(validation::big_vector(x)), validation::big_vector(y));
      EXPECT_LT(off.template rounded<double>(), unit * spread(m, y)) << name << i;
      const Point3<V> back = light.unseen(y);
      const Big away = oracle.dist(validation::big_vector(x), validation::big_vector(back));
      EXPECT_LT(away.template rounded<double>(), unit * (spread(m, x) + spread(m, y))) << name << i;
    }
    const auto g = cone_distance_gradient(cones, at, to, gamma);
    const Big truth = distance(bu, bv);
    const double value = truth.template rounded<double>();
    EXPECT_LT(abs(Big(g.value) - truth).template rounded<double>(),
              moved * (1 + std::fabs(value)) * 4)
        << name << i;
    EXPECT_EQ(contains(cones, at, to), value <= 0) << name << i;
    inside += value <= 0 ? 1 : 0;
    ++checked;
    // derivatives by difference quotients of 3072 bits
    const Big step = ldexp(Big(1), -400);
    for (const bool of_u : {true, false}) {
      const Point3<V>& x = of_u ? u : v;
      const Point3<V>& y = of_u ? at : to;
      const Point3<V> by = light.pulled_back(x, (of_u ? g.by_u : g.by_v) / m.lambda_x(y));
      for (std::size_t c = 0; c < 3; ++c) {
        BigVector more = of_u ? bu : bv, less = more;
        more[c] = more[c] + step;
        less[c] = less[c] - step;
        const Big rise = of_u ? distance(more, bv) - distance(less, bv)
                              : distance(bu, more) - distance(bu, less);
        const Big expected = rise / (step + step) / Big(m.lambda_x(x));
        EXPECT_LT(abs(Big(by[int(c)]) - expected).template rounded<double>(), 1e3 * moved)
            << name << i << ' ' << of_u << c;
      }
    }
  }
  EXPECT_GT(inside, 3) << name;
  EXPECT_GT(checked, 25) << name;
}

template <class V>
void check_all(const std::string& type) {
  check(type + " umbral half-space ", UmbralCones(HalfSpace<V>(V(1.5)), V(0.2)), ConeKind::umbral);
  check(type + " penumbral half-space ", PenumbralCones(HalfSpace<V>(V(1.5)), V(20)),
        ConeKind::penumbral);
  check(type + " umbral ball ", UmbralCones(PoincareBall<V>(V(1.5)), V(0.1)), ConeKind::umbral);
  check(type + " penumbral ball ", PenumbralCones(PoincareBall<V>(V(1.5)), V(0.1)),
        ConeKind::penumbral);
}

TEST(MovedLight, RelationsAndGradientsInDouble) { check_all<double>("double"); }
TEST(MovedLight, RelationsAndGradientsInTwoComponents) { check_all<f64x2>("f64x2"); }

/// Two lights on the axis see a chain of points in opposite orders, one aside sees no order.
TEST(MovedLight, EachLightHasItsOrder) {
  using P = Point<double, 2>;
  const HalfSpace<double> half(1);
  const UmbralCones cones(half, 0.1);
  const P u(0, 2), v(0, 0.5);
  EXPECT_TRUE(contains(cones, u, v));
  EXPECT_FALSE(contains(cones, v, u));
  const MovedLight below(half, P(0, 0)), aside(half, P(1, 0));
  EXPECT_FALSE(contains(cones, below.seen(u), below.seen(v)));
  EXPECT_TRUE(contains(cones, below.seen(v), below.seen(u)));
  EXPECT_FALSE(contains(cones, aside.seen(u), aside.seen(v)));
  EXPECT_FALSE(contains(cones, aside.seen(v), aside.seen(u)));
}

TEST(MovedLight, RefusesOtherPlaces) {
  using P = Point<double, 2>;
  const auto refused = [](const auto& manifold, const P& place) {
    return message_of<DomainError>([&] { MovedLight(manifold, place); });
  };
  const HalfSpace<double> half(1);
  EXPECT_EQ(refused(half, P(2, 0)), "");
  EXPECT_EQ(refused(half, P(2, 0.5)), "a light is a point of the ground, not at the height 0.5");
  EXPECT_NE(refused(half, P(std::nan(""), 0)), "");
  const PoincareBall<double> ball(2);
  EXPECT_EQ(refused(ball, P(0, 1.5)), "");
  EXPECT_EQ(refused(ball, P(0, 2)), "a light is a point of the ball, not at the distance 2");
}

}  // namespace
}  // namespace mct::geometry_test
