// Elementary functions at the edges of their domains, and where a result is known exactly. Accuracy
// against MPFR is the precision suite's task.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "tests/expansion/special_values.hpp"

namespace {

using mct::Expansion;

template <class X>
class Math : public mct::test::SpecialValues<X> {};
using Expansions = ::testing::Types<mct::f64x1, mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x1,
                                    mct::f32x2, mct::f32x3, mct::f32x4>;
TYPED_TEST_SUITE(Math, Expansions);

TYPED_TEST(Math, ExponentialsAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  M::expect_lead(exp(X(M::inf)), M::inf);
  M::expect_lead(exp(X(-M::inf)), 0);
  M::expect_lead(exp(X(M::nan)), M::nan);
  M::expect_lead(exp(X(M::max)), M::inf);
  M::expect_lead(exp(X(-M::max)), 0);
  EXPECT_EQ(exp(X(0)), 1);
  EXPECT_EQ(exp(-X(0)), 1);
  EXPECT_EQ(exp2(X(5)), 32);
  EXPECT_EQ(exp2(X(-1)), X(T(0.5)));
  M::expect_lead(exp2(X(T(mct::FloatTraits<T>::emax))), M::inf);
  M::expect_lead(exp2(X(T(mct::FloatTraits<T>::emin - 2))), 0);
  M::expect_lead(exp2(X(T(mct::FloatTraits<T>::emin))), M::tiny);
  M::expect_lead(expm1(X(M::inf)), M::inf);
  M::expect_lead(expm1(X(-M::inf)), -1);
  M::expect_lead(expm1(X(-M::max)), -1);
  M::expect_lead(expm1(-X(0)), -T(0));
  M::expect_lead(expm1(X(M::tiny)), M::tiny);
  M::expect_lead(exp2m1(X(M::inf)), M::inf);
  M::expect_lead(exp2m1(X(-M::inf)), -1);
  M::expect_lead(exp2m1(X(-M::max)), -1);
  M::expect_lead(exp2m1(X(M::nan)), M::nan);
  M::expect_lead(exp2m1(-X(0)), -T(0));
  M::expect_lead(exp2m1(X(M::tiny)), M::tiny);
  EXPECT_EQ(exp2m1(X(5)), 31);
  EXPECT_EQ(exp2m1(X(-2)), X(T(-0.75)));
}

TYPED_TEST(Math, LogarithmsAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  M::expect_lead(logit(X(0)), -M::inf);
  M::expect_lead(logit(X(1)), M::inf);
  M::expect_lead(logit(X(T(0.5))), 0);
  M::expect_lead(logit(X(T(1.25))), M::nan);
  M::expect_lead(logit(X(-M::tiny)), M::nan);
  M::expect_lead(logit(X(M::inf)), M::nan);
  EXPECT_EQ(logit(X(T(0.25))), -logit(X(T(0.75))));
  M::expect_lead(log2p1(X(-1)), -M::inf);
  M::expect_lead(log2p1(X(-2)), M::nan);
  M::expect_lead(log2p1(X(M::nan)), M::nan);
  M::expect_lead(log2p1(X(M::inf)), M::inf);
  M::expect_lead(log2p1(-X(0)), -T(0));
  M::expect_lead(log2p1(X(M::tiny)), M::tiny);
  EXPECT_EQ(log2p1(X(31)), 5);
  EXPECT_EQ(log2p1(X(T(-0.75))), -2);
  M::expect_lead(log(X(0)), -M::inf);
  M::expect_lead(log(-X(0)), -M::inf);
  M::expect_lead(log(X(-1)), M::nan);
  M::expect_lead(log(X(M::inf)), M::inf);
  M::expect_lead(log(X(-M::inf)), M::nan);
  M::expect_lead(log(X(M::nan)), M::nan);
  M::expect_lead(log(X(1)), 0);
  EXPECT_EQ(log2(X(T(1024))), 10);
  EXPECT_EQ(log2(X(M::tiny)), T(mct::FloatTraits<T>::emin));
  EXPECT_EQ(log10(X(1)), 0);
  M::expect_lead(log1p(X(-1)), -M::inf);
  M::expect_lead(log1p(X(-2)), M::nan);
  M::expect_lead(log1p(-X(0)), -T(0));
  M::expect_lead(log1p(X(M::tiny)), M::tiny);
  M::expect_lead(log1p(X(M::inf)), M::inf);
  EXPECT_TRUE(isfinite(log1p(X(M::max))));
  EXPECT_TRUE(isfinite(log(X(M::max))));
}

TYPED_TEST(Math, HyperbolicAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  for (const T sign : {T(1), T(-1)}) {
    M::expect_lead(sinh(X(sign * M::inf)), sign * M::inf);
    M::expect_lead(sinh(X(sign * M::max)), sign * M::inf);
    M::expect_lead(sinh(X(sign * T(0))), sign * T(0));
    M::expect_lead(cosh(X(sign * M::inf)), M::inf);
    EXPECT_EQ(cosh(X(sign * T(0))), 1);
    M::expect_lead(tanh(X(sign * M::inf)), sign);
    M::expect_lead(tanh(X(sign * M::max)), sign);
    M::expect_lead(tanh(X(sign * T(0))), sign * T(0));
    M::expect_lead(tanh(X(sign * M::tiny)), sign * M::tiny);
    M::expect_lead(asinh(X(sign * M::inf)), sign * M::inf);
    M::expect_lead(asinh(X(sign * T(0))), sign * T(0));
    EXPECT_TRUE(isfinite(asinh(X(sign * M::max))));
    M::expect_lead(atanh(X(sign)), sign * M::inf);
    M::expect_lead(atanh(X(sign * 2)), M::nan);
    M::expect_lead(atanh(X(sign * M::inf)), M::nan);
    EXPECT_EQ(sinhc(X(sign * M::tiny)), 1);
    M::expect_lead(sinhc(X(sign * M::inf)), M::inf);
    EXPECT_EQ(rsinhc(X(sign * T(0))), 1);
    M::expect_lead(rsinhc(X(sign * M::inf)), 0);
    EXPECT_EQ(tanhc(X(sign * T(0))), 1);
    M::expect_lead(tanhc(X(sign * M::inf)), 0);
    EXPECT_EQ(rtanhc(X(sign * T(0))), 1);
    M::expect_lead(rtanhc(X(sign * M::inf)), M::inf);
  }
  M::expect_lead(acosh(X(1)), 0);
  M::expect_lead(acosh(X(T(0.5))), M::nan);
  M::expect_lead(acosh(X(-M::inf)), M::nan);
  M::expect_lead(acosh(X(M::inf)), M::inf);
  M::expect_lead(arcosh1p(X(0)), 0);
  M::expect_lead(arcosh1p(X(-1)), M::nan);
  M::expect_lead(arcosh1p(X(M::inf)), M::inf);
  for (const auto& f : {tanh(X(M::nan)), sinh(X(M::nan)), cosh(X(M::nan)), asinh(X(M::nan)),
                        acosh(X(M::nan)), atanh(X(M::nan)), sinhc(X(M::nan)), rsinhc(X(M::nan)),
                        tanhc(X(M::nan)), rtanhc(X(M::nan)), arcosh1p(X(M::nan))})
    M::expect_lead(f, M::nan);
}

/// A limb may be far below the one before it, so a number may be as near to a pole as the smallest
/// float.
TYPED_TEST(Math, LogarithmsNextToTheirPoles) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using Traits = mct::FloatTraits<T>;
  if constexpr (X::components > 1) {
    const auto expect_near = [](const X& x, const X& wanted, int exponent) {
      const X error = abs(x - wanted) / abs(wanted);
      EXPECT_LE(std::log2(double(error.limb[0])), 2 - X::components * Traits::p)
          << "next to the pole by 2^" << exponent;
    };
    for (int exponent = Traits::emin; exponent < -Traits::p; ++exponent) {
      const X beside(std::ldexp(T(1), exponent));
      const X log_beside = log(beside);
      expect_near(log1p(beside - 1), log_beside, exponent);
      expect_near(log2p1(beside - 1), log2(beside), exponent);
      const X wanted = (log(2 - beside) - log_beside) / 2;
      expect_near(atanh(1 - beside), wanted, exponent);
      expect_near(atanh(beside - 1), -wanted, exponent);
      expect_near(logit(1 - beside), log(1 - beside) - log_beside, exponent);
    }
  }
}

/// At the arguments from which on another formula holds.
TYPED_TEST(Math, RatiosWhereTheirFormulaChanges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  constexpr int N = X::components > 1 ? X::components : 2;  // one component is computed in two
  for (const T sign : {T(1), T(-1)}) {
    const X end(sign * mct::detail::exp_limit<T>);
    M::expect_lead(sinhc(end), M::inf);
    M::expect_lead(rsinhc(end), 0);
    // tanh is 1 from here on
    const T limit = mct::detail::tanh_limit<T, N>;
    const X unit = X(limit) * tanhc(X(sign * limit));
    EXPECT_LE(abs(unit - 1), 4 * X(std::numeric_limits<X>::epsilon()));
    EXPECT_EQ(rtanhc(X(sign * limit)), X(limit));
  }
}

TYPED_TEST(Math, TrigonometryAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  for (const T bad : {M::inf, -M::inf, M::nan}) {
    M::expect_lead(sin(X(bad)), M::nan);
    M::expect_lead(cos(X(bad)), M::nan);
    M::expect_lead(tan(X(bad)), M::nan);
    M::expect_lead(sinpi(X(bad)), M::nan);
    M::expect_lead(cospi(X(bad)), M::nan);
    M::expect_lead(asin(X(bad)), M::nan);
    M::expect_lead(acos(X(bad)), M::nan);
  }
  M::expect_lead(sin(-X(0)), -T(0));
  M::expect_lead(tan(-X(0)), -T(0));
  EXPECT_EQ(cos(X(0)), 1);
  M::expect_lead(sin(X(M::tiny)), M::tiny);
  M::expect_lead(sinpi(X(-3)), -T(0));
  M::expect_lead(sinpi(X(4)), 0);
  M::expect_lead(sinpi(X(3)), 0);
  M::expect_lead(sinpi(X(-4)), -T(0));
  EXPECT_GT(sinpi(X(T(1) / 64)), X(T(3) / 64));
  EXPECT_EQ(sinpi(X(T(2.5))), 1);
  EXPECT_EQ(cospi(X(3)), -1);
  for (const double half : {0.5, 1.5, 2.5, -0.5, -1.5}) M::expect_lead(cospi(X(T(half))), 0);
  M::expect_lead(asin(X(T(1.5))), M::nan);
  M::expect_lead(acos(X(-2)), M::nan);
  M::expect_lead(acos(X(1)), 0);
  EXPECT_EQ(acos(X(-1)), 2 * acos(X(0)));
  EXPECT_EQ(asin(X(1)), atan(X(M::inf)));
  EXPECT_EQ(asin(X(-1)), atan(X(-M::inf)));
  M::expect_lead(atan(-X(0)), -T(0));
  const X x = X(T(0.7));
  const auto [s, c] = sincos(x);
  EXPECT_EQ(s, sin(x));
  EXPECT_EQ(c, cos(x));
}

/// Numbers of one component next to multiples of pi, where p bits cancel.
TYPED_TEST(Math, SinesNextToTheirZeros) {
  using X = TypeParam;
  using T = typename X::Scalar;
  if constexpr (X::components == 2 || X::components == 3) {
    for (int k = 1; k < 500; ++k) {
      const T x = T(k * 3.14159265358979323846);
      const X error = sin(X(x)) - X(sin(mct::Expansion<T, 4>(x)));
      EXPECT_LE(abs(error / sin(X(x))), X(T(0.75) * std::numeric_limits<X>::epsilon().limb[0]))
          << k;
    }
  }
}

TYPED_TEST(Math, AtanOfAxesAndDiagonals) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  const T values[] = {T(0), -T(0), T(1), T(-1), M::inf, -M::inf, M::nan};
  for (const T y : values)
    for (const T x : values) M::expect_lead(atan2(X(y), X(x)), std::atan2(y, x));
}

TYPED_TEST(Math, PowersFollowC) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  const T values[] = {T(0),   -T(0),  T(1),    T(-1),  T(2),   T(-2),   T(3),    T(-3),   T(0.5),
                      T(-.5), M::inf, -M::inf, M::nan, M::max, -M::max, M::tiny, -M::tiny};
  for (const T x : values)
    for (const T y : values) {
      const T expected = std::pow(x, y);
      const X result = pow(X(x), X(y));
      if (expected == 0 || !std::isfinite(expected)) {
        M::expect_lead(result, expected);
      } else {
        EXPECT_NEAR(double(result.limb[0] / expected), 1, 4 * double(mct::FloatTraits<T>::u));
      }
    }
  M::expect_lead(cbrt(-X(0)), -T(0));
  M::expect_lead(cbrt(X(-M::inf)), -M::inf);
  EXPECT_EQ(cbrt(X(-27)), -3);
  M::expect_lead(hypot(X(M::inf), X(M::nan)), M::inf);
  M::expect_lead(hypot(X(M::nan), X(1)), M::nan);
  M::expect_lead(hypot(X(1), X(M::nan)), M::nan);
  M::expect_lead(hypot(X(M::nan), X(M::nan)), M::nan);
  M::expect_lead(hypot(-X(0), -X(0)), 0);
  EXPECT_EQ(hypot(X(3), X(-4)), 5);
  M::expect_lead(hypot(X(M::max), X(M::max)), M::inf);
}

TYPED_TEST(Math, SpecialFunctionsAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  M::expect_lead(erf(X(M::inf)), 1);
  M::expect_lead(erf(X(-M::inf)), -1);
  M::expect_lead(erf(-X(0)), -T(0));
  M::expect_lead(erf(X(M::nan)), M::nan);
  M::expect_lead(erfc(X(M::inf)), 0);
  M::expect_lead(erfc(X(-M::inf)), 2);
  M::expect_lead(erfc(X(M::nan)), M::nan);
  M::expect_lead(lgamma(X(0)), M::inf);
  M::expect_lead(lgamma(X(1)), 0);
  M::expect_lead(lgamma(X(2)), 0);
  M::expect_lead(lgamma(X(M::inf)), M::inf);
  M::expect_lead(lgamma(X(-1)), M::inf);
  M::expect_lead(lgamma(X(-M::inf)), M::inf);
  M::expect_lead(lgamma(X(M::nan)), M::nan);
  // x (log x - 1) for x so large that the rest does not count, next to the overflow
  const X large = ldexp(X(1) + X(1) / 3, mct::FloatTraits<T>::emax - 12);
  EXPECT_LE(abs(lgamma(large) / large - (log(large) - 1)),
            1000 * std::numeric_limits<X>::epsilon());
  M::expect_lead(tgamma(X(0)), M::inf);
  M::expect_lead(tgamma(-X(0)), -M::inf);
  M::expect_lead(tgamma(X(-1)), M::nan);
  M::expect_lead(tgamma(X(M::inf)), M::inf);
  M::expect_lead(tgamma(X(T(200))), M::inf);
  EXPECT_LT(tgamma(X(T(mct::FloatTraits<T>::emax == 1024 ? 171.5 : 35))), M::inf);
  M::expect_lead(tgamma(X(5)), 24);
}

TYPED_TEST(Math, ActivationsAtTheEdges) {
  using X = TypeParam;
  using T = typename X::Scalar;
  using M = Math<X>;
  EXPECT_EQ(sigmoid(X(0)), X(T(0.5)));
  M::expect_lead(sigmoid(X(M::inf)), 1);
  M::expect_lead(sigmoid(X(-M::inf)), 0);
  M::expect_lead(sigmoid(X(-M::max)), 0);
  EXPECT_EQ(sigmoid(X(mct::detail::exp_limit<T>)), 1);  // from here on there is nothing after 1
  M::expect_lead(softplus(X(M::inf)), M::inf);
  M::expect_lead(softplus(X(-M::inf)), 0);
  M::expect_lead(softplus(X(M::max)), M::max);
  M::expect_lead(log_sigmoid(X(-M::inf)), -M::inf);
  M::expect_lead(log_sigmoid(X(M::inf)), -T(0));
  M::expect_lead(gelu(X(M::inf)), M::inf);
  M::expect_lead(gelu(X(-M::inf)), -T(0));
  M::expect_lead(gelu(-X(0)), -T(0));
  M::expect_lead(log_cosh(X(-M::inf)), M::inf);
  M::expect_lead(log_cosh(X(0)), 0);
  EXPECT_TRUE(isfinite(log_cosh(X(M::max))));
  for (const auto& f : {sigmoid(X(M::nan)), softplus(X(M::nan)), log_sigmoid(X(M::nan)),
                        gelu(X(M::nan)), log_cosh(X(M::nan))})
    M::expect_lead(f, M::nan);
}

/// What only the second limb tells.
TEST(MathSecondLimb, Decides) {
  using X = mct::f64x2;
  const X above = X::from_limbs(1.0, 0x1p-60);
  const X below = X::from_limbs(1.0, -0x1p-60);
  EXPECT_TRUE(std::isnan(acosh(below).limb[0]));
  EXPECT_GT(acosh(above), 0);
  EXPECT_TRUE(std::isnan(asin(above).limb[0]));
  EXPECT_FALSE(std::isnan(asin(below).limb[0]));
  EXPECT_TRUE(std::isnan(atanh(above).limb[0]));
  EXPECT_FALSE(std::isnan(atanh(below).limb[0]));
  EXPECT_TRUE(std::isnan(log1p(-above).limb[0]));
  EXPECT_LT(log1p(-below), -41);
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(pow(above, X(inf)), inf);
  EXPECT_EQ(pow(below, X(inf)), 0);
  // an odd exponent whose leading limb is even
  EXPECT_EQ(pow(X(-1), X::from_limbs(0x1p60, 1.0)), -1);
}

}  // namespace
