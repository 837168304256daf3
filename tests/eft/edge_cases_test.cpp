// Roundings where two steps would go wrong: integers of more than 53 bits as short floats, products
// and sums of lanes.
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

/// A batch of which the library knows nothing but how to store and load it.
struct Pair {
  using value_type = double;
  static constexpr std::size_t size = 2;
  double lane[2];

  void store_unaligned(double* to) const {
    to[0] = lane[0];
    to[1] = lane[1];
  }
  static Pair load_unaligned(const double* from) { return {{from[0], from[1]}}; }
};

TEST(FusedMultiplyAdd, OfUnknownBatchesGoesLaneByLane) {
  const double a = 1 + 0x1p-30;
  const Pair r = mct::FusedMultiplyAdd<Pair>::apply({{a, 3}}, {{a, 5}}, {{-1 - 0x1p-29, 7}});
  EXPECT_EQ(r.lane[0], 0x1p-60);  // rounded once: the product alone would lose it
  EXPECT_EQ(r.lane[1], 22);
}

}  // namespace
