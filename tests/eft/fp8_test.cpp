// e4m3: every value, every halfway case, overflow.
#include "mctensor/eft/fp8.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace {

using mct::e4m3;

constexpr int finite = 0x7f;  // codes below are finite

/// The k-th non-negative value, by definition; k may be one beyond the last.
double value(int k) {
  const int fraction = k % 8;
  const int exponent = k / 8;
  if (exponent == 0) return std::ldexp(fraction, -9);
  return std::ldexp(fraction + 8, exponent - 10);
}

void expect_bits(double x, int bits) {
  EXPECT_EQ(e4m3(x).bits(), bits) << x;
  EXPECT_EQ(e4m3(-x).bits(), bits | 0x80) << x;
  if (double(float(x)) == x) {
    EXPECT_EQ(e4m3(float(x)).bits(), bits) << x;
    EXPECT_EQ(e4m3(float(-x)).bits(), bits | 0x80) << x;
  }
}

TEST(E4m3, EveryValue) {
  static_assert(sizeof(e4m3) == 1 && std::is_trivial_v<e4m3>);
  static_assert(double(e4m3(1.0)) == 1);
  for (int i = 0; i < 256; ++i) {
    const e4m3 x = e4m3::from_bits(std::uint8_t(i));
    const double d(x);
    EXPECT_EQ(std::signbit(d), i >= 0x80);
    if ((i & 0x7f) < finite) {
      EXPECT_EQ(std::fabs(d), value(i & 0x7f));
      EXPECT_EQ(float(x), float(d));
      EXPECT_EQ(e4m3(d).bits(), i);
      EXPECT_EQ(e4m3(float(d)).bits(), i);
    } else {
      EXPECT_TRUE(std::isnan(d) && std::isnan(float(x)) && x != x);
      EXPECT_EQ(e4m3(d).bits(), i);
      EXPECT_EQ(e4m3(float(d)).bits(), i);
    }
  }
  EXPECT_EQ(double(e4m3::max()), 448);
  EXPECT_EQ(double(e4m3::denorm_min()), std::ldexp(1.0, -9));
  EXPECT_TRUE(std::isnan(double(e4m3::quiet_NaN())));
}

TEST(E4m3, HalfwayCases) {
  for (int k = 0; k + 1 < finite; ++k) {
    const double m = (value(k) + value(k + 1)) / 2;
    expect_bits(m, k % 2 == 0 ? k : k + 1);
    expect_bits(std::nextafter(m, 0), k);
    expect_bits(std::nextafter(m, 1e9), k + 1);
    expect_bits(std::nextafter(float(m), 0.0F), k);
    expect_bits(std::nextafter(float(m), 1e9F), k + 1);
  }
  expect_bits(0x1p-1074, 0);
}

TEST(E4m3, OverflowSaturates) {
  for (const double x : {449.0, 464.0, 480.0, 1e5, 1e300, std::numeric_limits<double>::infinity()})
    expect_bits(x, finite - 1);
}

TEST(E4m3, Comparisons) {
  EXPECT_TRUE(e4m3(1.0) < e4m3(2.0));
  EXPECT_TRUE(e4m3(-0.0) == e4m3(0.0));
  EXPECT_FALSE(e4m3::quiet_NaN() < e4m3(1.0) || e4m3::quiet_NaN() > e4m3(1.0));
}

}  // namespace
