// Text input and output in any rounding mode, and with subnormals flushed to zero; the guard
// itself.
#include <cfenv>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/io.hpp"
#include "tests/message_of.hpp"
#include "tests/modes.hpp"

namespace {

using mct::f64x2;
using mct::testing::Mode;
using mct::testing::Modes;

// volatile: what the compiler computes is rounded to nearest
volatile double smallest = std::numeric_limits<double>::denorm_min();
volatile double three = 3;

TEST(Environment, IsExactOnlyWithoutModes) {
  EXPECT_TRUE(mct::environment_is_exact());
  EXPECT_NO_THROW(mct::check_environment("f"));
  for (const Mode mode : mct::testing::all_modes) {
    bool exact = true;
    std::string message;
    {
      const Modes modes(mode);
      exact = mct::environment_is_exact();
      message = mct::testing::message_of<mct::DomainError>([] { mct::check_environment("f"); });
    }
    EXPECT_FALSE(exact) << mct::testing::name(mode);
    const bool flushes = mct::testing::flushes(mode);
    EXPECT_EQ(message.find("f: "), 0U);
    EXPECT_NE(message.find(flushes ? "subnormal" : "fesetround(FE_TONEAREST)"), std::string::npos)
        << message;
  }
}

TEST(Environment, TheGuardCorrectsAndRestores) {
  const double third = 1 / three;
  for (const Mode mode : mct::testing::all_modes) {
    volatile double quotients[2] = {};
    volatile double product = 0;
    bool inside = false;
    bool outside = true;
    {
      const Modes modes(mode);
      {
        const mct::ExactEnvironment exact;
        inside = mct::environment_is_exact();
        quotients[0] = 1 / three;
        quotients[1] = -1 / three;
        product = smallest * 1.0;
      }
      outside = mct::environment_is_exact();
    }
    EXPECT_TRUE(inside) << name(mode);
    EXPECT_FALSE(outside) << name(mode);
    EXPECT_EQ(quotients[0], third) << name(mode);
    EXPECT_EQ(quotients[1], -third) << name(mode);
    EXPECT_NE(product, 0) << name(mode);
  }
  EXPECT_TRUE(mct::environment_is_exact());
}

TEST(Environment, TheGuardKeepsRaisedFlags) {
  const Modes modes(Mode::upward);
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    const mct::ExactEnvironment exact;
    volatile double quotient = 1 / three;
    (void)quotient;
  }
  EXPECT_NE(std::fetestexcept(FE_INEXACT), 0);
}

TEST(Environment, TextIsTheSameInEveryMode) {
  const char* const texts[] = {
      "0.1",          "-1e-320", "4.9e-324", "1.23456789012345678901234567890123",
      "-0x1.8p-1073", "3e-310",  "1e300"};
  for (const char* const text : texts) {
    const f64x2 expected = mct::from_string<f64x2>(text);
    const auto single = mct::from_string<mct::Expansion<float, 2>>(text);
    const std::string decimal = to_string(expected);
    const std::string digits = to_string(expected, 40);
    const std::string hexadecimal = to_hex_string(expected);
    std::ostringstream out;
    out.precision(35);
    out << expected;
    for (const Mode mode : mct::testing::all_modes) {
      f64x2 x;
      mct::Expansion<float, 2> y;
      std::string results[3];
      std::ostringstream stream;
      {
        const Modes modes(mode);
        x = mct::from_string<f64x2>(text);
        y = mct::from_string<mct::Expansion<float, 2>>(text);
        results[0] = to_string(expected);
        results[1] = to_string(expected, 40);
        results[2] = to_hex_string(expected);
        stream.precision(35);
        stream << expected;
      }
      const std::string what = std::string(text) + ", " + mct::testing::name(mode);
      EXPECT_EQ(x.limb[0], expected.limb[0]) << what;
      EXPECT_EQ(x.limb[1], expected.limb[1]) << what;
      EXPECT_EQ(y.limb[0], single.limb[0]) << what;
      EXPECT_EQ(y.limb[1], single.limb[1]) << what;
      EXPECT_EQ(results[0], decimal) << what;
      EXPECT_EQ(results[1], digits) << what;
      EXPECT_EQ(results[2], hexadecimal) << what;
      EXPECT_EQ(stream.str(), out.str()) << what;
    }
  }
}

}  // namespace
