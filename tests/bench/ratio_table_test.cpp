// The table of ratios.
#include "bench/ratio_table.hpp"

#include <gtest/gtest.h>

namespace {

const std::vector<mct::bench::Timing> timings = {{"dot", "f64x2", "ours", 2.0},
                                                 {"dot", "f64x2", "QD dd_real", 5.0},
                                                 {"dot", "f64x4", "Arb 212", 40.0}};

TEST(RatioTable, DividesByOurs) {
  const std::string text = mct::bench::format_ratios(timings, false);
  EXPECT_NE(text.find("2.50"), std::string::npos);
  EXPECT_NE(text.find("1.00"), std::string::npos);
}

TEST(RatioTable, LeavesTheRatioOutWithoutOurs) {
  const std::string text = mct::bench::format_ratios(timings, true);
  EXPECT_NE(text.find("| dot | f64x4 | Arb 212 | 40.000 |  |"), std::string::npos);
  EXPECT_NE(text.find("| dot | f64x2 | QD dd_real | 5.000 | 2.50 |"), std::string::npos);
}

}  // namespace
