// Small promises of expansions that no accuracy check sees: constant evaluation, signs of zero in
// lower limbs, what a hash depends on, ties between the limbs of two types, the ends of a text.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/fixed_point.hpp"
#include "mctensor/expansion/fmt.hpp"
#include "mctensor/expansion/hash.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace {

template <class X>
class EdgeCases : public ::testing::Test {};
using Types = ::testing::Types<mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x2, mct::f32x3>;
TYPED_TEST_SUITE(EdgeCases, Types);

// A compiler has no std::fabs here: the magnitude of constants is code of its own.
TYPED_TEST(EdgeCases, MagnitudesOfConstants) {
  using X = TypeParam;
  static_assert(abs(X(-3)) == 3 && abs(X(3)) == 3 && abs(X(0)) == 0);
  static_assert(abs(X(-1) / 3) == X(1) / 3);
  static_assert(isinf(-std::numeric_limits<X>::infinity()));
}

TYPED_TEST(EdgeCases, RemaindersHavePlainZerosBehind) {
  using X = TypeParam;
  for (const int x : {-7, 7}) {
    const X r = fmod(X(x), X(4));
    EXPECT_EQ(r, x < 0 ? -3 : 3);
    for (int i = 1; i < X::components; ++i) EXPECT_FALSE(std::signbit(r.limb[i]) || r.limb[i] != 0);
  }
  EXPECT_TRUE(std::signbit(fmod(X(-8), X(4)).limb[0]));
  EXPECT_FALSE(std::signbit(fmod(X(8), X(-4)).limb[0]));
}

TEST(FixedPoint, FindsAnyBitBelowAPosition) {
  for (const int bit : {0, 1, 63, 64, 127, 128, 190, 191, 192, 700}) {
    mct::detail::FixedPoint<double> x;
    x.add_shifted(1, bit);
    for (const int position : {0, 1, 2, 63, 64, 65, 128, 129, 191, 192, 193, 256, 700, 701, 2000})
      EXPECT_EQ(x.any_below(position), bit < position) << bit << ' ' << position;
  }
}

TYPED_TEST(EdgeCases, AHashDependsOnEveryLimbAndItsPlace) {
  using X = TypeParam;
  using T = typename X::value_component;
  std::unordered_set<std::size_t> seen;
  int count = 0;
  for (int k = 0; k < X::components; ++k) {
    X x = 1;
    for (int i = 1; i <= k; ++i) x.limb[i] = std::ldexp(T(1), -40 * i);
    for (int i = 1; i <= 1000; ++i, ++count) {
      x.limb[k] = std::ldexp(T(1) + T(i) / 1024, -40 * k);
      seen.insert(std::hash<X>{}(x));
    }
  }
  EXPECT_EQ(int(seen.size()), count);
}

TEST(ExpansionEdges, MagnitudeOfAConstantZeroHasNoSign) {
  static_assert(std::bit_cast<std::uint64_t>(abs(mct::f64x2(0.0)).limb[0]) == 0);
  static_assert(std::bit_cast<std::uint64_t>(abs(mct::f64x2(-0.0)).limb[0]) == 0);
}

// The first limb after a tie decides, wherever the tie is.
TEST(ExpansionEdges, DoublesHalfwayBetweenTwoFloats) {
  const auto up = mct::f64x2::from_limbs(1 + 0x1p-24, 0x1p-60);
  EXPECT_EQ(mct::f32x1(up).limb[0], 1 + 0x1p-23F);
  for (const double sign : {1.0, -1.0}) {
    const auto x = mct::f64x2::from_limbs(1 + 0x1p-24, sign * 0x1p-60);
    const mct::f32x3 r(x);
    EXPECT_EQ(r.limb[0], sign > 0 ? 1 + 0x1p-23F : 1);
    EXPECT_TRUE(mct::is_normalized(r));
    EXPECT_EQ(mct::f64x2(r), x);
  }
  // the tie at the last limb of two
  const auto last = mct::f64x2::from_limbs(1 + 0x1p-30, 0x1p-54 + 0x1p-90);
  EXPECT_EQ(mct::f32x2(last).limb[1], 0x1p-30F + 0x1p-53F);
  // below a power of two floats lie twice as close
  const auto below = mct::f64x2::from_limbs(1 - 0x1p-25, -0x1p-80);
  EXPECT_EQ(mct::f32x1(below).limb[0], 1 - 0x1p-24F);
  EXPECT_EQ(mct::f32x1(-below).limb[0], 0x1p-24F - 1);
  const mct::f32x2 two(mct::f64x2::from_limbs(1 - 0x1p-25, -0x1p-60));
  EXPECT_EQ(two.limb[0], 1 - 0x1p-24F);
  EXPECT_EQ(two.limb[1], 0x1p-25F);
}

TEST(ExpansionEdges, SumsThatOverflowOnlyInsideAreInfinities) {
  const double top = std::numeric_limits<double>::max();
  const double half_ulp = mct::ulp(top) / 2;
  for (const double sign : {1.0, -1.0}) {
    const double terms[3] = {sign * top, sign * half_ulp * (1 - 0x1p-53),
                             sign * half_ulp * 0x1p-53};
    const auto r = mct::renormalize<3>(terms);
    EXPECT_EQ(r.limb[0], sign * std::numeric_limits<double>::infinity());
    EXPECT_TRUE(r.limb[1] == 0 && r.limb[2] == 0);
  }
}

// two_sum overflows inside: what is left has one limb's accuracy.
TEST(ExpansionEdges, SumsWithTheLargestFloatKeepOneLimb) {
  const double top = std::numeric_limits<double>::max();
  const double x = 0x1.bb8c40066758p+1015;
  for (const double sign : {1.0, -1.0}) {
    const auto r = mct::f64x2(sign * x) - mct::f64x2(sign * top);
    EXPECT_NEAR(r.limb[0] / (x - top), sign, 0x1p-48);
    EXPECT_EQ(r.limb[1], 0);
  }
}

TEST(ExpansionEdges, AFillOfEveryLengthInUtf8) {
  const mct::f64x2 x = 2;
  EXPECT_EQ(fmt::format("{:*>3}", x), "**2");
  EXPECT_EQ(fmt::format("{:\u00e9>3}", x), "\u00e9\u00e92");
  EXPECT_EQ(fmt::format("{:\u20ac>3}", x), "\u20ac\u20ac2");
  EXPECT_EQ(fmt::format("{:\U00010000>3}", x), "\U00010000\U000100002");
  EXPECT_EQ(fmt::format("{:\U0001F600>3}", x), "\U0001F600\U0001F6002");
}

// Of 1 + 2^-24 the first limb is the even one of its two neighbours.
TEST(ExpansionEdges, ARemainderRoundsItsLimbsToEven) {
  const auto r = fmod(mct::f32x2(9) + mct::f32x2(0x1p-24F), mct::f32x2(8));
  EXPECT_EQ(r.limb[0], 1);
  EXPECT_EQ(r.limb[1], 0x1p-24F);
}

TEST(ExpansionEdges, PlainNumbersAreScaledAsExpansionsAre) {
  EXPECT_EQ(mct::detail::halved(3.0), 1.5);
  EXPECT_EQ(mct::detail::doubled(mct::detail::scaled(3.0F, 4.0F)), 24.0F);
}

// What stands behind the end of a format string is not read.
TEST(ExpansionEdges, AFormatStringEndsWhereItEnds) {
  const std::string_view whole = "*>3}";
  fmt::format_parse_context context(whole.substr(0, 1));
  fmt::formatter<mct::f64x2> formatter;
  EXPECT_THROW(static_cast<void>(formatter.parse(context)), fmt::format_error);
}

#if MCT_WITH_XSIMD
// An array's second element would be written over by a loop that goes one limb too far.
TEST(ExpansionEdges, ABatchFromANumberFillsItsOwnLimbsOnly) {
  using Batch = xsimd::batch<double>;
  using Lanes = mct::Expansion<Batch, 2>;
  struct Pair {
    Lanes first{2.5};
    Lanes second{Batch(7.0)};
  };
  Pair pair;
  std::construct_at(&pair.first, 2.5);
  EXPECT_EQ(pair.first.limb[0].get(0), 2.5);
  EXPECT_EQ(pair.first.limb[1].get(0), 0);
  EXPECT_EQ(pair.second.limb[0].get(0), 7);
  EXPECT_EQ(pair.second.limb[1].get(0), 0);
}
#endif

}  // namespace
