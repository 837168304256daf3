// The metrics of the tilings, at radii other than 1, and turned rays, against MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::geometry::tiling_metric_cases {
namespace {

using validation::true_distance;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;

template <class V>
double error_in_units(const V& value, const Truth& truth) {
  return double(Truth(abs(truth_of(value) - truth)) / tiling_detail::unit_roundoff<V>());
}

template <class V>
class TilingMetric : public ::testing::Test {
 protected:
  V uniform(double low, double high) {
    V x(std::uniform_real_distribution<double>(low, high)(random_));
    if constexpr (!std::is_arithmetic_v<V>)
      x = x + V(std::uniform_real_distribution<double>(-1, 1)(random_)) * V(0x1p-30);
    return x;
  }
  template <std::size_t n>
  std::array<V, n> tangent() {
    std::array<V, n> v;
    for (V& c : v) c = uniform(-1, 1);
    return v;
  }
  HTilingPoint<V, 3> cube_point() {
    HTilingPoint<V, 3> x;
    x.j = std::int64_t(random_() % 100) - 50;
    x.k = {std::int64_t(random_() % 1000), Integer(-3).shifted(80)};
    x.z = {uniform(0, 0.999), uniform(0, 0.999), uniform(1, 1.999)};
    return x;
  }
  LTilingPoint<V> tile_point() {
    LTilingPoint<V> x;
    for (int i = 0; i < 60; ++i) x.tile = x.tile * LTile::of(Generator(random_() % 4));
    x.u = {uniform(-0.7, 0.7), uniform(-0.7, 0.7)};
    return x;
  }
  std::mt19937_64 random_{1};
};
#ifdef MCT_EXHAUSTIVE
using Types = ::testing::Types<double, float, f64x2, f64x3, f32x2>;
#else
using Types = ::testing::Types<float, f64x2>;
#endif
TYPED_TEST_SUITE(TilingMetric, Types);

TYPED_TEST(TilingMetric, OfCubes) {
  using V = TypeParam;
  const TruthPrecision precision(2000);
  const HTiling<V, 3> space(V(3));
  for (int i = 0; i < 100; ++i) {
    const auto x = this->cube_point();
    const auto y = this->cube_point();
    const auto v = this->template tangent<3>();
    const auto w = this->template tangent<3>();
    Truth product = 0;
    Truth square = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      product += truth_of(v[k]) * truth_of(w[k]);
      square += truth_of(v[k]) * truth_of(v[k]);
    }
    const Truth scale = 3 / truth_of(x.z[2]);
    EXPECT_LE(error_in_units(space.inner(x, v, w), scale * scale * product), 300);
    EXPECT_LE(error_in_units(space.norm(x, v), scale * sqrt(square)), 100);
    // the Riemannian gradient is what has the products of the Euclidean one
    EXPECT_LE(error_in_units(space.inner(x, space.egrad2rgrad(x, w), v), product), 300);
    const Truth d = 3 * true_distance(truth_of(x), truth_of(y));
    EXPECT_LE(error_in_units(space.dist(x, y), d), 30 * double(d) + 100);
    const Truth d0 = 3 * true_distance(truth_of(space.origin()), truth_of(x));
    EXPECT_LE(error_in_units(space.dist0(x), d0), 30 * double(d0) + 100);
    const auto z = space.expmap(x, v);
    EXPECT_LE(error_in_units(space.norm(x, v), 3 * true_distance(truth_of(x), truth_of(z))), 500);
    const auto back = space.logmap(x, z);
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_LE(error_in_units(back[k], truth_of(v[k])), 1000) << i;
  }
}

TYPED_TEST(TilingMetric, OfTiles) {
  using V = TypeParam;
  const TruthPrecision precision(2000);
  const LTiling<V> plane(V(3));
  for (int i = 0; i < 100; ++i) {
    const auto x = this->tile_point();
    const auto v = this->template tangent<2>();
    const auto w = this->template tangent<2>();
    const auto product = [](const auto& a, const auto& b) {
      return Truth(truth_of(a[0]) * truth_of(b[0]) + truth_of(a[1]) * truth_of(b[1]));
    };
    const Truth bend = product(x.u, v) * product(x.u, w) / (1 + product(x.u, x.u));
    EXPECT_LE(error_in_units(plane.inner(x, v, w), 9 * (product(v, w) - bend)), 300);
    EXPECT_LE(error_in_units(plane.inner(x, plane.egrad2rgrad(x, w), v), product(w, v)), 300);
    const Truth d = 3 * true_distance(truth_of(plane.origin()), truth_of(x));
    EXPECT_LE(error_in_units(plane.dist0(x), d), 30 * double(d) + 200);
  }
}

/// A turned direction has length 1, the wanted angle, and right angles keep their sense.
TYPED_TEST(TilingMetric, TurnedRays) {
  using V = TypeParam;
  const TruthPrecision precision(400);
  const LTiling<V> plane;
  const auto form = [](const auto& a, const auto& b) {
    return Truth(truth_of(a[1]) * truth_of(b[1]) + truth_of(a[2]) * truth_of(b[2]) -
                 truth_of(a[0]) * truth_of(b[0]));
  };
  for (int i = 0; i < 100; ++i) {
    const auto start = plane.advance({plane.origin(), {V(0), V(0.6), V(0.8)}}, this->uniform(0, 3));
    const V cosine = V(5) / V(13);
    const V sine = V(12) / V(13);
    const auto r = LTiling<V>::turned(start, cosine, sine);
    EXPECT_EQ(r.at.tile, start.at.tile);
    EXPECT_LE(error_in_units(V(0), form(r.direction, lift(start.at.u))), 100);
    EXPECT_LE(error_in_units(V(1), form(r.direction, r.direction)), 100);
    EXPECT_LE(error_in_units(cosine, form(r.direction, start.direction)), 100);
    // an angle and its opposite, and two right angles
    const auto back = LTiling<V>::turned(r, cosine, -sine);
    const auto once = LTiling<V>::turned(start, V(0), V(1));
    const auto twice = LTiling<V>::turned(once, V(0), V(1));
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_LE(error_in_units(back.direction[k], truth_of(start.direction[k])), 200);
      EXPECT_LE(error_in_units(twice.direction[k], -truth_of(start.direction[k])), 200);
    }
  }
  // to the left at the origin, as in the half-plane
  const auto left = LTiling<V>::turned({plane.origin(), {V(0), V(1), V(0)}}, V(0), V(1));
  EXPECT_EQ(left.direction, (Lorentz3<V>{V(0), V(0), V(1)}));
  HTilingRay<V, 2> up;
  up.direction = {V(1), V(0)};
  EXPECT_EQ((HTiling<V, 2>::turned(up, V(0), V(1)).direction), (std::array<V, 2>{V(0), V(1)}));
}

}  // namespace
}  // namespace mct::geometry::tiling_metric_cases
