// Functions whose value is a number of the type give that number. The suite's category "exact
// results" takes random ones.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"

namespace mct::exact_results {

template <class X>
class ExactResults : public ::testing::Test {};
using Types = ::testing::Types<f64x2, f64x4, f32x3>;
TYPED_TEST_SUITE(ExactResults, Types);

TYPED_TEST(ExactResults, Factorials) {
  using X = TypeParam;
  X factorial = 1;
  for (int n = 1; n <= 18; ++n) {
    EXPECT_EQ(tgamma(X(n)), factorial) << n;
    factorial *= X(n);
  }
  EXPECT_EQ(floor(tgamma(X(1))), 1);
}

TYPED_TEST(ExactResults, Powers) {
  using X = TypeParam;
  using T = typename X::Scalar;
  for (const int i : {2, 3, 7, 10, 35, 1000, 4095}) {
    const X x(i);
    EXPECT_EQ(pow(x, X(2)), x * x) << i;
    EXPECT_EQ(pow(-x, X(3)), -x * x * x) << i;
    EXPECT_EQ(pow(x * x, X(T(0.5))), x) << i;
    EXPECT_EQ(pow(x * x, X(T(1.5))), x * x * x) << i;
    EXPECT_EQ(pow(x, 2), x * x) << i;
  }
  EXPECT_EQ(pow(X(4), X(T(-1.5))), X(T(0.125)));
  EXPECT_EQ(pow(X(2), -7), X(T(1) / 128));
  // next to 1, where the distance from 1 is what counts
  const X next = X(T(1) + std::ldexp(T(1), -12));
  EXPECT_EQ(pow(next, X(2)), next * next);
  EXPECT_EQ(pow(next * next, X(T(0.5))), next);
}

/// The first power is its argument, with gaps between its limbs; what is near 1 is not 1.
TYPED_TEST(ExactResults, PowersOfWhatIsNoShortNumber) {
  using X = TypeParam;
  using T = typename X::Scalar;
  const X gap = X(1) + X(std::ldexp(T(1), -120));
  EXPECT_EQ(pow(gap, X(1)), gap);
  EXPECT_EQ(pow(gap, 1), gap);
  const X gap_of_three = gap + 2;
  EXPECT_EQ(pow(gap_of_three, X(1)), gap_of_three);
  const X power = pow(gap, X(3));
  EXPECT_GT(power, 1);
  EXPECT_LE(abs((power - 1) - X(std::ldexp(T(3), -120))), X(std::ldexp(T(1), -130)));
}

TYPED_TEST(ExactResults, LogarithmsOfPowers) {
  using X = TypeParam;
  using T = typename X::Scalar;
  X ten = 1;
  for (int k = 1; k <= 20; ++k) {
    ten *= X(10);
    EXPECT_EQ(log10(ten), k);
  }
  for (int k = FloatTraits<T>::emin; k < FloatTraits<T>::emax; k += 7) {
    EXPECT_EQ(log2(X(std::ldexp(T(1), k))), k);
    EXPECT_EQ(exp2(X(k)), X(std::ldexp(T(1), k)));
  }
}

TYPED_TEST(ExactResults, RootsOfPowers) {
  using X = TypeParam;
  using T = typename X::Scalar;
  for (int i = 1; i < 200; ++i) {
    const X x = ldexp(X(i), i % 31 - 15);
    EXPECT_EQ(cbrt(x * x * x), x) << i;
    EXPECT_EQ(cbrt(-x * x * x), -x) << i;
    EXPECT_EQ(hypot(X(3) * x, X(-4) * x), X(5) * x) << i;
    EXPECT_EQ(hypot(X(20) * x, X(21) * x), X(29) * x) << i;
    EXPECT_EQ(hypot(x, X(0)), x) << i;
  }
  const X full = X(T(0.7));
  EXPECT_EQ(hypot(X(8) * full, X(15) * full), X(17) * full);
}

TYPED_TEST(ExactResults, AnglesOfAxesAndDiagonals) {
  using X = TypeParam;
  const X pi = numbers::pi_v<X>;
  EXPECT_EQ(atan2(X(1), X(1)), ldexp(pi, -2));
  EXPECT_EQ(atan2(X(7), X(7)), ldexp(pi, -2));
  EXPECT_EQ(atan2(X(-1), X(0)), -ldexp(pi, -1));
  EXPECT_EQ(atan2(X(0), X(-3)), pi);
  EXPECT_EQ(atan(X(1)), ldexp(pi, -2));
  EXPECT_EQ(asin(X(1)), ldexp(pi, -1));
  EXPECT_EQ(acos(X(-1)), pi);
  for (int k = -9; k < 9; ++k) {
    EXPECT_EQ(sinpi(ldexp(X(2 * k + 1), -1)), k % 2 == 0 ? 1 : -1) << k;
    EXPECT_EQ(cospi(X(k)), k % 2 == 0 ? 1 : -1) << k;
  }
}

/// What large angles and half turns are reduced by: less the nearest multiple of a power of two.
template <class T>
void check_reduction() {
  constexpr int p = FloatTraits<T>::p;
  std::mt19937_64 random(1);
  for (const T unit : {T(2), T(32), T(128)})
    for (int i = 0; i < 2000; ++i) {
      const T mantissa = T(std::ldexp(double(random() >> 11U), -53)) - T(0.5);
      const T x = std::ldexp(mantissa * unit, i % (2 * p - 14));
      EXPECT_EQ(detail::modulo_unit(x, unit), std::remainder(x, unit)) << x;
    }
}
TEST(ExactReduction, LeavesTheRemainderOfTheNearestMultiple) {
  check_reduction<double>();
  check_reduction<float>();
}

}  // namespace mct::exact_results
