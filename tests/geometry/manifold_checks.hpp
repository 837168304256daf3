// One test of every method of every manifold, for a list of value types: laws that hold whatever
// the formula, and errors against MPFR with the bounds that the headers state.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/geometry/manifold_cases.hpp"
#include "tests/geometry/worst.hpp"

namespace mct::geometry_test {

using namespace mct::validation;

template <class V>
bool is_zero(const V& x) {
  return x == V(scalar_t<V>(0));
}
template <class V, int n>
bool all_zero(const geometry::Point<V, n>& x) {
  for (int i = 0; i < n; ++i)
    if (!is_zero(x[i])) return false;
  return true;
}
template <class V>
bool is_nan(const V& x) {
  return !(x == x);
}

/// A manifold and a value type, for TYPED_TEST.
template <template <class> class M, class V>
struct On {
  template <class U>
  using Manifold = M<U>;
  using Value = V;
  using Info = ModelInfo<M>;
  static Cases<M, V> cases(double radius) { return Cases<M, V>(radius); }
};

template <class Type>
class ManifoldTest : public ::testing::Test {
 public:
  using Number = typename Type::Value;
  using Info = typename Type::Info;
  static constexpr int coordinates = 3 + Info::extra;
  static constexpr double units = geometry::manifold_bound<Number>(coordinates);
  using Vector = geometry::Point<Number, coordinates>;
  static constexpr bool flat = Info::model == Model::euclidean || Info::model == Model::sphere;
  static constexpr bool hyperbolic = !flat;
  static constexpr int count = 48;

  ManifoldTest() : cases(Type::cases(1.5)), oracle(Info::model, Big(cases.manifold.radius())) {}

  static BigVector big(const Vector& x) { return validation::big_vector(x); }
  /// What limbs below the smallest subnormal may leave.
  static Big eta(const Big& scale = Big(1)) {
    return Big(64) * scale * Big(double(FloatTraits<Limb<Number>>::eta));
  }
  Big blur(const BigVector& x) const {
    return BoundReference::blur(Info::chart, oracle.radius(), x);
  }
  Big off(const BigVector& x) const { return BoundReference::off(Info::chart, oracle.radius(), x); }
  BoundReference reference(const BigVector& x, const BigVector& y) const {
    return {Info::chart, oracle, x, y};
  }

  decltype(Type::cases(1)) cases;
  ManifoldOracle oracle;
};
TYPED_TEST_SUITE_P(ManifoldTest);

#define MCT_MANIFOLD_TEST_TYPES                            \
  using Fixture = ManifoldTest<TypeParam>;                 \
  using V [[maybe_unused]] = typename Fixture::Number;     \
  using P [[maybe_unused]] = typename Fixture::Vector;     \
  [[maybe_unused]] constexpr int n = Fixture::coordinates; \
  [[maybe_unused]] constexpr double k = Fixture::units;    \
  [[maybe_unused]] const auto& m = this->cases.manifold;   \
  [[maybe_unused]] const Big u_n = unit<V>();

TYPED_TEST_P(ManifoldTest, DistanceNormLogarithm) {
  MCT_MANIFOLD_TEST_TYPES
  Worst dist("dist"), norm("norm"), inner("inner"), log("logmap");
  for (int i = 0; i < Fixture::count; ++i) {
    const auto p = this->cases.make(i);
    const auto x = this->big(p.x), y = this->big(p.y), u = this->big(p.u), v = this->big(p.v);
    const Big d = this->oracle.dist(x, y);
    const auto reference = this->reference(x, y);
    dist.add(abs(Big(m.dist(p.x, p.y)) - d), u_n, k, reference.dist(d), i, this->eta());
    const Big size = this->oracle.norm_at(x, u);
    norm.add(abs(Big(m.norm(p.x, p.u)) - size), u_n, k, size, i, this->eta());
    if (size < Big(std::sqrt(double(FloatTraits<Limb<V>>::max)) / 1024)) {
      const Big other = this->oracle.norm_at(x, v);
      inner.add(abs(Big(m.inner(p.x, p.u, p.v)) - this->oracle.inner(x, u, v)), u_n, k,
                size * other * this->blur(x), i, this->eta(Big(1e4)));
    }
    if (p.x == p.y) {
      EXPECT_TRUE(is_zero(m.dist(p.x, p.y))) << i;
      EXPECT_TRUE(all_zero(m.logmap(p.x, p.y))) << i;
      continue;
    }
    if (reference.opposite()) continue;
    const BigVector exact = this->oracle.logmap(x, y);
    log.add(validation::norm(this->big(m.logmap(p.x, p.y)) - exact), u_n, k,
            reference.logmap(exact), i, this->eta());
  }
}

TYPED_TEST_P(ManifoldTest, ExponentialMap) {
  MCT_MANIFOLD_TEST_TYPES
  Worst exp("expmap"), retr("retr");
  for (int i = 0; i < Fixture::count; ++i) {
    const auto p = this->cases.make(i);
    const std::vector<BigVector> in{this->big(p.x), this->big(p.u)};
    const auto f = [&](const std::vector<BigVector>& at) {
      return this->oracle.expmap(at[0], at[1]);
    };
    const BigVector exact = f(in);
    const BigVector spread = validation::condition(in, f);
    const BigVector result = this->big(m.expmap(p.x, p.u));
    // in the half-space each coordinate for itself, elsewhere the vector as a whole
    const Big whole = validation::norm(exact) + validation::norm(spread) +
                      this->reference(exact, exact).kept_inside(point_type<V>, exact);
    for (std::size_t j = 0; j < std::size_t(n); ++j) {
      const bool alone = Fixture::Info::model == Model::half_space;
      if (abs(exact[j]) > Big(double(FloatTraits<Limb<V>>::max) / 1e6)) continue;
      exp.add(abs(result[j] - exact[j]), u_n, k, alone ? abs(exact[j]) + spread[j] : whole, i,
              this->eta());
    }
    if constexpr (Fixture::hyperbolic) {
      // the same geodesic at K asinh(|u| / K)
      if (i % 6 == 4) continue;
      const Big s = this->oracle.norm_at(in[0], in[1]) / this->oracle.radius();
      const BigVector w = s.is_zero() ? in[1] : in[1] * (asinh(s) / s);
      retr.add(validation::norm(this->big(m.retr(p.x, p.u)) - f({in[0], w})), u_n, k, whole, i,
               this->eta());
    }
    // the result is a point, unless it is nearer to the boundary than coordinates can tell
    const bool huge = i % 6 == 4;
    if (!huge && double(this->oracle.dist(this->big(m.template origin<n>()), exact)) <
                     Fixture::Info::template farthest<V>()) {
      EXPECT_TRUE(m.check_point(m.expmap(p.x, p.u), 1e3)) << i;
    }
  }
}

TYPED_TEST_P(ManifoldTest, ParallelTransport) {
  MCT_MANIFOLD_TEST_TYPES
  Worst transport("ptransp"), kept("inner products kept");
  for (int i = 0; i < Fixture::count; ++i) {
    auto p = this->cases.make(i);
    p.u = this->cases.tangent(p.x, 1);
    p.v = this->cases.tangent(p.x, 2);
    const auto x = this->big(p.x), y = this->big(p.y), u = this->big(p.u);
    const auto reference = this->reference(x, y);
    const P a = m.ptransp(p.x, p.y, p.u);
    const P b = m.ptransp(p.x, p.y, p.v);
    const Big blur = this->blur(x) + this->blur(y);
    if (!reference.opposite()) {
      const BigVector error = this->big(a) - this->oracle.ptransp(x, y, u);
      transport.add(this->oracle.norm_at(y, error), u_n, k, reference.ptransp(u), i,
                    this->eta(Big(1e6) * blur * blur));
    }
    const Big before = this->oracle.inner(x, u, this->big(p.v));
    const Big after = this->oracle.inner(y, this->big(a), this->big(b));
    kept.add(abs(before - after), u_n, 4 * k,
             this->oracle.norm_at(x, u) * this->oracle.norm_at(x, this->big(p.v)) * blur * blur, i,
             this->eta(Big(1e6) * blur * blur));
  }
}

TYPED_TEST_P(ManifoldTest, LawsOfDistance) {
  MCT_MANIFOLD_TEST_TYPES
  for (int i = 0; i < Fixture::count; ++i) {
    const auto p = this->cases.make(i);
    const Big xy = Big(m.dist(p.x, p.y));
    const Big xz = Big(m.dist(p.x, p.z));
    const Big zy = Big(m.dist(p.z, p.y));
    const Big off =
        this->off(this->big(p.x)) + this->off(this->big(p.y)) + this->off(this->big(p.z));
    EXPECT_TRUE(xy <= (xz + zy) * (Big(1) + Big(4 * k) * u_n) + off * Big(4 * k) * u_n)
        << "triangle inequality, case " << i;
    const Big back = abs(Big(m.dist(p.y, p.x)) - xy);
    EXPECT_TRUE(back <= xy * u_n * Big(2 * k) + off * Big(2 * k) * u_n) << "symmetry, case " << i;
    // the length of the logarithm is the distance
    const Big length = Big(m.norm(p.x, m.logmap(p.x, p.y)));
    const Big blur = this->blur(this->big(p.x));
    EXPECT_TRUE(abs(length - xy) <= (xy * blur + off) * u_n * Big(4 * k) + this->eta(Big(1e6)))
        << "norm(logmap), case " << i;
  }
}

TYPED_TEST_P(ManifoldTest, ExponentialAndLogarithmInvert) {
  MCT_MANIFOLD_TEST_TYPES
  Worst there("expmap(logmap)"), half("geodesic");
  for (int i = 0; i < Fixture::count; ++i) {
    const P x = this->cases.point(this->cases.uniform(0, 2));
    const P y = this->cases.point(this->cases.uniform(0, 2));
    const P z = m.expmap(x, m.logmap(x, y));
    // e^2 and e^4 for the distances
    there.add(this->oracle.dist(this->big(z), this->big(y)), u_n, 60 * k, Big(1), i, this->eta());
    const P middle = m.geodesic(V(0.5), x, y);
    half.add(abs(this->oracle.dist(this->big(x), this->big(middle)) * Big(2) -
                 this->oracle.dist(this->big(x), this->big(y))),
             u_n, 60 * k, Big(1), i, this->eta());
    EXPECT_TRUE(m.check_vector(x, m.logmap(x, y), 1e3)) << i;
  }
}

TYPED_TEST_P(ManifoldTest, OriginAndGradient) {
  MCT_MANIFOLD_TEST_TYPES
  Worst far("dist0"), there("expmap0"), back("logmap0"), carried("ptransp0"),
      gradient("egrad2rgrad");
  const P o = m.template origin<n>();
  EXPECT_TRUE(m.check_point(o));
  EXPECT_TRUE(is_zero(m.dist0(o)));
  for (int i = 0; i < Fixture::count; ++i) {
    const auto p = this->cases.make(i);
    const BigVector origin = this->big(o), x = this->big(p.x);
    const Big d = this->oracle.dist(origin, x);
    const auto reference = this->reference(origin, x);
    far.add(abs(Big(m.dist0(p.x)) - d), u_n, k, reference.dist(d), i, this->eta());
    const P u = this->cases.tangent(o, this->cases.uniform(0, 2));
    const BigVector exact = this->oracle.expmap(origin, this->big(u));
    there.add(validation::norm(this->big(m.expmap0(u)) - exact), u_n, 4 * k,
              validation::norm(exact), i, this->eta());
    const BigVector log = this->oracle.logmap(origin, x);
    back.add(validation::norm(this->big(m.logmap0(p.x)) - log), u_n, k, reference.logmap(log), i,
             this->eta());
    const BigVector moved = this->oracle.ptransp(origin, x, this->big(u));
    const Big blur = this->blur(x);
    carried.add(this->oracle.norm_at(x, this->big(m.ptransp0(p.x, u)) - moved), u_n, k,
                Big(4) * this->oracle.norm_at(x, moved) * blur, i,
                this->eta(Big(1e6) * blur * blur));
    // the gradient's product with a vector is the derivative along it
    if (i % 3 == 2) continue;
    const P g = this->cases.tangent(o, 1);
    const P r = m.egrad2rgrad(p.x, g);
    const P v = this->cases.tangent(p.x, 1);
    const Big along = validation::dot(this->big(g), this->big(v));
    const Big size = validation::norm(this->big(g)) * validation::norm(this->big(v));
    gradient.add(abs(this->oracle.inner(x, this->big(r), this->big(v)) - along), u_n, 4 * k,
                 size * blur * blur, i, this->eta(Big(1e6) * blur * blur));
  }
}

TYPED_TEST_P(ManifoldTest, RadiusScales) {
  MCT_MANIFOLD_TEST_TYPES
  // a radius four times as large, bit for bit: powers of two (of four under roots) change no digit
  const std::remove_cvref_t<decltype(m)> wide(V(m.radius() * V(4)));
  const V scale = V(Fixture::Info::chart == Model::half_space ? 1 : 4);
  for (int i = 0; i < 12; ++i) {
    const P x = this->cases.point(this->cases.uniform(0, 2));
    const P y = this->cases.point(this->cases.uniform(0, 2));
    const V d = m.dist(x, y) * V(Fixture::Info::chart == Model::euclidean ? scale : V(4));
    EXPECT_EQ(wide.dist(x * scale, y * scale), d);
    const P log = m.logmap(x, y);
    EXPECT_TRUE(wide.logmap(x * scale, y * scale) == log * scale) << i;
    EXPECT_TRUE(wide.expmap(x * scale, log * scale) == m.expmap(x, log) * scale) << i;
  }
}

TYPED_TEST_P(ManifoldTest, SpecialValues) {
  MCT_MANIFOLD_TEST_TYPES
  const P x = this->cases.point(1);
  const P zero = x - x;
  EXPECT_TRUE(is_zero(m.dist(x, x)));
  EXPECT_TRUE(all_zero(m.logmap(x, x)));
  EXPECT_TRUE(this->oracle.dist(this->big(m.expmap(x, zero)), this->big(x)) <= Big(k * 10) * u_n);
  EXPECT_TRUE(m.check_vector(x, P(zero)));
  P bad = x;
  bad[n - 1] = V(FloatTraits<Limb<V>>::nan);
  EXPECT_TRUE(is_nan(m.dist(x, bad)));
  EXPECT_TRUE(is_nan(m.norm(x, bad)));
  EXPECT_TRUE(is_nan(m.expmap(x, bad)[n - 1]));
  EXPECT_FALSE(m.check_point(bad));
  bad[n - 1] = V(FloatTraits<Limb<V>>::infinity);
  EXPECT_FALSE(m.check_vector(x, bad));
  // points come out of projx as they go in, others become points
  EXPECT_TRUE(this->oracle.dist(this->big(m.projx(x)), this->big(x)) <= Big(k) * u_n);
  const P outside = P(this->cases.tangent(x, 1)) * V(100);
  EXPECT_TRUE(m.check_point(m.projx(outside), 64));
  EXPECT_TRUE(m.check_vector(x, m.proju(x, outside), 64));
  EXPECT_TRUE(m.check_point(m.template random_normal<n>(7, 3, 0.5), 64));
  EXPECT_TRUE((m.template random_normal<n>(7, 3, 0.5)) == (m.template random_normal<n>(7, 3, 0.5)));
  // run-time sizes: the same bits, and other sizes are refused
  using D = geometry::Point<V>;
  EXPECT_EQ(m.dist(D(m.template origin<n>()), D(x)), m.dist0(x));
  EXPECT_THROW(m.dist(D(x), D(n + 1)), ShapeError);
}

REGISTER_TYPED_TEST_SUITE_P(ManifoldTest, DistanceNormLogarithm, ExponentialMap, ParallelTransport,
                            LawsOfDistance, ExponentialAndLogarithmInvert, OriginAndGradient,
                            RadiusScales, SpecialValues);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ManifoldTest);  // some only want its operands

template <class V>
using AllManifolds =
    ::testing::Types<On<geometry::PoincareBall, V>, On<geometry::HalfSpace, V>,
                     On<geometry::Lorentz, V>, On<geometry::Klein, V>, On<geometry::Hemisphere, V>,
                     On<geometry::Euclidean, V>, On<geometry::Sphere, V>>;

}  // namespace mct::geometry_test
