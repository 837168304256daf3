// 1 - beta^t beside MPFR.
#include "mctensor/optim/bias_correction.hpp"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace {

using mct::optim::bias_correction;

/// |got - exact| / exact.
double relative_error(double beta, std::int64_t t, double got) {
  mpfr_t x;
  mpfr_init2(x, 600);
  mpfr_set_d(x, beta, MPFR_RNDN);
  mpfr_pow_ui(x, x, static_cast<unsigned long>(t), MPFR_RNDN);
  mpfr_ui_sub(x, 1, x, MPFR_RNDN);
  mpfr_d_div(x, got, x, MPFR_RNDN);
  mpfr_sub_ui(x, x, 1, MPFR_RNDN);
  const double error = std::abs(mpfr_get_d(x, MPFR_RNDN));
  mpfr_clear(x);
  return error;
}

void expect_within_bound(double beta, std::int64_t t) {
  const double u = 0x1p-53;
  const double got = bias_correction(beta, double(t));
  EXPECT_LE(relative_error(beta, t, got), u + 8 * u * u / (1 - beta)) << beta << "^" << t;
}

constexpr std::int64_t steps[] = {1, 2, 3, 7, 255, 1000, 65535, 1000003, std::int64_t(1) << 40};

TEST(BiasCorrection, IsWithinItsBound) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::ldexp(double(random() >> 11), -53);
    for (const double beta : {x, 1 - x * x * x * x, 1 - std::ldexp(1 + x, -1 - int(random() % 50))})
      expect_within_bound(std::min(beta, 1 - 0x1p-53), steps[random() % std::size(steps)]);
  }
  for (const double beta : {0.5, 0.9, 0.95, 0.999, 1 - 0x1p-25, 1 - 0x1p-53, 0x1p-1074, 1e-300,
                            0x1p-27, 1 - 0x1p-27, 0x1.fffffffffffffp-2})
    for (const std::int64_t t : steps) expect_within_bound(beta, t);
}

TEST(BiasCorrection, EndsAreExact) {
  for (const double t : {1.0, 5.0, 0x1p53}) EXPECT_EQ(bias_correction(0, t), 1);
  EXPECT_EQ(bias_correction(0.9, 0), 0);
  EXPECT_EQ(bias_correction(0.75, 1), 0.25);
  EXPECT_EQ(bias_correction(0.5, 2000), 1);
}

}  // namespace
