// Roundings where two steps would go wrong: integers of more than 53 bits as short floats.
#include <gtest/gtest.h>

#include <cstdint>

#include "mctensor/eft/all.hpp"

namespace {

// A double would round away the 1 that makes these more than halfway.
TEST(ShortFloatEdges, LongIntegersAreRoundedOnce) {
  for (int top = 53; top <= 62; ++top) {
    const std::int64_t tie = (std::int64_t(1) << top) + (std::int64_t(1) << (top - 8));
    const double below = double(std::int64_t(1) << top);
    const double above = below * (1 + 0x1p-7);
    EXPECT_EQ(double(mct::bfloat16(tie)), below) << top;
    EXPECT_EQ(double(mct::bfloat16(tie + 1)), above) << top;
    EXPECT_EQ(double(mct::bfloat16(tie - 1)), below) << top;
    EXPECT_EQ(double(mct::bfloat16(-tie - 1)), -above) << top;
    EXPECT_EQ(double(mct::bfloat16(std::uint64_t(tie) * 2 + 1)), 2 * above) << top;
  }
}

}  // namespace
