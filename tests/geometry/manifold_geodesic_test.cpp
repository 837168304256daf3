// Points of geodesics against MPFR: from one end to the other and beyond, ends far from the origin
// and from each other.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
namespace {

/// How far out both ends are, over K: the farthest that points hold, next to the origin, between.
template <class Type, class Fixture>
auto ends(Fixture& f, int i) {
  using V = typename Type::Value;
  const double farthest = Type::Info::template farthest<V>();
  const double far[] = {1, farthest / 4, farthest, 1e-6};
  const auto x = f.cases.point(far[i % 4] * f.cases.uniform(0.5, 1));
  const auto y = f.cases.point(far[i / 4 % 4] * f.cases.uniform(0.5, 1));
  return std::pair(x, i % 7 == 6 ? f.cases.points(7 * i + 2).x : y);
}

template <class Type>
class GeodesicTest : public ManifoldTest<Type> {};
TYPED_TEST_SUITE_P(GeodesicTest);

TYPED_TEST_P(GeodesicTest, BetweenTheEnds) {
  using Fixture = ManifoldTest<TypeParam>;
  using V = typename Fixture::Number;
  constexpr int n = Fixture::coordinates;
  constexpr double k = Fixture::units;
  const auto& m = this->cases.manifold;
  const Big u_n = unit<V>();
  const double times[] = {0, 1, 0.5, 0.25, 1e-6, 1 - 0x1p-7, 0.9, 0.51};
  Worst geodesic("geodesic");
  for (int i = 0; i < 64; ++i) {
    const auto [x, y] = ends<TypeParam>(*this, i);
    const V t = V(Limb<V>(times[(i + i / 8) % 8]));
    const BigVector from = this->big(x), to = this->big(y);
    if (this->reference(from, to).opposite()) continue;
    const BigVector exact = this->oracle.geodesic(Big(t), from, to);
    const BigVector pace = geodesic_pace(this->oracle, Big(t), from, to);
    const BigVector result = this->big(m.geodesic(t, x, y));
    const BoundReference reference = this->reference(from, to);
    const Big whole = validation::norm(exact) + validation::norm(pace) + reference.geodesic_off() +
                      reference.kept_inside(point_type<V>, exact);
    for (std::size_t j = 0; j < std::size_t(n); ++j) {
      const bool alone = Fixture::Info::model == Model::half_space;
      geodesic.add(abs(result[j] - exact[j]), u_n, k, alone ? abs(exact[j]) + pace[j] : whole, i,
                   this->eta());
    }
    EXPECT_TRUE(m.check_point(m.geodesic(t, x, y), 1e3)) << i;
  }
}

/// The ends themselves are where the geodesic begins and ends, bit for bit on the charts.
TYPED_TEST_P(GeodesicTest, AtTheEnds) {
  using Fixture = ManifoldTest<TypeParam>;
  using V = typename Fixture::Number;
  constexpr double k = Fixture::units;
  const auto& m = this->cases.manifold;
  for (int i = 0; i < 16; ++i) {
    const auto [x, y] = ends<TypeParam>(*this, i);
    const auto begin = m.geodesic(V(0), x, y);
    const auto end = m.geodesic(V(1), x, y);
    const auto near = [&](const auto& a, const auto& b) {
      return validation::norm(this->big(a) - this->big(b)) <=
             Big(k) * unit<V>() * validation::norm(this->big(b));
    };
    if (this->reference(this->big(x), this->big(y)).opposite()) continue;
    EXPECT_TRUE(near(begin, x)) << i;
    EXPECT_TRUE(near(end, y)) << i;
    if (Fixture::Info::extra == 0) {
      EXPECT_TRUE(begin == x && end == y) << i;
    }
    EXPECT_TRUE(near(m.geodesic(V(0.25), x, x), x)) << i;
  }
}

TYPED_TEST_P(GeodesicTest, BeyondTheEnds) {
  using Fixture = ManifoldTest<TypeParam>;
  using V = typename Fixture::Number;
  constexpr double k = Fixture::units;
  const auto& m = this->cases.manifold;
  Worst beyond("geodesic beyond its ends");
  for (int i = 0; i < 16; ++i) {
    const auto x = this->cases.point(this->cases.uniform(0, 1));
    const auto y = this->cases.point(this->cases.uniform(0, 1));
    const V t = V(Limb<V>(i % 2 == 0 ? -0.5 : 1.75));
    const std::vector<BigVector> in{{Big(t)}, this->big(x), this->big(y)};
    const auto f = [&](const std::vector<BigVector>& at) {
      return this->oracle.geodesic(at[0][0], at[1], at[2]);
    };
    const BigVector exact = f(in);
    const Big whole = validation::norm(exact) + validation::norm(validation::condition(in, f));
    beyond.add(validation::norm(this->big(m.geodesic(t, x, y)) - exact), unit<V>(), 2 * k, whole, i,
               this->eta());
  }
}

REGISTER_TYPED_TEST_SUITE_P(GeodesicTest, BetweenTheEnds, AtTheEnds, BeyondTheEnds);
INSTANTIATE_TYPED_TEST_SUITE_P(Double, GeodesicTest, AllManifolds<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Float, GeodesicTest, AllManifolds<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(DoubleTwo, GeodesicTest, AllManifolds<f64x2>);

/// Next to the origin of a wide ball coordinates over a gap would leave the range with their last
/// limbs.
TEST(Geodesic, TinyPointsOfAWideBallKeepEveryLimb) {
  using geometry::Point;
  const geometry::PoincareBall<f64x4> ball(f64x4(6e44));
  const f64x4 third = f64x4(1e-180) / f64x4(3);
  const Point<f64x4, 2> x(third, f64x4(-2) * third), y(f64x4(0), f64x4(0));
  const auto z = ball.geodesic(f64x4(0.5), x, y);
  for (int i = 0; i < 2; ++i) EXPECT_LE(std::fabs(double(z[i] / x[i] - f64x4(0.5))), 1e-61);
}

/// The sideways part of the vector from x to y is near 1e-285, so its last limbs are below the
/// range. The points have all of theirs, and beyond the ends the geodesic is a half-circle of
/// radius 1.
template <class V>
void expect_limbs_beyond_low_ends(const char* type) {
  using P = geometry::Point<V, 3>;
  const geometry::HalfSpace<V> m;
  const ManifoldOracle oracle(Model::half_space, Big(1));
  Worst beyond(type);
  for (const double turn : {-1.0, 1.0})
    for (const double times_three : {34.6, 42.4, -2.2}) {
      const P low(V(turn), V(0), V(4.35e-171) / V(3));
      const P high(V(turn) - V(turn * 3.14e-288), V(0), V(7.52e-144) / V(3));
      const V t = V(times_three) / V(3);
      const std::vector<BigVector> in{{Big(t)}, big_vector(low), big_vector(high)};
      const auto f = [&](const std::vector<BigVector>& at) {
        return oracle.geodesic(at[0][0], at[1], at[2]);
      };
      const BigVector exact = f(in);
      const BigVector condition = validation::condition(in, f);
      const BigVector z = big_vector(m.geodesic(t, low, high));
      for (std::size_t i = 0; i < 3; ++i)
        beyond.add(abs(z[i] - exact[i]), unit<V>(), geometry::manifold_bound<V>(3),
                   abs(exact[i]) + condition[i], int(i), Big(0));
    }
}
TEST(Geodesic, BeyondLowEndsOfTheHalfSpaceKeepsEveryLimb) {
  expect_limbs_beyond_low_ends<f64x2>("f64x2");
  expect_limbs_beyond_low_ends<f64x3>("f64x3");
  expect_limbs_beyond_low_ends<f64x4>("f64x4");
}

}  // namespace
}  // namespace mct::geometry_test
