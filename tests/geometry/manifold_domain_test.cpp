// Where manifolds end: NaN in every operand, points outside, results that rounding would put there.
#include <gtest/gtest.h>

#include "tests/geometry/manifold_checks.hpp"

namespace mct::geometry_test {
namespace {

template <class V>
bool has_nan(const V& x) {
  return is_nan(x);
}
template <class V, int n>
bool has_nan(const geometry::Point<V, n>& x) {
  for (int i = 0; i < n; ++i)
    if (is_nan(x[i])) return true;
  return false;
}

/// Calls see(name, result) with every method of m.
template <class M, class P, class See>
void every_method(const M& m, const P& x, const P& y, const P& u, const P& v,
                  const typename M::Value& t, const See& see) {
  see("dist", m.dist(x, y));
  see("inner", m.inner(x, u, v));
  see("norm", m.norm(x, u));
  see("expmap", m.expmap(x, u));
  see("logmap", m.logmap(x, y));
  see("retr", m.retr(x, u));
  see("ptransp", m.ptransp(x, y, u));
  see("geodesic", m.geodesic(t, x, y));
  see("proju", m.proju(x, u));
  see("egrad2rgrad", m.egrad2rgrad(x, u));
}
/// Those of one point, or of one and a vector.
template <class M, class P, class See>
void every_method_of_one(const M& m, const P& y, const P& u, const See& see) {
  see("dist0", m.dist0(y));
  see("logmap0", m.logmap0(y));
  see("ptransp0", m.ptransp0(y, u));
}

template <class Type>
class DomainTest : public ManifoldTest<Type> {};
TYPED_TEST_SUITE_P(DomainTest);

TYPED_TEST_P(DomainTest, NanInGivesNanOut) {
  MCT_MANIFOLD_TEST_TYPES
  const V nan = V(FloatTraits<Limb<V>>::nan);
  const P good[] = {this->cases.point(0.7), this->cases.point(1.1),
                    this->cases.tangent(this->cases.point(0.7), 0.5),
                    this->cases.tangent(this->cases.point(0.7), 0.25)};
  const auto is_nan_where = [&](int operand, int i, bool reads) {
    return [=](const char* name, const auto& result) {
      if (reads) {
        EXPECT_TRUE(has_nan(result)) << name << ", operand " << operand << ", coordinate " << i;
      }
    };
  };
  for (int operand = 0; operand < 4; ++operand) {
    for (int i = 0; i < n; ++i) {
      for (const double t : {0.0, 0.3, 0.8, 1.0}) {
        P p[] = {good[0], good[1], good[2], good[3]};
        p[operand][i] = nan;
        const auto see = [&](const std::string& name, const auto& result) {
          // which operands a method has: points x and y, vectors u and v
          const bool two_points = name == "dist" || name == "logmap" || name == "geodesic";
          const bool has[] = {true, two_points || name == "ptransp", !two_points, name == "inner"};
          if (has[operand]) {
            EXPECT_TRUE(has_nan(result))
                << name << ", operand " << operand << ", coordinate " << i << ", t " << t;
          }
        };
        every_method(m, p[0], p[1], p[2], p[3], V(Limb<V>(t)), see);
      }
      P y = good[1];
      y[i] = nan;
      every_method_of_one(m, y, good[2], is_nan_where(1, i, true));
      EXPECT_TRUE(has_nan(m.expmap0(y))) << i;
      EXPECT_TRUE(has_nan(m.ptransp0(good[1], y))) << i;
      EXPECT_TRUE(has_nan(m.projx(y)) || Fixture::Info::chart == Model::lorentz) << i;
      EXPECT_FALSE(m.check_point(y)) << i;
      EXPECT_FALSE(m.check_vector(y, good[2])) << i;
    }
  }
  EXPECT_TRUE(has_nan(m.geodesic(nan, good[0], good[1])));
  EXPECT_TRUE(has_nan(m.geodesic(nan, good[0], good[0])));
}

/// Points with a coordinate that puts them outside the model.
template <class Type, class Fixture>
auto outside(Fixture& f) {
  using V = typename Type::Value;
  constexpr int n = ManifoldTest<Type>::coordinates;
  std::vector<geometry::Point<V, n>> points;
  auto p = f.cases.point(0.5);
  if (Type::Info::model == Model::half_space) {
    for (const double h : {0.0, -0.5, -1e3}) {
      p[n - 1] = V(Limb<V>(h));
      points.push_back(p);
    }
  } else if (Type::Info::chart == Model::ball || Type::Info::chart == Model::klein) {
    const V k = f.cases.manifold.radius();
    for (const double far : {1.25, 100.0}) {
      p[0] = k * V(Limb<V>(far));
      points.push_back(p);
    }
    p = p - p;
    p[0] = k + k * V(Limb<V>(4 * geometry::detail::unit_roundoff<V>()));
    points.push_back(p);
  }
  return points;
}

TYPED_TEST_P(DomainTest, PointsOutsideGiveNan) {
  MCT_MANIFOLD_TEST_TYPES
  const P x = this->cases.point(0.7);
  const P u = this->cases.tangent(x, 0.5);
  const auto expect_nan = [](const std::string& name, const auto& result) {
    EXPECT_TRUE(has_nan(result)) << name;
  };
  for (const P& bad : outside<TypeParam>(*this)) {
    SCOPED_TRACE(double(bad[n - 1]));
    EXPECT_FALSE(m.check_point(bad));
    for (const double t : {0.0, 0.3, 1.0}) {
      every_method(m, bad, x, u, u, V(Limb<V>(t)), expect_nan);
      expect_nan("geodesic", m.geodesic(V(Limb<V>(t)), x, bad));
    }
    every_method(m, bad, bad, u, u, V(Limb<V>(0.5)), expect_nan);
    every_method_of_one(m, bad, u, expect_nan);
    expect_nan("dist to", m.dist(x, bad));
    expect_nan("logmap to", m.logmap(x, bad));
    expect_nan("ptransp to", m.ptransp(x, bad, u));
    if constexpr (Fixture::hyperbolic) {
      expect_nan("convert", geometry::convert<geometry::PoincareBall>(m, bad));
      expect_nan("convert", geometry::convert<geometry::Klein>(m, bad));
      expect_nan("convert", geometry::convert<geometry::HalfSpace>(m, bad));
      expect_nan("convert", geometry::convert<geometry::Hemisphere>(m, bad));
      expect_nan("convert", geometry::convert<geometry::Lorentz>(m, bad));
    }
    EXPECT_TRUE(m.check_point(m.projx(bad), 64));
  }
}

/// Whatever the vector: its coordinates may be anything but infinite.
TYPED_TEST_P(DomainTest, ResultsAreInside) {
  MCT_MANIFOLD_TEST_TYPES
  if (!Fixture::hyperbolic) return;
  const double largest = double(FloatTraits<Limb<V>>::max);
  const double ceiling = Fixture::Info::chart == Model::lorentz ? 20 : 0.9 * largest;
  for (int i = 0; i < 300; ++i) {
    const double far = Fixture::Info::template farthest<V>();
    const P x = this->cases.point(this->cases.uniform(0, i % 2 == 0 ? 1 : 0.9 * far));
    P u = this->cases.tangent(x, 1);
    for (int j = 0; j < n; ++j) u[j] = u[j] * V(Limb<V>(0.125));
    const double length = std::exp(this->cases.uniform(0, std::log(ceiling)));
    if (Fixture::Info::chart != Model::lorentz) u = this->cases.tangent(x, 1) * V(Limb<V>(0.25));
    u = u * V(Limb<V>(std::min(length, 0.2 * largest)));
    const auto expect_inside = [&](const char* name, const P& z) {
      // up to the end of the range, where heights and the hyperboloid's coordinates are infinite
      for (int j = 0; j < n; ++j)
        if (std::isinf(double(z[j])) || (is_nan(z[j]) && length > 80)) {
          if (Fixture::Info::model == Model::half_space || Fixture::Info::chart == Model::lorentz)
            return;
        }
      EXPECT_TRUE(m.check_point(z, 1e3)) << name << i << " length " << length;
      if (Fixture::Info::chart == Model::ball || Fixture::Info::chart == Model::klein) {
        EXPECT_TRUE(std::isfinite(double(m.dist0(z)))) << name << i;
      }
    };
    expect_inside("retr", m.retr(x, u));
    expect_inside("expmap", m.expmap(x, u));
    expect_inside("expmap0", m.expmap0(this->cases.tangent(m.template origin<n>(), 1) *
                                       V(Limb<V>(std::min(length, 0.1 * largest)))));
    expect_inside("geodesic", m.geodesic(V(Limb<V>(0.75)), x, this->cases.point(far)));
  }
}

REGISTER_TYPED_TEST_SUITE_P(DomainTest, NanInGivesNanOut, PointsOutsideGiveNan, ResultsAreInside);
INSTANTIATE_TYPED_TEST_SUITE_P(Double, DomainTest, AllManifolds<double>);
INSTANTIATE_TYPED_TEST_SUITE_P(Float, DomainTest, AllManifolds<float>);
INSTANTIATE_TYPED_TEST_SUITE_P(Half, DomainTest, AllManifolds<half>);
INSTANTIATE_TYPED_TEST_SUITE_P(ShortTwo, DomainTest, AllManifolds<bf16x2>);
INSTANTIATE_TYPED_TEST_SUITE_P(DoubleTwo, DomainTest, AllManifolds<f64x2>);

}  // namespace
}  // namespace mct::geometry_test
