// Numbers as people read them.
#include "output/number_text.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace mct::output {
namespace {

TEST(NumberText, ThousandsAreSeparated) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(1000), "1,000");
  EXPECT_EQ(count_text(1234567), "1,234,567");
}

TEST(NumberText, SecondsBecomeMinutesAndHours) {
  EXPECT_EQ(seconds_text(59.97), "1 min 0 s");
  EXPECT_EQ(seconds_text(3600), "1 h 0 min");
  EXPECT_EQ(seconds_text(1.25), "1.2 s");
}

TEST(NumberText, LogarithmsHaveOneDecimal) {
  EXPECT_EQ(log2_label(-0.01), "0.0");
  EXPECT_EQ(log2_label(-INFINITY), "exact");
}

}  // namespace
}  // namespace mct::output
