// Parallel transport between points of the tilings, against MPFR.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "mctensor/geometry/tiling/ltiling_product.hpp"
#include "tests/geometry/tiling_letters.hpp"
#include "tests/geometry/tiling_tangents.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry::tiling_transport_cases {
namespace {

using validation::lifted;
using validation::Truth;
using validation::truth_of;
using validation::TruthPrecision;

template <class V>
double unit() {
  return tiling_detail::unit_roundoff<V>();
}
template <class V>
V with_all_digits(std::mt19937_64& random) {
  std::uniform_real_distribution<double> coordinate(-1, 1);
  V x(coordinate(random));
  if constexpr (!std::is_arithmetic_v<V>) x = x + V(coordinate(random)) * V(0x1p-30);
  return x;
}

template <class V>
class LTransportTest : public ::testing::Test {
 protected:
  LTilingPoint<V> point(const LTile& tile) {
    LTilingPoint<V> x{tile, {}};
    do {
      for (V& c : x.u) c = with_all_digits<V>(random_);
    } while (!in_domain(x.u));
    return x;
  }
  LTile tile(int letters) { return tile_of(random_letters(std::size_t(letters), random_)); }
  static LTile tile_of(const std::vector<Generator>& letters) {
    LTile r;
    for (const Generator g : letters) r = r * LTile::of(g);
    return r;
  }
  /// |ours - exact| / |v| / u^N.
  static double error(const LTilingPoint<V>& x, const LTilingPoint<V>& y,
                      const std::array<V, 2>& v) {
    const LTiling<V> plane;
    const auto exact = validation::transported(truth_of(x), truth_of(y), lifted(x, v));
    const auto ours = lifted(y, plane.ptransp(x, y, v));
    const auto off = validation::difference(ours, exact);
    return double(Truth(validation::lorentz_length(off) / validation::lorentz_length(lifted(x, v)) /
                        unit<V>()));
  }
  std::mt19937_64 random_{1};
};
#ifdef MCT_EXHAUSTIVE
using LTypes = ::testing::Types<double, float, f64x2, f32x3>;
#else
using LTypes = ::testing::Types<float, f64x2>;
#endif
TYPED_TEST_SUITE(LTransportTest, LTypes);

TYPED_TEST(LTransportTest, AgreesWithTheLorentzModel) {
  using V = TypeParam;
  // letters of the common way from the origin, and of each one's own
  double worst = 0;
  for (const auto& [common, own] :
       {std::pair{0, 0}, {0, 2}, {30, 1}, {30, 3}, {300, 2}, {300, 9}, {600, 40}, {1200, 1}}) {
    const TruthPrecision precision(400 + 12 * (common + own));
    for (int i = 0; i < 40; ++i) {
      const LTile start = this->tile(common);
      const auto x = this->point(start * this->tile(own));
      const auto y = this->point(start * this->tile(own));
      const std::array<V, 2> v = {with_all_digits<V>(this->random_),
                                  with_all_digits<V>(this->random_)};
      worst = std::max(worst, this->error(x, y, v));
      EXPECT_LE(this->error(x, y, v), 256) << common << ' ' << own;
    }
  }
  this->RecordProperty("largest_error_in_units", number_text(worst));
}

TYPED_TEST(LTransportTest, NearPointsAndTheBorder) {
  using V = TypeParam;
  const TruthPrecision precision(6000);
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    auto x = this->point(this->tile(200));
    auto y = x;
    const V step(std::ldexp(1.0, -int(this->random_() % 60)));
    if (i % 2 == 0) x.u = {V(1), V(0.9)};  // just beyond the border
    y.u = {x.u[0] + step, x.u[1]};
    reduce(x);
    reduce(y);
    const std::array<V, 2> v = {with_all_digits<V>(this->random_),
                                with_all_digits<V>(this->random_)};
    worst = std::max(worst, this->error(x, y, v));
    EXPECT_LE(this->error(x, y, v), 256) << i;
    EXPECT_LE(this->error(x, x, v), 64) << i;
  }
  this->RecordProperty("largest_error_in_units", number_text(worst));
}

/// Up to three letters apart, where the sizes of what is added are the largest beside the result.
TYPED_TEST(LTransportTest, NeighbouringTiles) {
  using V = TypeParam;
  const TruthPrecision precision(800);
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const LTile start = this->tile(i % 2 == 0 ? 0 : 10);
    const auto x = this->point(start * this->tile(i % 3));
    const auto y = this->point(start * this->tile(i % 4));
    const std::array<V, 2> v = {with_all_digits<V>(this->random_),
                                with_all_digits<V>(this->random_)};
    const double error = this->error(x, y, v);
    worst = std::max(worst, error);
    EXPECT_LE(error, 256) << i;
  }
  this->RecordProperty("largest_error_in_units", number_text(worst));
}

TEST(LTransport, ErrorsShowNan) {
  const Truth nan = truth_of(std::nan(""));
  EXPECT_TRUE(isnan(validation::lorentz_length({nan, nan, nan})));
}

template <class Space>
class HTransportTest : public ::testing::Test {
 protected:
  using Number = typename Space::Tangent::value_type;
  static constexpr std::size_t size = std::tuple_size_v<typename Space::Tangent>;
  using Place = HTilingPoint<Number, size>;

  Place point(std::int64_t level, int bits) {
    Place x;
    x.j = level + std::int64_t(random_() % 5);
    for (Integer& k : x.k) {
      k = Integer(std::int64_t(random_() >> 2)).shifted(bits - 62);
      if (random_() % 2 == 0) k = -k;
    }
    for (Number& z : x.z) z = Number(0.5) + Number(0.49) * with_all_digits<Number>(random_);
    x.z[size - 1] = x.z[size - 1] + Number(1);
    return x;
  }
  std::mt19937_64 random_{1};
};
#ifdef MCT_EXHAUSTIVE
using HTypes = ::testing::Types<HTiling<double, 2>, HTiling<double, 5>, HTiling<double, 1>,
                                HTiling<float, 3>, HTiling<f64x2, 2>, HTiling<f64x3, 3>>;
#else
using HTypes = ::testing::Types<HTiling<double, 1>, HTiling<float, 3>, HTiling<f64x2, 2>>;
#endif
TYPED_TEST_SUITE(HTransportTest, HTypes);

TYPED_TEST(HTransportTest, AgreesWithTheHalfSpace) {
  using V = typename TypeParam::Tangent::value_type;
  constexpr std::size_t n = std::tuple_size_v<typename TypeParam::Tangent>;
  const TruthPrecision precision(9000);
  const TypeParam space(V(2));
  double worst = 0;
  for (int i = 0; i < 400; ++i) {
    const int level = i % 3 == 0 ? 0 : i % 3 == 1 ? -700 : 300;
    const int bits = i % 4 == 0 ? i % 3 : int(this->random_() % 900);
    const auto x = this->point(level, bits);
    auto y =
        this->point(i % 5 == 0 ? -level : level, i % 4 == 0 ? bits : int(this->random_() % 900));
    if (i % 2 == 0) {
      y = x;
      y.z[0] = y.z[0] + V(std::ldexp(0.7, -int(this->random_() % 60)));
      y.z[n - 1] = y.z[n - 1] - V(std::ldexp(0.7, -int(this->random_() % 60)));
      reduce(y);
    }
    std::array<V, n> v;
    for (V& c : v) c = with_all_digits<V>(this->random_);
    const auto ours = space.ptransp(x, y, v);
    std::vector<Truth> frame;
    frame.reserve(n);
    for (const V& c : v) frame.push_back(truth_of(c) / truth_of(x.z[n - 1]));
    const auto exact = validation::transported(truth_of(x), truth_of(y), frame);
    Truth off = 0;
    Truth length = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const Truth d = truth_of(ours[k]) / truth_of(y.z[n - 1]) - exact[k];
      off += d * d;
      length += frame[k] * frame[k];
    }
    const double error = double(Truth(sqrt(off / length) / unit<V>()));
    worst = std::max(worst, error);
    EXPECT_LE(error, 2 * double(n) + 32) << i;
  }
  this->RecordProperty("largest_error_in_units", number_text(worst));
}

TEST(Transport, ProductsTransportEveryFactor) {
  const LTilingProduct<double> space(2, 3.0);
  const auto& plane = space.factor();
  auto x = space.origin();
  auto y = space.origin();
  y[0] = plane.from_polar(300, {0.6, 0.8});
  x[1] = plane.from_polar(2, {1, 0});
  const std::vector<std::array<double, 2>> v = {{0.3, -0.4}, {1, 2}};
  const auto w = space.ptransp(x, y, v);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(w[i], plane.ptransp(x[i], y[i], v[i]));
  EXPECT_NEAR(space.norm(y, w), space.norm(x, v), 1e-13);
  EXPECT_NEAR(space.norm(x, space.logmap(x, y)), space.dist(x, y), 1e-11);
  EXPECT_NEAR(space.dist(space.expmap(x, v), x), space.norm(x, v), 1e-13);
  const auto g = space.egrad2rgrad(x, space.dist_gradient(x, y));
  EXPECT_NEAR(space.norm(x, g), 1, 1e-13);
  EXPECT_NE(testing::message_of<ShapeError>([&] { space.ptransp(x, y, {}); }).find('2'),
            std::string::npos);
}

}  // namespace
}  // namespace mct::geometry::tiling_transport_cases
