// The compiler's own numbers to expansions and back: exact, or the nearest, or refused.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mpfr_limbs.hpp"

namespace mct::builtin_test {

static_assert(std::is_convertible_v<std::int64_t, f64x1>, "as it always was");
static_assert(!std::is_convertible_v<f64x2, bool> && std::is_constructible_v<bool, f64x2>);
static_assert(!std::is_constructible_v<f64x2, double*> && !std::is_constructible_v<f64x2, void*>);
static_assert(!std::is_convertible_v<const char*, f64x2>);
enum class Scoped { one };
static_assert(!std::is_constructible_v<f64x2, Scoped>);

TEST(Builtin, LongDoubleKeepsEveryBit) {
  constexpr int bits = std::numeric_limits<long double>::digits;
  static_assert(bits > 106 || std::is_convertible_v<long double, f64x2>);
  static_assert(bits == 53 || !std::is_convertible_v<long double, f64x1>);
  static_assert(bits == 53 || std::is_constructible_v<f64x1, long double>);
  for (const long double value : {1.0L / 3, -2.0L / 7, 1e300L / 3, 1e-280L / 3}) {
    EXPECT_EQ(static_cast<long double>(f64x3(value)), value);
    EXPECT_TRUE(bits > 106 || static_cast<long double>(f64x2(value)) == value);
  }
  EXPECT_TRUE(bits > 72 || static_cast<long double>(f32x3(1.0L / 3)) == 1.0L / 3);
  EXPECT_EQ(f64x1(1.0L / 3).limb[0], double(1.0L / 3));
  EXPECT_EQ(f16x1(0x1.002p+0L + 0x1p-62L).limb[0], half(0x1.004p+0));  // rounded once
  EXPECT_EQ(f64x2(std::numeric_limits<long double>::infinity()).limb[0], INFINITY);
  EXPECT_TRUE(isnan(f64x2(std::numeric_limits<long double>::quiet_NaN())));
  EXPECT_TRUE(std::signbit(f64x2(-0.0L).limb[0]));
  EXPECT_TRUE(std::signbit(static_cast<long double>(f64x2(-0.0))));
#if __LDBL_MAX_EXP__ > 1024
  EXPECT_TRUE(isinf(f64x2(1e4000L)) && isinf(f16x2(-1e4000L)));
  EXPECT_TRUE(f64x2(1e-4000L) == 0 && f16x2(1e-4000L) == 0);
#endif
}

TEST(Builtin, LongDoubleStandsInExpressions) {
  const f64x2 third = f64x2(1) / 3;
  if constexpr (std::is_convertible_v<long double, f64x2>) {
    EXPECT_EQ(third + 0.5L, third + 0.5);
    EXPECT_TRUE(third < 0.5L && 0.25L < third);
    EXPECT_EQ(max(third, 1.0L), f64x2(1));
  }
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef __int128 Long;
__extension__ typedef unsigned __int128 UnsignedLong;
static_assert(std::is_convertible_v<Long, f64x3> && std::is_convertible_v<Long, f32x4> == false);
static_assert(!std::is_convertible_v<Long, f64x2> && std::is_constructible_v<f64x2, Long>);

TEST(Builtin, IntegersOf128Bits) {
  const Long value = (Long(1) << 100) + 1;
  EXPECT_EQ(f64x2(value).limb[0], 0x1p100);
  EXPECT_EQ(f64x2(value).limb[1], 1);
  std::vector<UnsignedLong> all = {0, 1, ~UnsignedLong(0), ~UnsignedLong(0) >> 1};
  test::Random random(1);
  for (int i = 0; i < 1000; ++i)
    all.push_back((UnsignedLong(random()) << 64 | random()) >> test::uniform(random, 0, 127));
  for (const UnsignedLong u : all) {
    EXPECT_TRUE(static_cast<UnsignedLong>(f64x3(u)) == u);
    EXPECT_TRUE(static_cast<Long>(f64x3(Long(u))) == Long(u));
    test::Real exact;
    mpfr_set_ui(exact.get(), std::uint64_t(u >> 64), MPFR_RNDN);
    mpfr_mul_2ui(exact.get(), exact.get(), 64, MPFR_RNDN);
    mpfr_add_ui(exact.get(), exact.get(), std::uint64_t(u), MPFR_RNDN);
    EXPECT_TRUE(test::same_limbs(f64x2(u), test::nearest_limbs<f64x2>(exact)));
    EXPECT_TRUE(test::same_limbs(f32x2(u), test::nearest_limbs<f32x2>(exact)));
    // 8 bits: of the float rounded to odd
    const float down = mpfr_get_flt(exact.get(), MPFR_RNDZ);
    const auto bits = std::bit_cast<std::uint32_t>(down);
    const bool inexact = mpfr_cmp_d(exact.get(), double(down)) != 0;
    const float odd = std::bit_cast<float>(bits | std::uint32_t(inexact));
    EXPECT_EQ(bf16x1(u).limb[0], bfloat16(odd));
  }
}
#endif

#if defined(__SIZEOF_FLOAT128__)
__extension__ typedef __float128 Quad;
static_assert(std::is_convertible_v<Quad, f64x3> && !std::is_convertible_v<Quad, f64x2>);

TEST(Builtin, Float128) {
  const Quad third = Quad(1) / 3;
  EXPECT_NE(f64x2(third).limb[1], 0);
  EXPECT_TRUE(static_cast<Quad>(f64x3(third)) == third);
  EXPECT_TRUE(static_cast<Quad>(f32x4(Quad(0.1))) == Quad(0.1));
  // rounded once, where three sums would be three roundings
  const auto tie = f64x3::from_limbs(1, 0x1p-113, 0x1p-300);
  EXPECT_TRUE(static_cast<Quad>(tie) > 1);
  EXPECT_TRUE(static_cast<Quad>(f64x3::from_limbs(1, 0x1p-113, -0x1p-300)) == 1);
}
#endif

#if defined(__FLT16_MAX__)
TEST(Builtin, Float16IsANumberOf11Bits) {
  const auto tenth = static_cast<_Float16>(0.1F);
  static_assert(std::is_convertible_v<_Float16, f16x1>);
  EXPECT_EQ(static_cast<float>(tenth), static_cast<float>(f16x1(tenth).limb[0]));
  EXPECT_TRUE(static_cast<_Float16>(f64x2(tenth)) == tenth);
  EXPECT_EQ(f64x2(1) + tenth, f64x2(1) + static_cast<double>(tenth));
}
#endif

enum Plain : std::int64_t { large = (std::int64_t(1) << 60) + 1 };

TEST(Builtin, SmallOnesAndEnumerations) {
  EXPECT_EQ(f64x2(large), f64x2(std::int64_t(large)));
  EXPECT_EQ(f64x2(0) + large, f64x2(std::int64_t(large)));
  EXPECT_EQ(f64x2(true), 1);
  EXPECT_EQ(f64x2('a'), 97);
  EXPECT_EQ(f64x2(char8_t(200)), 200);
  EXPECT_EQ(f16x2(u'\u0100'), 256);
  EXPECT_TRUE(static_cast<bool>(f64x2(0.5)) && static_cast<bool>(f64x2(NAN)));
  EXPECT_FALSE(static_cast<bool>(f64x2(-0.0)));
  EXPECT_EQ(static_cast<std::uint64_t>(f64x2(UINT64_MAX)), UINT64_MAX);
  EXPECT_EQ(static_cast<std::int64_t>(f64x2(INT64_MIN)), INT64_MIN);
  EXPECT_EQ(static_cast<int>(f32x3(-7) / 2), -3);
  static_assert(static_cast<long double>(f64x3(0.1L)) == 0.1L);
}

/// x and what is a tie for its components or for float, with something after it that decides.
template <class X>
std::vector<X> ties_and_others() {
  using T = typename X::value_component;
  constexpr int p = FloatTraits<T>::p;
  std::vector<X> list;
  test::Random random(2);
  for (int i = 0; i < 3000; ++i) {
    X x = test::random_expansion<X>(random);
    list.push_back(x);
    const T lead = std::ldexp(T(1) + T(test::uniform(random, 0, 15)) * 2 * FloatTraits<T>::u,
                              test::uniform(random, -12, 12));
    const T half_ulp = std::ldexp(T(1), std::ilogb(lead) - p);
    for (const T sign : {T(-1), T(0), T(1)}) {
      x = X(lead);
      if (X::components > 1) x.limb[1] = test::uniform(random, 0, 1) != 0 ? half_ulp : -half_ulp;
      if (X::components > 2) x.limb[2] = sign * std::ldexp(half_ulp, -p - 20);
      list.push_back(test::uniform(random, 0, 1) != 0 ? x : -x);
    }
    if (sizeof(T) == 8) {
      x = X(lead);
      x.limb[0] += std::ldexp(lead, -24) * T(test::uniform(random, 0, 3));  // often a tie of floats
      if (X::components > 1) x.limb[1] = std::ldexp(T(test::uniform(random, -1, 1)), -90);
      list.push_back(x);
    }
  }
  return list;
}

template <class X>
class Nearest : public ::testing::Test {};
using NearestTypes = ::testing::Types<f64x1, f64x2, f64x3, f64x4, f32x2, f32x3, f32x4>;
TYPED_TEST_SUITE(Nearest, NearestTypes);

TYPED_TEST(Nearest, IsThatOfMpfr) {
  using X = TypeParam;
  for (const X& x : ties_and_others<X>()) {
    test::Real exact = test::exact(x);
    EXPECT_EQ(static_cast<double>(x), mpfr_get_d(exact.get(), MPFR_RNDN)) << x.limb[0];
    EXPECT_EQ(static_cast<float>(x), mpfr_get_flt(exact.get(), MPFR_RNDN)) << x.limb[0];
    EXPECT_EQ(static_cast<long double>(x), mpfr_get_ld(exact.get(), MPFR_RNDN)) << x.limb[0];
    EXPECT_EQ(f64x1(x).limb[0], mpfr_get_d(exact.get(), MPFR_RNDN)) << x.limb[0];
    EXPECT_EQ(f32x1(x).limb[0], mpfr_get_flt(exact.get(), MPFR_RNDN)) << x.limb[0];
  }
}

TEST(NearestOfShortFloats, IsRoundedOnce) {
  EXPECT_EQ(half(f64x2::from_limbs(1 + 0x1p-11, 0x1p-100)), half(1 + 0x1p-10));
  EXPECT_EQ(half(f64x2::from_limbs(1 + 0x1p-11, -0x1p-100)), half(1));
  // the tie between two subnormal numbers is not one
  EXPECT_EQ(half(f64x2::from_limbs(0x1p-14 + 0x1p-25, 0x1p-100)), half(0x1p-14 + 0x1p-24));
  EXPECT_EQ(f16x1(f64x2::from_limbs(0x1p-14 + 0x1p-25, 0x1p-100)).limb[0], half(0x1p-14 + 0x1p-24));
  EXPECT_EQ(bfloat16(f32x3::from_limbs(1 + 0x1p-8F, 0, 0)), bfloat16(1));
  EXPECT_EQ(bfloat16(f32x3::from_limbs(1 + 0x1p-8F, 0x1p-60F, 0)), bfloat16(1 + 0x1p-7));
  // of its own limbs, too
  const half u = half(0x1p-11);
  EXPECT_EQ(static_cast<half>(f16x3::from_limbs(half(1), u, half(0x1p-24))), half(1 + 0x1p-10));
  EXPECT_EQ(static_cast<half>(f16x3::from_limbs(half(1), u, half(-0x1p-24))), half(1));
}

TEST(NearestDouble, OfThreeComponents) {
  const auto x = f64x3::from_limbs(1, 0x1p-53, 1e-40);
  EXPECT_EQ(static_cast<double>(x), 1 + 0x1p-52);
  EXPECT_EQ(static_cast<double>(-x), -1 - 0x1p-52);
  EXPECT_EQ(static_cast<double>(f64x3::from_limbs(1, 0x1p-53, -1e-40)), 1);
  EXPECT_EQ(static_cast<double>(f64x2::from_limbs(1 + 0x1p-52, -0x1p-53)), 1);  // the even one
  EXPECT_EQ(static_cast<double>(std::numeric_limits<f64x4>::max()),
            std::numeric_limits<double>::max());
}

}  // namespace mct::builtin_test
