// e4m3 and e5m2: every value, every halfway case, overflow.
#include "mctensor/eft/fp8.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "mctensor/eft/half.hpp"

namespace {

using mct::Fp8Overflow;

template <class F>
struct Format;
template <>
struct Format<mct::e4m3> {
  static constexpr int fraction_bits = 3, emin = -9, finite = 0x7f;
  static constexpr double max = 448, next = 480;
};
template <>
struct Format<mct::e5m2> {
  static constexpr int fraction_bits = 2, emin = -16, finite = 0x7c;
  static constexpr double max = 57344, next = 65536;
};

template <class F>
class Fp8 : public ::testing::Test {};
using Formats = ::testing::Types<mct::e4m3, mct::e5m2>;
TYPED_TEST_SUITE(Fp8, Formats);

/// The k-th non-negative value, by definition; k may be one beyond the last.
template <class F>
double value(int k) {
  constexpr int bits = Format<F>::fraction_bits;
  const int fraction = k % (1 << bits);
  const int exponent = k >> bits;
  if (exponent == 0) return std::ldexp(fraction, Format<F>::emin);
  return std::ldexp(fraction + (1 << bits), Format<F>::emin + exponent - 1);
}

template <class F>
void expect_bits(double x, int bits) {
  EXPECT_EQ(F(x).bits(), bits) << x;
  EXPECT_EQ(F(-x).bits(), bits | 0x80) << x;
  if (double(float(x)) == x) {
    EXPECT_EQ(F(float(x)).bits(), bits) << x;
  }
}

TYPED_TEST(Fp8, EveryValue) {
  using F = TypeParam;
  static_assert(sizeof(F) == 1 && std::is_trivial_v<F>);
  for (int i = 0; i < 256; ++i) {
    const F x = F::from_bits(std::uint8_t(i));
    const double d(x);
    EXPECT_EQ(std::signbit(d), i >= 0x80);
    if ((i & 0x7f) < Format<F>::finite) {
      EXPECT_EQ(std::fabs(d), value<F>(i & 0x7f));
      EXPECT_EQ(float(x), float(d));
      EXPECT_EQ(F(d).bits(), i);
      EXPECT_EQ(F(float(d), Fp8Overflow::special).bits(), i);
      if (Format<F>::fraction_bits == 2) {
        EXPECT_EQ(mct::half(d).bits(), i << 8);
      }
    } else if (std::isinf(d)) {
      EXPECT_EQ(i & 0x7f, 0x7c);
      EXPECT_EQ(F(d, Fp8Overflow::special).bits(), i);
      EXPECT_EQ(F(d).bits(), i - 1);  // saturated
    } else {
      EXPECT_TRUE(std::isnan(d) && std::isnan(float(x)) && x != x);
      EXPECT_TRUE(std::isnan(double(F(d))));
      EXPECT_EQ(std::signbit(double(F(d))), i >= 0x80);
    }
  }
  EXPECT_EQ(double(F::max()), Format<F>::max);
  EXPECT_EQ(double(F::denorm_min()), std::ldexp(1.0, Format<F>::emin));
  EXPECT_TRUE(std::isnan(double(F::quiet_NaN())));
}

TYPED_TEST(Fp8, HalfwayCases) {
  using F = TypeParam;
  for (int k = 0; k + 1 < Format<F>::finite; ++k) {
    const double m = (value<F>(k) + value<F>(k + 1)) / 2;
    expect_bits<F>(m, k % 2 == 0 ? k : k + 1);
    expect_bits<F>(std::nextafter(m, 0), k);
    expect_bits<F>(std::nextafter(m, 1e9), k + 1);
    expect_bits<F>(std::nextafter(float(m), 0.0F), k);
    expect_bits<F>(std::nextafter(float(m), 1e9F), k + 1);
  }
  expect_bits<F>(0x1p-1074, 0);
}

TYPED_TEST(Fp8, OverflowSaturatesOrIsSpecial) {
  using F = TypeParam;
  const double inf = std::numeric_limits<double>::infinity();
  const double threshold = (Format<F>::max + Format<F>::next) / 2;
  const auto special = [](double x) { return double(F(x, Fp8Overflow::special)); };
  const auto is_special = [](double x) {
    return Format<F>::fraction_bits == 2 ? std::isinf(x) : std::isnan(x);
  };
  for (const double x : {std::nextafter(threshold, inf), 1e5, 1e300, inf}) {
    expect_bits<F>(x, Format<F>::finite - 1);
    EXPECT_TRUE(is_special(special(x)) && is_special(special(-x)));
    EXPECT_TRUE(std::signbit(special(-x)));
  }
  EXPECT_EQ(special(std::nextafter(threshold, 0)), Format<F>::max);
  // the tie goes to the even neighbour: 448 in e4m3, beyond the last in e5m2
  EXPECT_EQ(double(F(threshold)), Format<F>::max);
  if (Format<F>::fraction_bits == 3) {
    EXPECT_EQ(special(threshold), 448);
  } else {
    EXPECT_EQ(special(threshold), inf);
  }
  static_assert(double(F(1.0)) == 1);
}

}  // namespace
