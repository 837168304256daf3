// half and bfloat16: conversions, square root, fma, mathematics, transforms.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "mctensor/eft/all.hpp"
#include "mctensor/eft/hash.hpp"
#include "tests/eft/short_float_reference.hpp"

#if MCT_WITH_EIGEN
#include <Eigen/Core>
#endif

namespace {

using mct::test::Rounding;

template <class T>
class Half : public ::testing::Test {
 protected:
  Rounding<T> rounding;
};
using Formats = ::testing::Types<mct::half, mct::bfloat16>;
TYPED_TEST_SUITE(Half, Formats);

template <class T>
T bits(std::uint32_t i) {
  return T::from_bits(std::uint16_t(i));
}

TYPED_TEST(Half, IsTrivial) {
  static_assert(std::is_trivial_v<TypeParam> && sizeof(TypeParam) == 2);
  static_assert(std::is_same_v<decltype(2 * TypeParam(1)), TypeParam>);
  static_assert(!std::is_convertible_v<TypeParam, float>);
  static_assert(!std::is_convertible_v<float, TypeParam>);
  EXPECT_EQ(TypeParam(), 0);
}

TYPED_TEST(Half, EveryValueSurvivesFloatAndDouble) {
  using T = TypeParam;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const T x = bits<T>(i);
    const double d(x);
    if (x != x) {
      EXPECT_TRUE(std::isnan(d) && std::isnan(float(x)));
      EXPECT_EQ(std::signbit(d), i >= 0x8000);
      // quiet NaNs keep every bit
      const std::uint32_t quiet = std::numeric_limits<T>::quiet_NaN().bits();
      EXPECT_EQ(T(d).bits(), i | quiet);
      EXPECT_EQ(T(float(x)).bits(), i | quiet);
      continue;
    }
    const double expected = (i & 0x7fff) == Rounding<T>::infinity
                                ? std::numeric_limits<double>::infinity()
                                : Rounding<T>::value(i & 0x7fff);
    EXPECT_EQ(d, i >= 0x8000 ? -expected : expected);
    EXPECT_EQ(float(x), float(d));
    EXPECT_EQ(T(d).bits(), i);
    EXPECT_EQ(T(float(x)).bits(), i);
  }
}

TYPED_TEST(Half, HalfwayDoublesAreRoundedOnce) {
  using T = TypeParam;
  for (std::uint32_t k = 0; k < Rounding<T>::infinity; ++k) {
    const double m = this->rounding.midpoint(k);
    const std::uint32_t even = k % 2 == 0 ? k : k + 1;
    EXPECT_EQ(T(m).bits(), even);
    EXPECT_EQ(T(std::nextafter(m, 0)).bits(), k);
    EXPECT_EQ(T(std::nextafter(m, INFINITY)).bits(), k + 1);
    EXPECT_EQ(T(-m).bits(), even | 0x8000);
    EXPECT_EQ(T(-std::nextafter(m, 0)).bits(), k | 0x8000);
    EXPECT_EQ(T(-std::nextafter(m, INFINITY)).bits(), (k + 1) | 0x8000);
    // and as floats, where a midpoint and its neighbours are floats
    EXPECT_EQ(T(float(m)).bits(), even);
    EXPECT_EQ(T(std::nextafter(float(m), 0.0F)).bits(), k);
    EXPECT_EQ(T(std::nextafter(float(m), HUGE_VALF)).bits(), k + 1);
  }
  for (const double tiny : {0x1p-1074, 0x1p-1022, 0x1p-200}) EXPECT_EQ(T(-tiny).bits(), 0x8000);
  EXPECT_EQ(T(1e300).bits(), Rounding<T>::infinity);
}

TYPED_TEST(Half, NextafterIsTheNeighbour) {
  using T = TypeParam;
  const auto at = [](std::uint32_t bits) { return T::from_bits(std::uint16_t(bits)); };
  const T infinity = at(Rounding<T>::infinity);
  for (std::uint32_t k = 0; k < Rounding<T>::infinity; ++k) {
    EXPECT_EQ(nextafter(at(k), infinity).bits(), k + 1);
    EXPECT_EQ(nextafter(at(k + 1), T(0)).bits(), k);
    EXPECT_EQ(nextafter(at(k | 0x8000), -infinity).bits(), (k + 1) | 0x8000);
    EXPECT_EQ(nextafter(at((k + 1) | 0x8000), infinity).bits(), k | 0x8000);
    EXPECT_EQ(nextafter(at(k), at(k)).bits(), k);
  }
  EXPECT_EQ(nextafter(T(0), T(-1)).bits(), 0x8001);
  EXPECT_EQ(nextafter(T(0), T(0.5)).bits(), 1);
  EXPECT_EQ(nextafter(at(0x8000), T(0)).bits(), 0);
  EXPECT_EQ(nextafter(infinity, infinity), infinity);
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(isnan(nextafter(nan, T(1))) && isnan(nextafter(T(1), nan)));
}

TYPED_TEST(Half, IntegersAreRoundedOnce) {
  using T = TypeParam;
  for (int i = -70000; i <= 70000; ++i) {
    ASSERT_TRUE(this->rounding.is_rounded(T(i), i)) << i;
    ASSERT_EQ(T(std::int64_t(i)).bits(), T(i).bits());  // of the sign of 0, too
  }
  // just above a tie: a detour through double would lose the last bit
  const std::uint64_t tie = std::uint64_t(0x101) << 55;
  if (Rounding<T>::infinity == 0x7f80) {
    EXPECT_EQ(T(tie).bits(), T(0x1p63).bits());
    EXPECT_EQ(T(tie + 1).bits(), T(0x1p63).bits() + 1);
    EXPECT_EQ(T(std::numeric_limits<std::int64_t>::min()), T(-0x1p63));
  } else {
    EXPECT_EQ(T(tie), std::numeric_limits<T>::infinity());
    EXPECT_EQ(T(std::uint16_t(65519)), T(65504));
  }
  EXPECT_EQ(int(T(-2.75)), -2);
  EXPECT_TRUE(bool(T(0.5)));
}

TYPED_TEST(Half, SquareRootOfEveryValue) {
  using T = TypeParam;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const T x = bits<T>(i);
    const T r = sqrt(x);
    if (x >= 0 && isfinite(x)) {
      ASSERT_TRUE(this->rounding.is_rounded_root(r, double(x))) << i;
      ASSERT_EQ(signbit(r), signbit(x));
    } else {
      ASSERT_TRUE(mct::test::is_special_result(r, std::sqrt(float(x)))) << i;
    }
  }
}

TYPED_TEST(Half, FmaIsRoundedOnce) {
  using T = TypeParam;
  std::mt19937_64 random(1);
  const auto any = [&] { return bits<T>(std::uint32_t(random() >> 48)); };
  const auto check = [&](T a, T b, T c) {
    const T r = fma(a, b, c);
    if (isfinite(a) && isfinite(b) && isfinite(c)) {
      const auto exact = mct::test::exact_sum(double(a) * double(b), double(c));
      ASSERT_TRUE(this->rounding.is_rounded(r, exact.hi, exact.lo))
          << a.bits() << ' ' << b.bits() << ' ' << c.bits() << ' ' << r.bits();
      ASSERT_TRUE(r != 0 || signbit(r) == std::signbit(std::fma(double(a), double(b), double(c))));
    } else {
      ASSERT_TRUE(
          mct::test::is_special_result(r, float(std::fma(double(a), double(b), double(c)))));
    }
  };
  for (int i = 0; i < 1 << 20; ++i) {
    const T a = any();
    const T b = any();
    check(a, b, any());
    if (!isfinite(a) || !isfinite(b)) continue;
    // c near -a b: the rounding error of the product, and half an ulp beside it
    const T p = a * b;
    check(a, b, -p);
    check(a, b, bits<T>(p.bits() ^ 0x8001u));
    // a b a little beside the midpoint of c and its neighbour: c + ulp(c) / 2 (1 + tiny)
    const T c = any();
    if (!isfinite(c) || c == 0) continue;
    const T half_ulp(std::ldexp(double(ulp(c)), -1));
    const T one_and(1 + double(std::numeric_limits<T>::epsilon()) * double(random() % 4));
    check(one_and, half_ulp, c);
    check(one_and, -half_ulp, c);
    check(one_and * half_ulp, T(1), c);
    // a product far below c: only its sign matters beside a midpoint
    check(std::numeric_limits<T>::min(), T(random() % 2 == 0 ? 0.25 : -0.25), c);
  }
}

TYPED_TEST(Half, ComparisonsFollowIeee) {
  using T = TypeParam;
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(T(-0.0) == T(0) && T(-1) < T(0) && T(2) >= 2 && 3 > T(2));
  EXPECT_FALSE(nan == nan);
  EXPECT_FALSE(nan < 1 || nan > 1);
  EXPECT_TRUE((nan <=> T(1)) == std::partial_ordering::unordered);
  EXPECT_EQ(std::hash<T>{}(T(0)), std::hash<T>{}(T(-0.0)));
}

TYPED_TEST(Half, MathematicsMatchesFloat) {
  using T = TypeParam;
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const T x = bits<T>(i);
    const float f(x);
    ASSERT_EQ(isnan(x), std::isnan(f));
    ASSERT_EQ(isinf(x), std::isinf(f));
    ASSERT_EQ(isfinite(x), std::isfinite(f));
    ASSERT_EQ(signbit(x), std::signbit(f));
    if (isnan(x)) continue;
    ASSERT_EQ(float(trunc(x)), std::trunc(f));
    ASSERT_EQ(float(abs(x)), std::fabs(f));
    if (!isfinite(x) || x == 0) continue;
    int e = 0;
    int expected_e = 0;
    ASSERT_EQ(float(frexp(x, &e)), std::frexp(f, &expected_e));
    ASSERT_EQ(e, expected_e);
    ASSERT_TRUE(this->rounding.is_rounded(ldexp(x, -9), std::ldexp(double(x), -9)));
    ASSERT_TRUE(this->rounding.is_rounded(ldexp(x, 9), std::ldexp(double(x), 9)));
  }
}

TYPED_TEST(Half, LimitsAreThoseOfTheFormat) {
  using L = std::numeric_limits<TypeParam>;
  EXPECT_EQ(double(L::max()), std::ldexp(1 - std::ldexp(1.0, -L::digits), L::max_exponent));
  EXPECT_EQ(double(L::min()), std::ldexp(1.0, L::min_exponent - 1));
  EXPECT_EQ(double(L::denorm_min()), std::ldexp(1.0, L::min_exponent - L::digits));
  EXPECT_EQ(double(L::epsilon()), std::ldexp(1.0, 1 - L::digits));
  EXPECT_LE(std::pow(10.0, L::max_exponent10), double(L::max()));
  EXPECT_GT(std::pow(10.0, L::max_exponent10 + 1), double(L::max()));
  EXPECT_GE(std::pow(10.0, L::min_exponent10), double(L::min()));
  EXPECT_LT(std::pow(10.0, L::min_exponent10 - 1), double(L::min()));
}

TYPED_TEST(Half, TransformsAreErrorFree) {
  using T = TypeParam;
  using Traits = mct::FloatTraits<T>;
  std::mt19937_64 random(2);
  const double exact_from = std::ldexp(1.0, Traits::emin + 2 * Traits::p - 1);
  for (int i = 0; i < 1 << 20; ++i) {
    const T a = bits<T>(std::uint32_t(random() >> 48));
    const T b = bits<T>(std::uint32_t(random() >> 48));
    if (!isfinite(a) || !isfinite(b)) continue;
    if (abs(a) != Traits::max && abs(b) != Traits::max && isfinite(a + b)) {
      const auto [hi, lo] = mct::two_sum(a, b);
      const auto exact = mct::test::exact_sum(double(a), double(b));
      const auto got = mct::test::exact_sum(double(hi), double(lo));
      ASSERT_TRUE(hi == a + b && got.hi == exact.hi && got.lo == exact.lo);
    }
    if (isfinite(a * b)) {
      const auto [hi, lo] = mct::two_prod(a, b);
      const double exact = double(a) * double(b);
      ASSERT_TRUE(hi == a * b);
      ASSERT_TRUE(lo == fma(a, b, -hi));
      const double off = std::fabs((exact - double(hi)) - double(lo));
      ASSERT_LE(off, std::fabs(exact) >= exact_from ? 0.0 : double(Traits::eta) / 2);
    }
    const auto [hi, lo] = mct::split(a);
    ASSERT_EQ(double(hi) + double(lo), double(a));
    if (a != 0 && isfinite(a)) {
      ASSERT_GE(std::fabs(double(a)), double(ulp(a)) * (abs(a) < 4 * Traits::eta ? 1 : 2));
    }
  }
}

TYPED_TEST(Half, IsConstexpr) {
  using T = TypeParam;
  static_assert(T(1) / T(3) * 3 == 1 && T(0.1) != T(0.11) && -T(2) < 0);
  constexpr auto product = mct::two_prod(T(1.125), T(1.125));
  static_assert(double(product.hi) + double(product.lo) == 1.265625);
}

TEST(HalfFormats, ConvertIntoEachOther) {
  EXPECT_EQ(mct::half(mct::bfloat16(1e30F)), std::numeric_limits<mct::half>::infinity());
  EXPECT_EQ(mct::bfloat16(mct::half(65504)), mct::bfloat16(65536));
  EXPECT_EQ(mct::half(mct::bfloat16(-0x1p-24)), mct::half(-0x1p-24));
}

#if MCT_WITH_EIGEN
/// Implicit both ways, bit for bit; Eigen rounds floats as we do, subnormals included.
template <class Ours, class Eigens>
void compare_with_eigen() {
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const Ours ours = bits<Ours>(i);
    const Eigens eigens = ours;
    const Ours back = eigens;
    ASSERT_EQ(back.bits(), i);
    if (ours != ours) continue;
    ASSERT_EQ(float(eigens), float(ours));
    ASSERT_EQ(Ours(Eigens(std::sqrt(float(abs(ours))))), sqrt(abs(ours)));
  }
  std::mt19937 random(3);
  for (int i = 0; i < 1 << 20; ++i) {
    const auto f = std::bit_cast<float>(std::uint32_t(random()));
    const Ours eigens = Eigens(f);
    if (f == f) {
      ASSERT_EQ(eigens.bits(), Ours(f).bits()) << f;
    } else {
      ASSERT_TRUE(isnan(eigens));
    }
  }
}
TEST(HalfFormats, EqualEigensBitForBit) {
  compare_with_eigen<mct::half, Eigen::half>();
  compare_with_eigen<mct::bfloat16, Eigen::bfloat16>();
}
#endif

}  // namespace
