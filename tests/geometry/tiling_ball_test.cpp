// The L-tiling and the unit disk, against MPFR: to the last point before the circle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/geometry/tiling_truth.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::validation;
using namespace mct::geometry;

template <class V>
double unit() {
  return geometry::detail::unit_roundoff<V>();
}
/// Error of sums next to the circle, which keeps points inside.
template <class V>
double edge() {
  return 0.5 * geometry::detail::boundary_blur<V>(12) + 3 * unit<V>();
}

template <class V>
class TilingBallTest : public ::testing::Test {};
using Types = ::testing::Types<double, float, f64x2, Expansion<double, 3>, f64x4, f32x2>;
TYPED_TEST_SUITE(TilingBallTest, Types);

/// A point of the disk at 1 - |b| of this, about.
template <class V>
std::array<V, 2> near_circle(double gap, double angle) {
  const V x = V(std::cos(angle));
  const V y = V(std::sin(angle));
  using std::sqrt;
  const V r = (V(1) - V(gap)) / sqrt(x * x + y * y);
  return {x * r, y * r};
}

TYPED_TEST(TilingBallTest, FromTheDisk) {
  using V = TypeParam;
  const TruthPrecision precision(3000);
  using W = tiling_detail::wider_t<V>;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform;
  double worst = 0;
  for (int i = 0; i < 300; ++i) {
    const double gap =
        i % 3 == 0 ? uniform(random) : std::exp(uniform(random) * std::log(unit<V>()));
    // of the disk with the radius of curvature
    const V k(i % 2 == 0 ? 1.0 : 2.6875);
    const LTiling<V> plane(k);
    auto b = near_circle<V>(std::max(gap, 16 * unit<V>()), 7 * uniform(random));
    for (V& c : b) c = c * k;
    const Truth x = truth_of(b[0]) / truth_of(k), y = truth_of(b[1]) / truth_of(k);
    const Truth complement = 1 - x * x - y * y;
    if (complement <= 0) continue;
    const Truth3 exact = {(1 + x * x + y * y) / complement, 2 * x / complement, 2 * y / complement};
    const auto z = plane.from_ball(b);
    const double bound = 4 * unit<V>() + 64 * unit<W>() / double(complement);
    worst = std::max(worst, double(true_distance(exact, truth_of(z))) / bound);
    EXPECT_LE(double(domain_function(z.u)), 1 + 64 * unit<V>());
  }
  EXPECT_LE(worst, 1);
  ::testing::Test::RecordProperty("worst", number_text(worst));
  if (std::getenv("WORST")) std::printf("from %g\n", worst);
}

TYPED_TEST(TilingBallTest, ToTheDisk) {
  using V = TypeParam;
  const TruthPrecision precision(4000);
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform;
  const bool four = std::is_same_v<tiling_detail::wider_t<V>, V>;
  const double units = four ? 512 : 4;
  double worst = 0;
  for (int i = 0; i < 200; ++i) {
    const double angle = 7 * uniform(random);
    const double d = i % 4 == 0 ? 600 : (i % 4) * 8 * uniform(random);
    const V k(i % 2 == 0 ? 1.0 : 2.6875);
    const LTiling<V> plane(k);
    const auto x = plane.from_polar(V(d) * k, {V(std::cos(angle)), V(std::sin(angle))});
    const auto b = plane.to_ball(x);
    const Truth3 h = truth_of(x);
    const Truth below = 1 + h[0];
    const Truth inside = 1 - (h[1] * h[1] + h[2] * h[2]) / (below * below);
    const double slack = double(inside) < 64 * unit<V>() * 24 ? edge<V>() : 0;
    for (std::size_t j = 0; j < 2; ++j) {
      const double error = double(abs(truth_of(b[j]) / truth_of(k) - h[j + 1] / below));
      worst = std::max(worst, error / (units * unit<V>() + slack));
    }
    // and the tiling takes it back
    EXPECT_NO_THROW(plane.from_ball(b)) << d;
  }
  EXPECT_LE(worst, 1);
  if (std::getenv("WORST")) std::printf("to %g\n", worst);
}

}  // namespace
}  // namespace mct::geometry_test
