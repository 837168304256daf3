// Functions of plain doubles beside the same of two limbs, which the suite checks against MPFR; one
// number and a batch give the same bits.
#include "mctensor/math/plain.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#if MCT_WITH_XSIMD
#include "mctensor/interop/xsimd.hpp"
#endif

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Of every size and sign, many where 1 counts, and next to numbers where branches meet.
std::vector<double> arguments(double lowest) {
  std::mt19937_64 random(11);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  std::vector<double> x;
  const auto add = [&](double number) {
    if (number > lowest) x.push_back(number);
  };
  for (int i = 0; i < 40000; ++i) {
    add(uniform(-1, 2));
    add(std::exp2(uniform(-1070, 1023)));
    add(-std::exp2(uniform(-1070, 9)));
    add(std::exp2(uniform(-60, 5)));
    add(uniform(-45, 709.7));
  }
  for (int k = -60; k < 1024; ++k)
    for (const double m : {1.0, std::sqrt(2.0), std::log(2.0), 0.5 * std::log(2.0)})
      for (const double size : {m * std::ldexp(1.0, k), m * k}) {
        add(size);
        add(-size);
        add(std::nextafter(size, infinity));
        add(std::nextafter(size, -infinity) - 1);
      }
  return x;
}

/// The largest error in ulps of the result.
template <class F, class G>
double worst(const std::vector<double>& x, const F& plain, const G& exact) {
  double most = 0;
  for (const double at : x) {
    if (std::fabs(at) < 0x1p-900) continue;  // of the truth the second limb has no digits
    const mct::f64x2 truth = exact(mct::f64x2(at));
    const double size = std::fabs(truth.limb[0]);
    if (!(size > std::numeric_limits<double>::min()) || std::isinf(size)) continue;
    const mct::f64x2 error = mct::f64x2(plain(at)) - truth;
    most = std::max(most, std::fabs(error.limb[0]) / (std::nextafter(size, infinity) - size));
  }
  return most;
}

double log1p_of(double x) { return mct::detail::plain_log1p(x); }
double expm1_of(double x) { return mct::detail::plain_expm1(x); }

TEST(Plain, Log1p) {
  EXPECT_LE(worst(arguments(-1), log1p_of, [](const mct::f64x2& x) { return log1p(x); }), 1);
  EXPECT_EQ(log1p_of(-1), -infinity);
  EXPECT_EQ(log1p_of(infinity), infinity);
  EXPECT_TRUE(std::isnan(log1p_of(-1.5)));
  EXPECT_TRUE(std::isnan(log1p_of(-infinity)));
  EXPECT_TRUE(std::isnan(log1p_of(std::nan(""))));
  EXPECT_TRUE(std::signbit(log1p_of(-0.0)));
  EXPECT_EQ(log1p_of(5e-324), 5e-324);
  EXPECT_EQ(mct::detail::plain_log1p_within(std::numeric_limits<double>::max()),
            std::log1p(std::numeric_limits<double>::max()));
}
TEST(Plain, Expm1) {
  EXPECT_LE(worst(arguments(-infinity), expm1_of, [](const mct::f64x2& x) { return expm1(x); }),
            1.5);
  EXPECT_EQ(expm1_of(infinity), infinity);
  EXPECT_EQ(expm1_of(709.79), infinity);
  EXPECT_EQ(expm1_of(-infinity), -1);
  EXPECT_TRUE(std::isnan(expm1_of(std::nan(""))));
  EXPECT_TRUE(std::signbit(expm1_of(-0.0)));
  EXPECT_EQ(expm1_of(-5e-324), -5e-324);
}
TEST(Plain, PowersAndSplits) {
  for (int k = -1022; k < 1024; ++k) {
    EXPECT_EQ(mct::detail::power_of_two(double(k)), std::ldexp(1.0, k));
    const auto split = mct::detail::binary_split(std::ldexp(1.5, k), 0.75);
    EXPECT_EQ(split.exponent, k + 1);
    EXPECT_EQ(split.mantissa, 0.75);
    if (k < 1022) {
      EXPECT_EQ(split.inverse_power, std::ldexp(1.0, -k - 1));
    }
  }
  for (int k = -126; k < 128; ++k)
    EXPECT_EQ(mct::detail::power_of_two(float(k)), std::ldexp(1.0F, k));
}

#if MCT_WITH_XSIMD
TEST(Plain, LanesAreScalars) {
  using Batch = xsimd::batch<double>;
  auto x = arguments(-infinity);
  for (const double special : {0.0, -0.0, infinity, -infinity, -1.0, std::nan(""), 800.0})
    x.push_back(special);
  x.resize(x.size() / Batch::size * Batch::size);
  double lanes[Batch::size];
  const auto expect_same = [&](std::size_t first, const Batch& result, auto* f) {
    result.store_unaligned(lanes);
    for (std::size_t i = 0; i < Batch::size; ++i) {
      const double expected = f(x[first + i]);
      EXPECT_TRUE(lanes[i] == expected || (std::isnan(lanes[i]) && std::isnan(expected)))
          << x[first + i];
    }
  };
  for (std::size_t i = 0; i < x.size(); i += Batch::size) {
    const auto at = Batch::load_unaligned(&x[i]);
    expect_same(i, mct::detail::plain_log1p(at), &log1p_of);
    expect_same(i, mct::detail::plain_expm1(at), &expm1_of);
  }
}
#endif

}  // namespace
