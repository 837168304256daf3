// Numbers in texts that we write: each is read as itself again.
#include "mctensor/base/number_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cstdint>
#include <limits>
#include <random>

#include "mctensor/base/number_in.hpp"

namespace mct {
namespace {

TEST(NumberText, IsShort) {
  using Limits = std::numeric_limits<double>;
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(3), "3");
  EXPECT_EQ(number_text(-2.5), "-2.5");
  EXPECT_EQ(number_text(1e-9), "1e-09");
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(number_text(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(number_text(Limits::infinity()), "inf");
  EXPECT_EQ(number_text(Limits::quiet_NaN()), "nan");
  EXPECT_EQ(number_text(Limits::denorm_min()), "5e-324");
  EXPECT_EQ(number_text(-Limits::max()), "-1.7976931348623157e+308");
}

TEST(NumberText, IsRounded) {
  EXPECT_EQ(number_text(0.1 + 0.2, 9), "0.3");
  EXPECT_EQ(number_text(1 / 3.0, 3), "0.333");
  EXPECT_EQ(number_text(2e300 / 3, 4), "6.667e+299");
  EXPECT_EQ(number_text(-std::numeric_limits<double>::denorm_min(), 17),
            "-4.9406564584124654e-324");
}

TEST(NumberText, IsTheNumberInAnyLocale) {
  std::mt19937_64 random(1);
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // (without that locale the test says nothing new)
  for (int i = 0; i < 20000; ++i) {
    const auto bits = random();
    const auto x = std::bit_cast<double>(bits);
    if (x != x) continue;
    const auto read = number_in<double>(number_text(x));
    ASSERT_TRUE(read) << number_text(x);
    EXPECT_EQ(std::bit_cast<std::uint64_t>(*read), bits);
  }
  EXPECT_EQ(number_text(1.5), "1.5");
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace mct
