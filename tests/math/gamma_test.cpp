// The gamma function of negative arguments: values that are known, poles, zeros, underflow.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"

namespace mct::gamma_cases {

template <class X>
class Gamma : public ::testing::Test {};
using Types = ::testing::Types<f64x1, f64x2, f32x2, f32x3>;
TYPED_TEST_SUITE(Gamma, Types);

/// A few u^N.
template <class X>
void expect_near(const X& x, const X& expected) {
  EXPECT_LE(abs(x / expected - 1), 16 * std::numeric_limits<X>::epsilon());
}

TYPED_TEST(Gamma, OfHalfNumbers) {
  using X = TypeParam;
  using T = typename X::Scalar;
  const X root = sqrt(numbers::pi_v<X>);
  expect_near(tgamma(X(T(-0.5))), -2 * root);
  expect_near(tgamma(X(T(-1.5))), 4 * root / 3);
  expect_near(tgamma(X(T(-2.5))), -8 * root / 15);
  expect_near(lgamma(X(T(-0.5))), log(2 * root));
  expect_near(lgamma(X(T(-1.5))), log(4 * root / 3));
  // Gamma(x) Gamma(1 - x) = pi / sin(pi x)
  for (const int n : {3, 10, 20}) {
    const X x = X(T(-n)) - X(T(0.25));
    const X factor = numbers::pi_v<X> * sqrt(X(2)) * (n % 2 == 0 ? X(-1) : X(1));
    expect_near(tgamma(x) * tgamma(1 - x), factor);
    const X terms = lgamma(1 - x);
    EXPECT_LE(abs(lgamma(x) + terms - log(abs(factor))),
              8 * std::numeric_limits<X>::epsilon() * terms);
  }
}

TYPED_TEST(Gamma, AtAndNextToPoles) {
  using X = TypeParam;
  using T = typename X::Scalar;
  constexpr T infinity = std::numeric_limits<T>::infinity();
  for (const T pole : {T(-1), T(-2), T(-3), T(-30), T(-1e6), -std::numeric_limits<T>::max()}) {
    EXPECT_TRUE(isnan(tgamma(X(pole)))) << pole;
    EXPECT_EQ(lgamma(X(pole)).limb[0], infinity) << pole;
  }
  EXPECT_TRUE(isnan(tgamma(X(-infinity))));
  EXPECT_EQ(lgamma(X(-infinity)).limb[0], infinity);
  if constexpr (X::components > 1) {
    // Gamma(-3 + e) is near -1 / (6 e), and log of it, where e is the second limb
    const T e = std::ldexp(T(1), FloatTraits<T>::emin / 2);
    for (const T sign : {T(1), T(-1)}) {
      const X x = X(-3) + X(sign * e);
      expect_near(tgamma(x), X(-sign) / (X(6) * X(e)));
      expect_near(lgamma(x), -log(X(6)) - log(X(e)));
    }
  }
}

TYPED_TEST(Gamma, UnderflowsWithItsSign) {
  using X = TypeParam;
  using T = typename X::Scalar;
  for (const int n : {400, 401, 4001, 100000}) {
    const X r = tgamma(X(T(-n)) - X(T(0.5)));  // below -n: the next integer below is -n - 1
    EXPECT_EQ(r, 0) << n;
    EXPECT_EQ(std::signbit(r.limb[0]), n % 2 == 0) << n;
    EXPECT_TRUE(isfinite(lgamma(X(T(-n)) - X(T(0.5))))) << n;
  }
  EXPECT_EQ(tgamma(X(-std::numeric_limits<T>::denorm_min())).limb[0],
            -std::numeric_limits<T>::infinity());
}

/// Between the poles log |Gamma| has zeros, next to which its error is 1.5 u^N / 64.
TEST(Gamma, LogarithmNextToItsZeros) {
  for (const double zero : {-2.457024738220801, -2.747682646727413, -3.143580888349980,
                            -3.955294284858598, -4.039361839740537, -4.991544640560048}) {
    for (const double step : {0.0, 0x1p-60, -0x1p-50, 0x1p-30, -0x1p-12}) {
      const f64x2 x = f64x2(zero) + f64x2(step);
      const f64x4 truth = lgamma(f64x4(x));
      const f64x4 error = f64x4(lgamma(x)) - truth;
      const double scale = std::fmax(std::fabs(truth.limb[0]), 1.0 / 64);
      EXPECT_LE(std::fabs(error.limb[0]), 1.5 * scale * 0x1p-106) << zero << ' ' << step;
      EXPECT_NEAR(lgamma(f64x1(x)).limb[0], lgamma(f64x2(f64x1(x).limb[0])).limb[0], 0x1p-56);
    }
  }
}

}  // namespace mct::gamma_cases
