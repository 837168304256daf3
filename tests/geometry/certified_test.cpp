// Distances and maps of hyperbolic space lie within their radius of the exact ones.
#include "mctensor/geometry/certified.hpp"

#include <gtest/gtest.h>

#include <random>

#include "validation/core/geometry_oracle.hpp"

namespace mct::geometry {
namespace {

using validation::Big;
using validation::big_vector;
using validation::BigVector;
using validation::ManifoldOracle;

template <class M>
struct ModelOf;
template <class V>
struct ModelOf<PoincareBall<V>> {
  static constexpr Model value = Model::ball;
};
template <class V>
struct ModelOf<HalfSpace<V>> {
  static constexpr Model value = Model::half_space;
};
template <class V>
struct ModelOf<Lorentz<V>> {
  static constexpr Model value = Model::lorentz;
};

template <class M>
class CertifiedGeometryTest : public ::testing::Test {};
using GeometryTypes = ::testing::Types<PoincareBall<double>, HalfSpace<double>, Lorentz<double>,
                                       PoincareBall<f64x2>, HalfSpace<f64x2>, Lorentz<f64x3>>;
TYPED_TEST_SUITE(CertifiedGeometryTest, GeometryTypes);

/// Points at distances up to `reach` K from the origin, and tangent vectors of random directions.
template <class M>
class DrawPoints {
 public:
  using V = typename M::Value;
  using P = Point<V, 3>;
  DrawPoints(const M& model, std::uint64_t seed) : model_(model), random_(seed) {}

  P vector(const P& at, double length) {
    std::normal_distribution<double> normal;
    P v;
    for (int i = 0; i < 3; ++i) v[i] = V(normal(random_));
    v = model_.proju(at, v);
    return v * V(V(length) / model_.norm(at, v));
  }
  P point(double reach) {
    const P origin = model_.template origin<3>();
    return model_.expmap(origin, vector(origin, reach * double(model_.radius())));
  }

 private:
  M model_;
  std::mt19937_64 random_;
};

/// Checks an enclosure and returns its radius in u^N of `size`.
template <int N>
double expect_holds(const Certified<double, N>& x, const Big& truth, double size,
                    const std::string& what) {
  const Big distance = abs(truth - Big(x.value()));
  EXPECT_TRUE(std::isinf(x.radius()) || double(distance) <= x.radius())
      << what << ": " << double(distance) << " beyond " << x.radius();
  return x.radius() / size * std::ldexp(1.0, 53 * N);
}

template <class X>
double largest(const X& coordinates) {
  double size = 0;
  for (const auto& x : coordinates) size = std::max(size, std::fabs(double(x)));
  return size;
}

TYPED_TEST(CertifiedGeometryTest, EncloseDistancesAndMaps) {
  using V = typename TypeParam::Value;
  for (const double radius : {1.0, 0.7}) {
    const TypeParam model{V(radius)};
    const ManifoldOracle oracle(ModelOf<TypeParam>::value, Big(model.radius()));
    DrawPoints<TypeParam> draw(model, 11);
    double tight = 0;
    for (const double reach : {1e-12, 1e-3, 0.5, 2.0, 6.0, 15.0}) {
      for (int i = 0; i < 6; ++i) {
        const auto x = draw.point(reach * (i % 3) / 2), y = draw.point(reach);
        const auto v = draw.vector(x, radius * reach);
        const auto bx = big_vector(x), by = big_vector(y);
        const Big exact = oracle.dist(bx, by);
        const double near = expect_holds(dist_certified(model, x, y), exact, double(exact), "dist");
        const auto log = logmap_certified(model, x, y);
        const auto exact_log = oracle.logmap(bx, by);
        const auto exp = expmap_certified(model, x, v);
        const auto exact_exp = oracle.expmap(bx, big_vector(v));
        for (std::size_t c = 0; c < 3; ++c) {
          const double of_log = expect_holds(log[c], exact_log[c], largest(exact_log), "logmap");
          const double of_exp = expect_holds(exp[c], exact_exp[c], largest(exact_exp), "expmap");
          if (reach <= 2) tight = std::max({tight, of_log, of_exp});
        }
        if (reach <= 6) tight = std::max(tight, near);
      }
    }
    EXPECT_LT(tight, 4096) << "radii far above the error of the methods";
  }
}

TYPED_TEST(CertifiedGeometryTest, EqualPointsAndZeroVectors) {
  using V = typename TypeParam::Value;
  const TypeParam model{V(1)};
  DrawPoints<TypeParam> draw(model, 12);
  const auto x = draw.point(1.5);
  EXPECT_EQ(dist_certified(model, x, x).radius(), 0);
  for (const auto& c : logmap_certified(model, x, x)) EXPECT_LT(c.radius(), 1e-300);
  Point<V, 3> none;
  for (int i = 0; i < 3; ++i) none[i] = V(0);
  const auto same = expmap_certified(model, x, none);
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(std::fabs(double(x[i] - V(same[std::size_t(i)].value()))),
              same[std::size_t(i)].radius());
    EXPECT_LT(same[std::size_t(i)].radius(), 1e-15 * 64);
  }
}

TEST(CertifiedGeometry, KnowsNothingOutsideTheModel) {
  const PoincareBall<double> ball(1);
  const Point<double, 2> in(0.5, 0.1), out(1.5, 0.1), far(1.1, -3.0);
  EXPECT_TRUE(std::isinf(dist_certified(ball, in, out).radius()));
  EXPECT_TRUE(std::isinf(dist_certified(ball, far, out).radius()));
  for (const auto& c : logmap_certified(ball, far, out)) EXPECT_TRUE(std::isinf(c.radius()));
  const HalfSpace<double> half_space(1);
  const Point<double, 2> below(0.5, -0.1);
  EXPECT_TRUE(std::isinf(dist_certified(half_space, in, below).radius()));
}

}  // namespace
}  // namespace mct::geometry
