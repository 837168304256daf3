// std::numeric_limits of expansions and of the short formats: numbers written down here, not
// computed as the library does.
#include "mctensor/expansion/limits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"

namespace {

struct Expected {
  int digits, digits10, max_digits10, min_exponent, min_exponent10, max_exponent, max_exponent10;
};

template <class X>
void expect_limits(const Expected& e) {
  using L = std::numeric_limits<X>;
  EXPECT_EQ(L::digits, e.digits);
  EXPECT_EQ(L::digits10, e.digits10);
  EXPECT_EQ(L::max_digits10, e.max_digits10);
  EXPECT_EQ(L::min_exponent, e.min_exponent);
  EXPECT_EQ(L::min_exponent10, e.min_exponent10);
  EXPECT_EQ(L::max_exponent, e.max_exponent);
  EXPECT_EQ(L::max_exponent10, e.max_exponent10);
  EXPECT_EQ(L::radix, 2);
  EXPECT_TRUE(L::is_specialized && L::is_signed && L::has_infinity && L::has_quiet_NaN);
  EXPECT_FALSE(L::is_integer || L::is_exact || L::has_signaling_NaN || L::is_modulo);
  EXPECT_TRUE(L::is_bounded);
#if __cplusplus < 202302L  // C++23 deprecates it
  EXPECT_TRUE(L::has_denorm == std::denorm_present);
#endif
  EXPECT_FALSE(L::traps || L::tinyness_before);
}

TEST(Limits, OfOneComponentAreThoseOfTheComponent) {
  expect_limits<mct::f64x1>({53, 15, 17, -1021, -307, 1024, 308});
  expect_limits<mct::f32x1>({24, 6, 9, -125, -37, 128, 38});
  expect_limits<mct::f16x1>({11, 3, 5, -13, -4, 16, 4});
  expect_limits<mct::bf16x1>({8, 2, 4, -125, -37, 128, 38});
  expect_limits<mct::half>({11, 3, 5, -13, -4, 16, 4});
  expect_limits<mct::bfloat16>({8, 2, 4, -125, -37, 128, 38});
}

TEST(Limits, OfSeveralComponents) {
  expect_limits<mct::f64x2>({106, 31, 33, -968, -291, 1024, 308});
  expect_limits<mct::f64x3>({159, 47, 49, -915, -275, 1024, 308});
  expect_limits<mct::f64x4>({212, 63, 65, -862, -259, 1024, 308});
  expect_limits<mct::f32x2>({48, 14, 16, -101, -30, 128, 38});
  expect_limits<mct::f32x3>({72, 21, 23, -77, -23, 128, 38});
  expect_limits<mct::f32x4>({96, 28, 30, -53, -16, 128, 38});
  expect_limits<mct::f16x2>({22, 6, 8, -2, 0, 16, 4});
  expect_limits<mct::f16x3>({33, 9, 11, 9, 3, 16, 4});
  expect_limits<mct::bf16x2>({16, 4, 6, -117, -35, 128, 38});
  expect_limits<mct::bf16x3>({24, 6, 9, -109, -33, 128, 38});
#if __cplusplus < 202302L
  EXPECT_TRUE(std::numeric_limits<mct::f64x2>::has_denorm_loss);  // limbs round below their range
#endif
}

template <class X>
class LimitValues : public ::testing::Test {};
using LimitedTypes =
    ::testing::Types<mct::f64x1, mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x1, mct::f32x2,
                     mct::f32x3, mct::f32x4, mct::f16x2, mct::f16x3, mct::bf16x3>;
TYPED_TEST_SUITE(LimitValues, LimitedTypes);

TYPED_TEST(LimitValues, AreTheEdgesOfTheFormat) {
  using X = TypeParam;
  using T = typename X::value_component;
  using L = std::numeric_limits<X>;
  using C = std::numeric_limits<T>;
  EXPECT_EQ(double(L::min().limb[0]), std::ldexp(1.0, L::min_exponent - 1));
  // the last limb of a number there has the smallest normal unit roundoff below it
  EXPECT_EQ(std::ldexp(double(L::min().limb[0]), -(X::components - 1) * C::digits),
            double(C::min()));
  EXPECT_EQ(L::denorm_min(), X(C::denorm_min()));
  EXPECT_EQ(L::round_error(), X(T(0.5)));
  EXPECT_EQ(L::infinity().limb[0], C::infinity());
  EXPECT_TRUE(isnan(L::quiet_NaN()) && isnan(L::signaling_NaN()));
  EXPECT_EQ(double(L::epsilon().limb[0]),
            std::max(std::ldexp(1.0, 1 - L::digits), double(C::denorm_min())));
}

TYPED_TEST(LimitValues, TheLargestHasEveryBitOfEveryLimb) {
  using X = TypeParam;
  using T = typename X::value_component;
  using L = std::numeric_limits<X>;
  double limb = double(std::numeric_limits<T>::max());
  for (int i = 0; i < X::components; ++i) {
    EXPECT_EQ(double(L::max().limb[i]), limb);
    EXPECT_EQ(double(L::lowest().limb[i]), -limb);
    limb = std::ldexp(limb, -1 - std::numeric_limits<T>::digits);
  }
}

}  // namespace
