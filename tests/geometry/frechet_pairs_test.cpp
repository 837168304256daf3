// Fréchet means of two points far from each other, where coordinates may be too coarse for a mean
// whose gradient is nearly 0.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::validation;

using namespace mct::geometry;

/// The sum of w_i log_m(x_i) as a share of its bound: that of the algorithm, and what the rounding
/// of m, u^N |m| / m_n of hyperbolic length, leaves of it.
template <template <class> class M, class V>
double share_of_bound(const M<V>& manifold, const std::vector<typename Cases<M, V>::P>& points,
                      const std::vector<V>& weights) {
  const auto m = frechet_mean(manifold, points, weights);
  const ManifoldOracle oracle(ModelInfo<M>::model, Big(manifold.radius()));
  const BigVector at = big_vector(m);
  BigVector sum(at.size());
  Big scale;
  Big farthest;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const BigVector x = big_vector(points[i]);
    const Big d = oracle.dist(at, x);
    sum = sum + oracle.logmap(at, x) * Big(weights[i]);
    scale = scale + Big(weights[i]) * d;
    if (d > farthest) farthest = d;
  }
  const Big blur = validation::norm(at) / at.back();
  const Big bound = Big(10 * manifold_bound<V>(m.size())) * unit<V>() * blur *
                    (Big(1) + farthest / oracle.radius()) * scale;
  return double(oracle.norm_at(at, sum) / bound);
}

template <template <class> class M, class V>
void expect_means_of_pairs() {
  const std::vector<V> weights{V(1), V(1.37)};
  for (const double r : {80.0, 100.0, 280.0, 340.0}) {
    Cases<M, V> cases(1.5, 99);
    for (int i = 0; i < 16; ++i) {
      const auto x = cases.point(r);
      const auto y = cases.point(r);
      double share = NAN;
      EXPECT_NO_THROW((share = share_of_bound<M, V>(cases.manifold, {x, y}, weights)))
          << r << ", " << i;
      EXPECT_LE(share, 1) << r << ", " << i;
    }
  }
}

TEST(FrechetMeanOfPairs, InTheHalfSpace) {
  expect_means_of_pairs<HalfSpace, double>();
  expect_means_of_pairs<HalfSpace, f64x2>();
}

TEST(FrechetMeanOfPairs, OnTheHemisphere) {
  expect_means_of_pairs<Hemisphere, double>();
  expect_means_of_pairs<Hemisphere, f64x2>();
}

/// Next to whose mean rounding lets the gradient shrink a little for more than 200 steps.
TEST(FrechetMeanOfPairs, WhoseGradientIsRounding) {
  using P = Cases<HalfSpace, double>::P;
  const HalfSpace<double> space(1.5);
  const P x(-0.51867943262447735, 0.42344836607600533, 2.7934795227508067e-22);
  const P y(-4.7969275073020885, 0.11080238159362629, 4.6333953868012435e-21);
  double share = NAN;
  EXPECT_NO_THROW((share = share_of_bound<HalfSpace, double>(space, {x, y}, {1.0, 1.37})));
  EXPECT_LE(share, 1);
}

}  // namespace
}  // namespace mct::geometry_test
