// The hyperboloid where one point is far from the origin and the other near it, where sums of their
// coordinates hold the digits of the far one alone.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_cases.hpp"

namespace mct::geometry_test::lorentz_far_cases {
namespace {

using namespace mct::validation;

using namespace mct::geometry;

constexpr double radius = 1.5;

/// Two points at these distances (over K) from the origin: in any direction, or one nearly along
/// the other.
template <class V>
Place<V, 4> far_and_near(Cases<Lorentz, V>& cases, double far, double near, bool aligned) {
  Place<V, 4> p;
  p.x = cases.point(far);
  p.y = cases.point(near);
  if (!aligned) return p;
  const V length = geometry::norm(p.y) / geometry::norm(p.x);
  for (int j = 1; j < 4; ++j) p.y[j] = p.x[j] * (length * V(1 + 1e-9 * j));
  p.y = cases.manifold.projx(p.y);
  return p;
}

/// The largest error over all pairs as a share of the bound, and both directions of each pair.
template <class V, class F>
void expect_within_bound(double farthest, const F& share) {
  Cases<Lorentz, V> cases(radius, 5);
  for (const double far : {20.0, 40.0, 60.0, 72.0, 120.0, 230.0, 300.0, 340.0}) {
    if (far > farthest) continue;
    for (const double near : {1e-9, 0.01, 0.3, 1.0, 5.0, 10.0, 19.0}) {
      for (const bool aligned : {false, true}) {
        auto p = far_and_near<V>(cases, far, near, aligned);
        EXPECT_LE(share(cases, p), 1) << far << " to " << near << ' ' << aligned;
        std::swap(p.x, p.y);
        EXPECT_LE(share(cases, p), 1) << near << " to " << far << ' ' << aligned;
      }
    }
  }
}

template <class V>
class FarLorentzTest : public ::testing::Test {};
using Types = ::testing::Types<double, f64x2, Expansion<double, 3>, f64x4>;
TYPED_TEST_SUITE(FarLorentzTest, Types);

TYPED_TEST(FarLorentzTest, Distance) {
  using V = TypeParam;
  const ManifoldOracle oracle(Model::lorentz, Big(radius));
  expect_within_bound<V>(340, [&](auto& cases, const auto& p) {
    const Big exact = oracle.dist(big_vector(p.x), big_vector(p.y));
    const Big error = abs(Big(cases.manifold.dist(p.x, p.y)) - exact);
    return double(error / (Big(manifold_bound<V>(4)) * unit<V>() * exact));
  });
}

TYPED_TEST(FarLorentzTest, Transport) {
  using V = TypeParam;
  const ManifoldOracle oracle(Model::lorentz, Big(radius));
  expect_within_bound<V>(300, [&](auto& cases, const auto& p) {
    const auto u = cases.tangent(p.x, cases.uniform(0.01, 4));
    const BigVector x = big_vector(p.x), y = big_vector(p.y), v = big_vector(u);
    const BigVector error =
        big_vector(cases.manifold.ptransp(p.x, p.y, u)) - oracle.ptransp(x, y, v);
    const Big bound = BoundReference(Model::lorentz, oracle, x, y).ptransp(v);
    return double(oracle.norm_at(y, error) / (Big(manifold_bound<V>(4)) * unit<V>() * bound));
  });
}

/// An end near the origin, seen from which the other end and the origin lie across each other.
TYPED_TEST(FarLorentzTest, GeodesicBeyondTheNearEnd) {
  using V = TypeParam;
  const ManifoldOracle oracle(Model::lorentz, Big(radius));
  Cases<Lorentz, V> cases(radius, 5);
  const V t(-0.5);
  for (int i = 0; i < 32; ++i) {
    const auto x = cases.point(cases.uniform(0.05, 0.5)), y = cases.point(cases.uniform(1, 3));
    const std::vector<BigVector> ends{big_vector(x), big_vector(y)};
    const auto f = [&](const std::vector<BigVector>& at) {
      return oracle.geodesic(Big(t), at[0], at[1]);
    };
    const BigVector exact = f(ends);
    const Big whole = validation::norm(exact) + validation::norm(condition(ends, f));
    const Big error = validation::norm(big_vector(cases.manifold.geodesic(t, x, y)) - exact);
    EXPECT_LE(double(error / (Big(manifold_bound<V>(4)) * unit<V>() * whole)), 1) << i;
  }
}

/// A vector exactly along X: no rounding of its coordinates turns it, and near the origin its
/// length is kept, whereas its coordinates are x_0 / K times as large.
template <class V>
void expect_radial_vectors_kept(double farthest) {
  const ManifoldOracle oracle(Model::lorentz, Big(radius));
  Cases<Lorentz, V> cases(radius, 5);
  for (const double far : {2.0, 10.0, 20.0, 40.0, 60.0, 120.0, 230.0, 300.0}) {
    if (far > farthest) continue;
    for (const double near : {1e-9, 0.3, 1.0, 5.0, 19.0}) {
      const auto p = far_and_near<V>(cases, far, near, false);
      const auto u = p.x * V(std::exp2(-std::floor(std::log2(double(p.x[0])))));
      const BigVector x = big_vector(p.x), y = big_vector(p.y);
      BigVector v = big_vector(u);
      const BigVector X(x.begin() + 1, x.end());
      v[0] = validation::dot(X, BigVector(v.begin() + 1, v.end())) / oracle.time_of(X);
      const BigVector error =
          big_vector(cases.manifold.ptransp(p.x, p.y, u)) - oracle.ptransp(x, y, v);
      const Big bound = Big(manifold_bound<V>(4)) * unit<V>() * oracle.norm_at(x, v) * y[0];
      EXPECT_TRUE(oracle.norm_at(y, error) * oracle.radius() <= bound) << far << " to " << near;
    }
  }
}

TEST(FarLorentz, TransportOfRadialVectors) {
  expect_radial_vectors_kept<double>(300);
  expect_radial_vectors_kept<f64x2>(300);
  expect_radial_vectors_kept<Expansion<double, 3>>(60);
  expect_radial_vectors_kept<f64x4>(20);
}

}  // namespace
}  // namespace mct::geometry_test::lorentz_far_cases
