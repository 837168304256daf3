// The plot maker: ticks, places of points, text that needs escapes, values that are not finite.
#include "output/svg_plot.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <regex>
#include <string>

#include "output/svg_axis.hpp"
#include "tests/validation/markup_check.hpp"

namespace mct::output {
namespace {

using mct::testing::Element;
using mct::testing::MarkupCheck;

TEST(SvgAxis, TicksAreRoundAndInside) {
  EXPECT_EQ(nice_ticks(0, 1, 5), (std::vector<double>{0, 0.2, 0.2 * 2, 0.2 * 3, 0.2 * 4, 1}));
  EXPECT_EQ(nice_ticks(-250, 0, 5), (std::vector<double>{-250, -200, -150, -100, -50, 0}));
  EXPECT_EQ(nice_ticks(0.9, 4.1, 6, true), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(nice_ticks(3, 3, 5), (std::vector<double>{3}));
  for (const double scale : {1e-300, 1e-3, 7.0, 1e300}) {
    const auto ticks = nice_ticks(-scale, 1.7 * scale, 5);
    EXPECT_GE(ticks.size(), 3u);
    EXPECT_LE(ticks.size(), 7u);
    EXPECT_GE(ticks.front(), -scale * (1 + 1e-9));
    EXPECT_LE(ticks.back(), 1.7 * scale * (1 + 1e-9));
  }
  EXPECT_LE(nice_ticks(1e300, std::nextafter(1e300, INFINITY), 5).size(), 101u);
}

TEST(SvgAxis, LabelsHaveTheDigitsOfTheStep) {
  EXPECT_EQ(tick_label(0.6000000000000001, 0.2), "0.6");
  EXPECT_EQ(tick_label(1, 0.25), "1.0");
  EXPECT_EQ(tick_label(-150, 50),
            "\xE2\x88\x92"
            "150");
  EXPECT_EQ(tick_label(0, 0.5), "0.0");
  EXPECT_EQ(tick_label(2e7, 1e7), "2e+07");
}

TEST(SvgAxis, PlacesAreLinear) {
  const Axis axis({-1, 3}, 100, 20);
  EXPECT_EQ(axis.place(-1), 100);
  EXPECT_EQ(axis.place(1), 60);
  EXPECT_EQ(axis.place(3), 20);
  const Axis point({5, 5}, 0, 10);
  EXPECT_EQ(point.place(5), 5);
}

LinePlot sample_plot() {
  LinePlot plot;
  plot.title = "a < b & \"c\"";
  plot.x_label = "x";
  plot.y_label = "y";
  plot.series = {{"one", {{0, 0}, {1, 1}, {2, 4}}, 0, true, true, false},
                 {"two <2>", {{0, 3}, {2, INFINITY}, {1, NAN}}, 1, false, false, false}};
  plot.bounds = {{4, "bound"}};
  return plot;
}

TEST(SvgPlot, LinePlotIsWellFormedAndLabelled) {
  const std::string svg = svg_text(sample_plot());
  const MarkupCheck check(svg);
  EXPECT_EQ(check.problem, "");
  ASSERT_EQ(check.named("title").size(), 1u);
  EXPECT_NE(check.words.find("a &lt; b &amp; &quot;c&quot;"), std::string::npos);
  for (const char* words : {"one", "two &lt;2&gt;", "bound"})
    EXPECT_NE(check.words.find(words), std::string::npos) << words;
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(svg.find("inf"), std::string::npos);
  // three circles on the line, one more in the legend
  EXPECT_EQ(check.named("circle").size(), 4u);
}

TEST(SvgPlot, PointsLieWhereTheAxisSays) {
  LinePlot plot;
  plot.title = "t";
  plot.series = {{"s", {{0, 0}, {10, 10}, {5, 5}}, 0, false, false, false}};
  const std::string svg = svg_text(plot);
  const MarkupCheck check(svg);
  std::vector<std::pair<double, double>> places;
  for (const Element* circle : check.named("circle"))
    places.emplace_back(std::stod(circle->attributes.at("cx")),
                        std::stod(circle->attributes.at("cy")));
  ASSERT_EQ(places.size(), 4u);  // the last: legend
  EXPECT_LT(places[0].first, places[1].first);
  EXPECT_GT(places[0].second, places[1].second);
  EXPECT_NEAR(places[2].first, (places[0].first + places[1].first) / 2, 0.11);
  EXPECT_NEAR(places[2].second, (places[0].second + places[1].second) / 2, 0.11);
  for (const auto& [x, y] : places) {
    EXPECT_GE(x, 0);
    EXPECT_LE(x, plot.width);
  }
}

TEST(SvgPlot, EmptyPlotsSaySo) {
  LinePlot plot;
  plot.title = "nothing";
  EXPECT_NE(svg_text(plot).find("no data"), std::string::npos);
  plot.series = {{"s", {{NAN, NAN}}, 0, true, true, false}};
  const std::string svg = svg_text(plot);
  EXPECT_EQ(MarkupCheck(svg).problem, "");
  EXPECT_NE(svg.find("no data"), std::string::npos);
  BarChart chart;
  chart.title = "none";
  EXPECT_EQ(MarkupCheck(svg_text(chart)).problem, "");
}

TEST(SvgPlot, BarsGrowWithTheNegativeLogarithm) {
  BarChart chart;
  chart.title = "bars";
  chart.groups = {"f64x2", "f64x3"};
  chart.series = {{"ours", {-106.0, -159.0}, 0},
                  {"theirs", {-53.0, {}}, 1},
                  {"exact", {-INFINITY, INFINITY}, 2}};
  const std::string svg = svg_text(chart);
  const MarkupCheck check(svg);
  EXPECT_EQ(check.problem, "");
  std::vector<double> heights;
  for (const Element* rect : check.named("rect"))
    heights.push_back(std::stod(rect->attributes.at("height")));
  // group 1: ours, theirs, exact; group 2: ours (none, infinite); then three of the legend
  ASSERT_EQ(heights.size(), 4u + 3u);
  EXPECT_NEAR(heights[0], 2 * heights[1], 0.3);
  EXPECT_NEAR(heights[3], 3 * heights[1], 0.3);
  EXPECT_GT(heights[2], heights[0]);
  for (const char* label : {"106.0", "53.0", "159.0", "exact", "infinite"})
    EXPECT_NE(check.words.find(label), std::string::npos) << label;
}

}  // namespace
}  // namespace mct::output
