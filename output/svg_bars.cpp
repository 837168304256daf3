// Grouped bar charts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mctensor/base/markup.hpp"
#include "output/number_text.hpp"
#include "output/svg_canvas.hpp"
#include "output/svg_plot.hpp"

namespace mct::output {
namespace {

struct Bar {
  double value = 0;
  int colour = 0;
};

/// The bars of one group, in the order of the series.
std::vector<Bar> bars_of(const BarChart& chart, std::size_t group) {
  std::vector<Bar> bars;
  for (const BarSeries& series : chart.series)
    if (group < series.values.size() && series.values[group])
      bars.push_back({*series.values[group], series.colour});
  return bars;
}

Range value_range(const BarChart& chart) {
  Range range{0, 0};
  for (const BarSeries& series : chart.series) {
    for (const auto& value : series.values) {
      if (!value || !std::isfinite(*value)) continue;
      range.low = std::min(range.low, *value);
      range.high = std::max(range.high, *value);
    }
  }
  if (range.low == range.high) range.low = -1;
  // room for the labels beyond the ends of the bars
  const double span = range.high - range.low;
  range.low -= 0.2 * span;
  if (range.high > 0) range.high += 0.2 * span;
  return range;
}

/// The room for one bar, group by group.
std::vector<double> slot_widths(const BarChart& chart, double total) {
  const double group_width = total / double(std::max<std::size_t>(chart.groups.size(), 1));
  std::vector<double> slots;
  for (std::size_t g = 0; g < chart.groups.size(); ++g) {
    const std::size_t bars = std::max<std::size_t>(bars_of(chart, g).size(), 1);
    slots.push_back(std::min(56.0, 0.86 * group_width / double(bars)));
  }
  return slots;
}

/// Labels stand upright in all of a chart as soon as one is too wide for its bar.
bool needs_upright_labels(const BarChart& chart, const std::vector<double>& slots) {
  for (std::size_t g = 0; g < chart.groups.size(); ++g)
    for (const Bar& bar : bars_of(chart, g))
      if (text_width(log2_label(bar.value), 11) > slots[g]) return true;
  return false;
}

void add_bar(SvgCanvas& canvas, const Bar& bar, double x, double width, const Axis& axis,
             bool upright) {
  const double zero = axis.place(0);
  const bool finite = std::isfinite(bar.value);
  const bool exact = !finite && bar.value < 0;
  double end = zero;
  if (finite) end = axis.place(bar.value);
  if (exact) end = axis.place(axis.range().low) + 34;
  if (finite || exact) {
    canvas.add(
        "<g style=\"{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
        "{}/></g>\n",
        series_colour(bar.colour), x, std::min(zero, end), width, std::fabs(zero - end),
        exact ? "fill=\"none\" stroke=\"currentColor\" stroke-dasharray=\"3 3\""
              : "fill=\"currentColor\"");
  }
  const std::string label = log2_label(bar.value);
  const bool below = end > zero;
  const double middle = x + width / 2;
  if (!upright) {
    canvas.text(middle, below ? end + 13 : end - 5, label, "middle", 11);
    return;
  }
  const double y = below ? end + 5 : end - 5;
  const std::string turned = fmt::format(" transform=\"rotate(-90 {:.1f} {:.1f})\"", middle + 4, y);
  canvas.text(middle + 4, y, label, below ? "end" : "start", 11, turned.c_str());
}

}  // namespace

std::string svg_text(const BarChart& chart) {
  std::vector<LegendEntry> legend;
  for (const BarSeries& series : chart.series)
    legend.push_back({series.name, series.colour, Swatch::bar});
  SvgCanvas canvas(chart.width, chart.height, legend);
  canvas.title(chart.title);
  canvas.y_label(chart.y_label);
  // from the upper edge down: the lowest value is on top
  const Axis axis(value_range(chart), canvas.y_to(), canvas.y_from());
  canvas.y_ticks(axis, nice_ticks(axis.range().low, axis.range().high, 6));
  const std::size_t groups = chart.groups.size();
  const std::vector<double> slots = slot_widths(chart, canvas.x_to() - canvas.x_from());
  const bool upright = needs_upright_labels(chart, slots);
  const double group_width =
      (canvas.x_to() - canvas.x_from()) / double(std::max<std::size_t>(groups, 1));
  for (std::size_t g = 0; g < groups; ++g) {
    const std::vector<Bar> bars = bars_of(chart, g);
    const double middle = canvas.x_from() + (double(g) + 0.5) * group_width;
    double x = middle - slots[g] * double(bars.size()) / 2;
    for (const Bar& bar : bars) {
      add_bar(canvas, bar, x + 0.06 * slots[g], 0.88 * slots[g], axis, upright);
      x += slots[g];
    }
    canvas.text(middle, canvas.y_from() + 18, chart.groups[g], "middle", 12);
  }
  canvas.baseline(axis.place(0));
  return canvas.finish(chart.title, chart.description);
}

}  // namespace mct::output
