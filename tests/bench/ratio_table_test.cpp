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

TEST(RatioTable, HasErrorsWhereOneIsMeasured) {
  const std::string text = mct::bench::format_ratios(
      {{"add", "f64x2", "ours", 2.0, 1.5}, {"add", "f64x2", "QD", 3.0}}, true);
  EXPECT_NE(text.find("| times ours | error, u^N |"), std::string::npos);
  EXPECT_NE(text.find("| 1.00 | 1.5 |\n"), std::string::npos);
  EXPECT_NE(text.find("| 1.50 |  |\n"), std::string::npos);
  EXPECT_EQ(mct::bench::format_ratios(timings, true).find("error"), std::string::npos);
}

TEST(Circumstances, SayWhereWhenAndHow) {
  EXPECT_EQ(mct::bench::format_circumstances({"CPU", "g++", "2026-11-21", "^dot", 3}),
            "CPU, g++, 2026-11-21, best of 3: `./run bench --filter '^dot' --repetitions 3`.\n\n");
  EXPECT_EQ(mct::bench::format_circumstances({"CPU", "g++", "2026-11-21", "", 5}),
            "CPU, g++, 2026-11-21, best of 5: `./run bench --repetitions 5`.\n\n");
  EXPECT_EQ(mct::bench::format_circumstances({"CPU", "g++", "2026-11-21", "", 5, "A 1"}),
            "CPU, g++, 2026-11-21, best of 5: `./run bench --repetitions 5`. Beside A 1.\n\n");
}

TEST(Json, KeepsPeersAndErrors) {
  EXPECT_EQ(mct::bench::format_json({"CPU", "g++", "2026-11-21", "", 3, "A 1"},
                                    {{"add", "f64x2", "A", 2, 1.5}}),
            R"({
  "format": "mctensor benchmark",
  "hardware": "CPU",
  "compiler": "g++",
  "date": "2026-11-21",
  "repetitions": "best of 3",
  "command": "./run bench --repetitions 3",
  "peers": "A 1",
  "layout": "peers",
  "timings": [
    ["add", "f64x2", "A", 2, 1.5]
  ]
}
)");
}

TEST(Json, KeepsTimesWithWhereWhenAndHow) {
  EXPECT_EQ(
      mct::bench::format_json({"CPU", "g++", "2026-11-21", R"(a\d)", 3},
                              {{"dot", "f64x2", "ours", 0.1234567}, {"x \"y\"", "", "z", 1e6}}),
      R"({
  "format": "mctensor benchmark",
  "hardware": "CPU",
  "compiler": "g++",
  "date": "2026-11-21",
  "repetitions": "best of 3",
  "command": "./run bench --filter 'a\\d' --repetitions 3",
  "timings": [
    ["dot", "f64x2", "ours", 0.123457],
    ["x \"y\"", "", "z", 1e+06]
  ]
}
)");
}

}  // namespace
