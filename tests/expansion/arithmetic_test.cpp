// Expansions: construction, mixed operands, special values, batches, constants. Accuracy against
// MPFR on random and adversarial input is the precision suite's task.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>
#include <unordered_set>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/hash.hpp"

#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace {

template <class X>
class Arithmetic : public ::testing::Test {};
using Expansions = ::testing::Types<mct::f64x1, mct::f64x2, mct::f64x3, mct::f64x4, mct::f32x1,
                                    mct::f32x2, mct::f32x3, mct::f32x4>;
TYPED_TEST_SUITE(Arithmetic, Expansions);

template <class X>
using ScalarOf = typename X::Scalar;

template <class X>
void expect_special(const X& x, ScalarOf<X> lead) {
  if (std::isnan(lead)) {
    EXPECT_TRUE(std::isnan(x.limb[0]));
  } else {
    EXPECT_EQ(x.limb[0], lead);
    EXPECT_EQ(std::signbit(x.limb[0]), std::signbit(lead));
  }
  for (int i = 1; i < X::components; ++i) EXPECT_EQ(x.limb[i], 0);
}

TYPED_TEST(Arithmetic, IsTriviallyCopyable) {
  static_assert(std::is_trivially_copyable_v<TypeParam>);
  EXPECT_EQ(sizeof(TypeParam), TypeParam::components * sizeof(typename TypeParam::Scalar));
}

TYPED_TEST(Arithmetic, FieldIdentities) {
  using X = TypeParam;
  const X x = X(2) / 3;
  EXPECT_EQ(x - x, 0);
  EXPECT_EQ(x + 0, x);
  EXPECT_EQ(x * 1, x);
  EXPECT_EQ(x / 1, x);
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(2 * x - x, x);
  EXPECT_TRUE(mct::is_normalized(x));
  const X unit = X(std::numeric_limits<X>::epsilon());
  EXPECT_LT(abs(x * 3 - 2), 8 * unit);
  EXPECT_LT(abs(sqrt(X(2)) * sqrt(X(2)) - 2), 8 * unit);
  EXPECT_EQ(rsqrt(X(4)), X(0.5));
}

TYPED_TEST(Arithmetic, CastsToIntegersTruncate) {
  using X = TypeParam;
  EXPECT_EQ(static_cast<int>(X(-7) / 2), -3);
  EXPECT_EQ(static_cast<long long>(X(1 << 20) * (1 << 20)), 1LL << 40);
  EXPECT_EQ(static_cast<unsigned>(X(5)), 5u);
  if (X::components > 1 && sizeof(ScalarOf<X>) == 8) {
    EXPECT_EQ(static_cast<long long>(X(INT64_MAX)), INT64_MAX);
    EXPECT_EQ(static_cast<std::uint64_t>(X(UINT64_MAX)), UINT64_MAX);
  }
}

TYPED_TEST(Arithmetic, SpecialValuesFollowIeee) {
  using X = TypeParam;
  using T = ScalarOf<X>;
  const T inf = std::numeric_limits<T>::infinity();
  const T nan = std::numeric_limits<T>::quiet_NaN();
  const X big = std::numeric_limits<X>::max();
  expect_special(X(inf) + 1, inf);
  expect_special(X(inf) - inf, nan);
  expect_special(X(inf) * 0, nan);
  expect_special(X(nan) + 1, nan);
  expect_special(big + big, inf);
  expect_special(-big * 2, -inf);
  expect_special(X(1) / 0, inf);
  expect_special(X(1) / X(T(-0.0)), -inf);
  expect_special(X(0) / 0, nan);
  expect_special(X(3) / inf, T(0));
  expect_special(sqrt(X(-1)), nan);
  expect_special(sqrt(X(T(-0.0))), T(-0.0));
  expect_special(sqrt(X(inf)), inf);
  expect_special(X(T(-0.0)) + T(-0.0), T(-0.0));
  expect_special(X(T(-0.0)) * 5, T(-0.0));
  expect_special(X(5) - 5, T(0));
  EXPECT_EQ(X(inf), X(inf));
  EXPECT_FALSE(X(nan) == X(nan));
  EXPECT_TRUE((X(nan) <=> X(1)) == std::partial_ordering::unordered);
}

TYPED_TEST(Arithmetic, LimitsAreConsistent) {
  using X = TypeParam;
  using L = std::numeric_limits<X>;
  EXPECT_TRUE(mct::is_normalized(L::max()));
  EXPECT_TRUE(isfinite(L::max()));
  EXPECT_TRUE(isinf(L::max() * (1 + L::epsilon()) + L::max() * L::epsilon()));
  EXPECT_EQ(L::lowest(), -L::max());
  EXPECT_NE(X(1) + L::epsilon(), X(1));
  EXPECT_TRUE(isnan(L::quiet_NaN()));
  EXPECT_TRUE(isinf(L::infinity()));
}

TYPED_TEST(Arithmetic, RoundingToIntegers) {
  using X = TypeParam;
  using T = ScalarOf<X>;
  for (const T v : {T(-2.5), T(-1), T(-0.5), T(-0.0), T(0.25), T(0.5), T(1.5), T(2.75)}) {
    expect_special(floor(X(v)), std::floor(v));
    expect_special(ceil(X(v)), std::ceil(v));
    expect_special(trunc(X(v)), std::trunc(v));
    expect_special(round(X(v)), std::round(v));
  }
}

TYPED_TEST(Arithmetic, EqualValuesHashEqual) {
  using X = TypeParam;
  std::unordered_set<X> set{X(1), X(2), X(3)};
  EXPECT_TRUE(set.contains(X(6) / 3));
  EXPECT_EQ(std::hash<X>{}(X(0)), std::hash<X>{}(-X(0)));
}

TEST(Expansion, TiesHaveOneValueAndOneHash) {
  const double u = mct::FloatTraits<double>::u;
  const auto below = mct::f64x2::from_limbs(1.0, u);
  const auto above = mct::f64x2::from_limbs(1 + 2 * u, -u);
  EXPECT_EQ(below, above);
  EXPECT_EQ(std::hash<mct::f64x2>{}(below), std::hash<mct::f64x2>{}(above));
}

TEST(Expansion, IntegersAreExact) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const mct::f64x2 x = most;
  EXPECT_EQ(x.limb[0], 0x1p64);
  EXPECT_EQ(x.limb[1], -1.0);
  const mct::f32x3 y = std::numeric_limits<std::int64_t>::min() + 1;
  EXPECT_EQ(y.limb[0], -0x1p63F);
  EXPECT_EQ(y.limb[1], 1.0F);
  EXPECT_EQ(mct::f64x2(1) + ((std::int64_t(1) << 60) + 1), mct::f64x2((std::int64_t(1) << 60) + 2));
}

TEST(Expansion, DoublesBesideFloatsKeepTheirDigits) {
  EXPECT_EQ(double(mct::f32x3(0.1)), 0.1);
  EXPECT_EQ(mct::f32x3(0) + 0.1, mct::f32x3(0.1));
  EXPECT_EQ(mct::f64x1(mct::f32x3(0.1)).limb[0], 0.1);
}

TEST(Expansion, LongerOperandDecidesTheResult) {
  static_assert(std::is_same_v<decltype(mct::f64x2(1) + mct::f64x4(1)), mct::f64x4>);
  const mct::f64x4 third = mct::f64x4(1) / 3;
  EXPECT_LT(abs((mct::f64x2(1) + third) * 3 - 4), 8 * std::numeric_limits<mct::f64x4>::epsilon());
  EXPECT_TRUE(mct::f64x2(1) / 3 != third);
}

TEST(Expansion, RemainderIsExactForHugeQuotients) {
  const auto r = fmod(mct::f64x2(1e300), mct::f64x2(7));
  EXPECT_EQ(r.limb[0], std::fmod(1e300, 7.0));
  EXPECT_EQ(r.limb[1], 0);
  EXPECT_TRUE(isnan(fmod(mct::f64x2(1), mct::f64x2(0))));
}

TEST(Expansion, RenormalizeTakesAnything) {
  const double terms[] = {1e-40, 1e10, -1e10, 0.0, 3.0, 1e-20};
  const auto x = mct::renormalize<3>(terms);
  EXPECT_EQ(x.limb[0], 3.0);
  EXPECT_EQ(x.limb[1], 1e-20);
  EXPECT_EQ(x.limb[2], 1e-40);
  const double nothing[] = {1.0, 0.0, 0.0};
  EXPECT_EQ(mct::renormalize<2>(nothing), 1);
}

TEST(Expansion, ArithmeticIsConstexpr) {
  constexpr mct::f64x3 third = mct::f64x3(1) / mct::f64x3(3);
  static_assert(third.limb[1] != 0 && third < 1);
}

/// Bounds for processors with fma need its bits there, too: with products and sums rounded apart,
/// the error of the first product was 5 u^2.
TEST(Expansion, ConstantExpressionsHaveTheBitsOfTheProgram) {
  constexpr auto x = mct::f64x2::from_limbs(0x1.000000000000fp+0, 0x1.fffffffffffffp-54);
  constexpr auto y = mct::f64x2::from_limbs(0x1.0000000000030p+0, 0x1.fffffffffffffp-54);
  constexpr mct::f64x2 product = x * y;
  volatile double lead = x.limb[0];
  const auto z = mct::f64x2::from_limbs(lead, x.limb[1]);
  EXPECT_TRUE(product == z * y);
  constexpr auto a = mct::f64x2::from_limbs(0x1.0000000000005p+0, -0x1.fffffffffffffp-54);
  constexpr mct::f64x2 scaled = a * 0x1.1c5a1fff84276p+0;
  volatile double factor = 0x1.1c5a1fff84276p+0;
  EXPECT_TRUE(scaled == a * double(factor));
}

/// A number of few or of all bits.
double drawn_factor(std::mt19937_64& random) {
  const double mantissa = random() % 4 == 0 ? 1 + std::ldexp(double(random() % 8), -52)
                                            : 1 + std::ldexp(double(random() >> 12), -52);
  return std::ldexp(random() % 2 == 0 ? mantissa : -mantissa, int(random() % 40) - 20);
}

TEST(ConstantFma, HasTheBitsOfFma) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 200000; ++i) {
    const double a = drawn_factor(random), b = drawn_factor(random);
    // next to -a b, or of any size
    const double c = i % 3 == 0 ? -a * b * (1 + std::ldexp(double(random() % 16), -52))
                                : std::ldexp(drawn_factor(random), int(random() % 120) - 60);
    ASSERT_EQ(mct::detail::constant_fma(a, b, c), std::fma(a, b, c)) << a << ' ' << b << ' ' << c;
    const float fa = float(a), fb = float(b), fc = float(c);
    ASSERT_EQ(mct::detail::constant_fma(fa, fb, fc), std::fma(fa, fb, fc)) << fa << ' ' << fb;
  }
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(mct::detail::constant_fma(2.0, 3.0, infinity), infinity);
  EXPECT_EQ(mct::detail::constant_fma(infinity, -1.0, 1.0), -infinity);
  EXPECT_TRUE(std::isnan(mct::detail::constant_fma(infinity, 0.0, 1.0)));
}

#if MCT_WITH_XSIMD
template <class T, int N>
void compare_lanes() {
  using Batch = xsimd::batch<T>;
  using X = mct::Expansion<T, N>;
  using Lanes = mct::Expansion<Batch, N>;
  X a[Batch::size];
  X b[Batch::size];
  Lanes x;
  Lanes y;
  for (std::size_t i = 0; i < Batch::size; ++i) {
    a[i] = X(T(i + 1)) / 7;
    b[i] = X(T(i % 3 == 2 ? 1e-6 : -1e4)) / T(i + 3);
    if (i == 1) b[i] = X(std::numeric_limits<T>::infinity());
  }
  for (int k = 0; k < N; ++k) {
    alignas(64) T la[Batch::size];
    alignas(64) T lb[Batch::size];
    for (std::size_t i = 0; i < Batch::size; ++i) {
      la[i] = a[i].limb[k];
      lb[i] = b[i].limb[k];
    }
    x.limb[k] = Batch::load_aligned(la);
    y.limb[k] = Batch::load_aligned(lb);
  }
  const auto expect_lanes = [&](const Lanes& lanes, auto scalar) {
    for (std::size_t i = 0; i < Batch::size; ++i) {
      const X expected = scalar(a[i], b[i]);
      for (int k = 0; k < N; ++k)
        EXPECT_EQ(lanes.limb[k].get(i), expected.limb[k]) << i << ' ' << k;
    }
  };
  expect_lanes(x + y, [](const X& p, const X& q) { return p + q; });
  expect_lanes(x - y, [](const X& p, const X& q) { return p - q; });
  expect_lanes(x * y, [](const X& p, const X& q) { return p * q; });
  expect_lanes(mul_add(x, y, x), [](const X& p, const X& q) { return mul_add(p, q, p); });
  expect_lanes(sqrt(x), [](const X& p, const X&) { return sqrt(p); });
  expect_lanes(min(x, y), [](const X& p, const X& q) { return min(p, q); });
  // a batch with one lane out of the ordinary range scales all of them, by powers of two
  expect_lanes(x / y, [](const X& p, const X& q) { return p / q; });
}

TEST(Batch, LanesEqualScalars) {
  compare_lanes<double, 1>();
  compare_lanes<double, 2>();
  compare_lanes<double, 3>();
  compare_lanes<double, 4>();
  compare_lanes<float, 2>();
  compare_lanes<float, 3>();
  compare_lanes<float, 4>();
}
#endif

}  // namespace
