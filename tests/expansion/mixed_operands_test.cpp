// What should simply work: text, numbers and shorter expansions as operands, casts.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"

namespace {

using mct::f32x2;
using mct::f64x2;
using mct::f64x3;

TEST(MixedOperands, TextIsAConstructorsArgument) {
  EXPECT_EQ(f64x2("0.1"), mct::from_string<f64x2>("0.1"));
  EXPECT_EQ(mct::f16x2("-1e3"), mct::f16x2(-1000));
  EXPECT_THROW(f64x2("0,1"), mct::DomainError);
  EXPECT_EQ(f64x2(std::string("0.1")), f64x2("0.1"));
  EXPECT_EQ(f64x2(std::string_view("0.125").substr(0, 3)), f64x2("0.1"));
  EXPECT_THROW(f64x2(std::string("1 ")), mct::DomainError);
  EXPECT_THROW(f64x2(std::string(1, '\0')), mct::DomainError);
  static_assert(!std::is_convertible_v<std::string, f64x2>);
  static_assert(!std::is_convertible_v<const char*, f64x2>);
  EXPECT_EQ(f64x2(0), f64x2());  // not a null pointer
}

TEST(MixedOperands, CompoundAssignmentTakesShorterExpansions) {
  const f64x2 y = f64x2(1) / 3;
  f64x3 x = f64x3(1) / 7;
  const f64x3 before = x;
  x += y;
  EXPECT_EQ(x, before + f64x3(y));
  x -= y;
  x = before;
  x *= y;
  EXPECT_EQ(x, before * f64x3(y));
  x = before;
  x /= y;
  EXPECT_EQ(x, before / f64x3(y));
}

template <class X, class Y>
concept CanAdd = requires(X x, Y y) {
  x + y;
};
template <class X, class Y>
concept CanAddTo = requires(X x, Y y) {
  x += y;
};
static_assert(CanAdd<f64x2, f64x3> && CanAdd<double, f64x3> && CanAddTo<f64x3, f64x2>);
static_assert(!CanAddTo<f64x2, f64x3>, "that would drop a limb");
static_assert(!CanAdd<f64x2, f32x2> && !CanAddTo<f64x2, f32x2>);
// a number that needs more limbs
constexpr bool is_wide = std::numeric_limits<long double>::digits > 48;
static_assert(CanAdd<f32x2, long double> != is_wide && CanAdd<long double, f32x2> != is_wide);
static_assert(CanAddTo<f32x2, long double> != is_wide);

TEST(MixedOperands, FunctionsTakeNumbers) {
  const f64x2 x = f64x2(1) / 3;
  EXPECT_EQ(max(x, 1.0), f64x2(1));
  EXPECT_EQ(max(0, x), x);
  EXPECT_EQ(min(x, 1), x);
  EXPECT_EQ(min(x, f64x3(0.25)), f64x3(0.25));
  EXPECT_EQ(fmod(f64x2(7), 4.0), f64x2(3));
  EXPECT_EQ(fmod(7, f64x2(4)), f64x2(3));
  EXPECT_EQ(fma(x, 3, -1.0), mul_add(x, f64x2(3), f64x2(-1)));
  EXPECT_EQ(fma(2, x, f64x3(1)), mul_add(f64x3(2), f64x3(x), f64x3(1)));
  EXPECT_EQ(fma(2.0, 3, x), mul_add(f64x2(2), f64x2(3), x));
  EXPECT_EQ(fma(x, x, x), mul_add(x, x, x));
  // more digits than one component has
  EXPECT_EQ(max(f64x2(0), INT64_MAX), f64x2(INT64_MAX));
  static_assert(std::is_same_v<decltype(max(x, f64x3())), f64x3>);
}

TEST(MixedOperands, CopysignGivesTheSignAlone) {
  const f64x2 x = f64x2(1) / 3;
  EXPECT_EQ(copysign(x, -1.0), -x);
  EXPECT_EQ(copysign(-x, -1), -x);
  EXPECT_EQ(copysign(-x, f64x2(5)), x);
  EXPECT_EQ(copysign(x, f64x2(-0.0)), -x);
  EXPECT_EQ(copysign(2, -x), f64x2(-2));
  EXPECT_TRUE(signbit(copysign(f64x2(0), -1)));
  EXPECT_FALSE(signbit(copysign(f64x2(-0.0), 1)));
}

TEST(MixedOperands, CastToFloatRoundsToNearest) {
  const double u = 0x1p-24;
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(1 + u, 0.0)), 1.0F);  // a tie
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(1 + u, 0x1p-80)), 1.0F + 0x1p-23F);
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(1 + u, -0x1p-80)), 1.0F);
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(-1 - 3 * u, 0x1p-80)), -1.0F - 0x1p-23F);
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(-1 - 3 * u, -0x1p-80)), -1.0F - 0x1p-22F);
  // an odd double next to a tie stays on its side
  EXPECT_EQ(static_cast<float>(f64x2::from_limbs(1 + u + 0x1p-52, -0x1p-110)), 1.0F + 0x1p-23F);
  EXPECT_TRUE(std::signbit(static_cast<float>(f64x2(-0.0))));
  EXPECT_TRUE(std::isnan(static_cast<float>(f64x2(std::numeric_limits<double>::quiet_NaN()))));
  EXPECT_EQ(static_cast<float>(f64x2(1e300)), std::numeric_limits<float>::infinity());
  EXPECT_EQ(static_cast<float>(mct::f16x2(3)), 3.0F);
  EXPECT_EQ(static_cast<int>(f64x2(-7) / 2), -3);
}

}  // namespace
