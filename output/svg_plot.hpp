// Line, scatter and bar plots as SVG text. They follow the colours of the page (light or dark),
// and have colours of their own where a page defines none.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace mct::output {

struct PlotPoint {
  double x = 0;
  double y = 0;  // infinite: drawn at the edge as an arrow; NaN: a gap
};

struct PlotSeries {
  std::string name;
  std::vector<PlotPoint> points;
  int colour = 0;        // one of 8, counted round
  bool line = true;      // false: scatter
  bool markers = false;  // a shape of the series' own at each point
  bool dashed = false;
};

/// A horizontal line with a label: a bound.
struct BoundLine {
  double y = 0;
  std::string label;
};

/// A plot of lines and points on linear axes.
struct LinePlot {
  std::string title;        // shown above the plot
  std::string description;  // for readers that cannot see the plot; empty: the title
  std::string x_label;
  std::string y_label;
  std::vector<PlotSeries> series;
  std::vector<BoundLine> bounds;
  bool y_from_zero = false;
  bool whole_x = false;  // ticks at integers only
  int width = 560;
  int height = 300;  // of the plot; the legend comes below
};

/// The plot as one <svg> element. With no finite point it says "no data".
std::string svg_text(const LinePlot& plot);

struct BarSeries {
  std::string name;
  std::vector<std::optional<double>> values;  // one per group; none: no bar
  int colour = 0;
};

/// A grouped bar chart of logarithms; each bar is labelled with its value. The axis is upside
/// down: the more negative a value, the higher the bar. Minus infinity (no error) is a bar of full
/// height in outline, plus infinity no bar but a label.
struct BarChart {
  std::string title;
  std::string description;
  std::string y_label;
  std::vector<std::string> groups;
  std::vector<BarSeries> series;
  int width = 560;
  int height = 300;
};

std::string svg_text(const BarChart& chart);

}  // namespace mct::output
