// Quotients and roots that are numbers of the type come out exactly. Random ones of every length
// against MPFR are the precision suite's task.
#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"

namespace {

template <class X>
class Quotient : public ::testing::Test {};
using QuotientTypes = ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2, mct::f32x4,
                                       mct::f16x2, mct::bf16x2, mct::bf16x3>;
TYPED_TEST_SUITE(Quotient, QuotientTypes);

/// Products of whole numbers up to this one are numbers of the type.
template <class X>
constexpr int largest_factor() {
  return std::is_same_v<typename X::Scalar, mct::half> ? 181 : 255;
}

TYPED_TEST(Quotient, OfWholeNumbers) {
  using X = TypeParam;
  using T = typename X::Scalar;
  for (int i = 1; i <= largest_factor<X>(); i += i < 64 ? 1 : 7) {
    for (int k = 1; k <= largest_factor<X>(); k += k < 16 ? 1 : 13) {
      const X product(i * k);
      ASSERT_EQ(product / X(i), X(k)) << i << ' ' << k;
      ASSERT_EQ(product / i, X(k)) << i << ' ' << k;
      ASSERT_EQ(product / T(i), X(k)) << i << ' ' << k;
      ASSERT_EQ(-product / X(i), X(-k)) << i << ' ' << k;
      X x = product;
      x /= i;
      ASSERT_EQ(x, X(k)) << i << ' ' << k;
      ASSERT_EQ(floor(product / X(i)), X(k)) << i << ' ' << k;
    }
    EXPECT_EQ(T(i) / X(i), X(1)) << i;
  }
  EXPECT_EQ(X(105) / X(35), X(3));
  EXPECT_EQ(X(1.5) / X(0.375), X(4));
  EXPECT_EQ(X(0.15625) / 5, X(0.03125));
}

TYPED_TEST(Quotient, OfANumberByItselfAndItsMultiples) {
  using X = TypeParam;
  X x = X(1) / 3;
  for (int i = 0; i < 200; ++i) {
    x = 1 / (x + X(0.125) * (i % 17));
    ASSERT_EQ(x / x, X(1)) << i;
    ASSERT_EQ(-x / x, X(-1)) << i;
    ASSERT_EQ((4 * x) / x, X(4)) << i;
    ASSERT_EQ((4 * x) / X(4), x) << i;
  }
}

TYPED_TEST(Quotient, RootsOfSquares) {
  using X = TypeParam;
  for (int i = 1; i <= largest_factor<X>(); ++i) {
    ASSERT_EQ(sqrt(X(i * i)), X(i)) << i;
    ASSERT_EQ(sqrt(X(i * i) / 16), X(i) / 4) << i;
  }
  for (int k = -6; k <= 6; ++k) {
    EXPECT_EQ(rsqrt(X(std::ldexp(1.0, 2 * k))), X(std::ldexp(1.0, -k))) << k;
    EXPECT_EQ(1 / X(std::ldexp(1.0, k)), X(std::ldexp(1.0, -k))) << k;
  }
}

/// Every digit of a root is the nearest, so all of the root is as near as its last digit: within
/// u^3 / 4 or u^4 / 8 of it. (A bound that is proven leaves more.)
template <int N>
void expect_nearest_digits(double most) {
  std::mt19937_64 random(N);
  const auto digits = [&](int shift) { return std::ldexp(double(random() >> 11), shift - 53); };
  for (int i = 0; i < 4000; ++i) {
    const mct::f64x4 x(mct::Expansion<float, N>(mct::f64x4(1 + digits(1)) + digits(-50)));
    const mct::f64x4 root(sqrt(mct::Expansion<float, N>(x)));
    const mct::f64x4 error = (x - root * root) / (2 * x);  // as a share of the root
    ASSERT_LE(std::fabs(std::ldexp(double(error), 24 * N)), most) << i;
  }
}
TEST(Quotient, DigitsOfRootsAreNearest) {
  expect_nearest_digits<3>(0.2501);
  expect_nearest_digits<4>(0.1251);
}

/// Numbers of the length of the type, and the ends of the range.
TEST(Quotient, OfLongNumbers) {
  const mct::f64x2 a = mct::f64x2(9007199254740993LL) * 4503599627370497LL;  // 105 bits
  EXPECT_EQ(a / 4503599627370497LL, mct::f64x2(9007199254740993LL));
  EXPECT_EQ(a / mct::f64x2(9007199254740993LL), mct::f64x2(4503599627370497LL));
  const mct::f64x3 root(4611686018427387905LL);  // 2^62 + 1: its square has 125 bits
  EXPECT_EQ(sqrt(root * root), root);
  EXPECT_EQ(sqrt(mct::f64x4(root * root)), mct::f64x4(root));
  const double least = std::ldexp(1.0, -1074);
  EXPECT_EQ(mct::f64x2(15 * least) / mct::f64x2(5 * least), mct::f64x2(3));
  EXPECT_EQ(mct::f64x2(15 * least) / 5, mct::f64x2(3 * least));
  EXPECT_EQ(mct::f32x2(0x1p-23F) / mct::f32x2(0x1p126F), mct::f32x2(0x1p-149F));
  const double huge = std::ldexp(1.0, 1020);
  EXPECT_EQ(mct::f64x2(15 * huge) / mct::f64x2(5 * huge), mct::f64x2(3));
  EXPECT_EQ(mct::f64x2(huge) / mct::f64x2(0x1p-3), mct::f64x2(0x1p1023));
  // the last limb falls below the smallest subnormal when both are scaled
  const auto gap = mct::f32x3::from_limbs(0x1p+72F, -0x1.b48a84p+31F, 0x1.81037p-70F);
  EXPECT_EQ(gap / gap, mct::f32x3(1));
  constexpr mct::f64x2 constant = mct::f64x2(105) / mct::f64x2(35);
  static_assert(constant.limb[0] == 3 && constant.limb[1] == 0);
}

}  // namespace
