// Line and scatter plots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "mctensor/base/markup.hpp"
#include "output/svg_canvas.hpp"
#include "output/svg_plot.hpp"

namespace mct::output {
namespace {

/// The smallest range that holds all that was put in.
class Extent {
 public:
  void put(double value) {
    if (!std::isfinite(value)) return;
    low_ = empty_ ? value : std::min(low_, value);
    high_ = empty_ ? value : std::max(high_, value);
    empty_ = false;
  }
  bool empty() const { return empty_; }
  Range range() const { return {low_, high_}; }

 private:
  bool empty_ = true;
  double low_ = 0, high_ = 1;
};

Range y_range(const LinePlot& plot, const Extent& points) {
  Extent extent = points;
  for (const BoundLine& bound : plot.bounds) extent.put(bound.y);
  if (plot.y_from_zero) extent.put(0);
  Range range = extent.range();
  // room above, for the label of a bound
  if (!plot.bounds.empty()) range.high += 0.12 * (range.high - range.low);
  return widened_to_ticks(range, 5);
}

/// An arrow at the edge that an infinite value points to.
void add_arrow(SvgCanvas& canvas, double x, bool up) {
  const double y = up ? canvas.y_to() : canvas.y_from();
  const double tail = up ? 7 : -7;
  canvas.add("<path d=\"M{:.1f} {:.1f}l-4 {}h8z\" fill=\"currentColor\"/>\n", x, y, tail);
}

void add_series(SvgCanvas& canvas, const PlotSeries& series, const Axis& x_axis,
                const Axis& y_axis) {
  canvas.add("<g style=\"{}\">\n", series_colour(series.colour));
  std::string path;
  bool pen_down = false;
  for (const PlotPoint& point : series.points) {
    if (!std::isfinite(point.y) || !std::isfinite(point.x)) {
      pen_down = false;
      continue;
    }
    fmt::format_to(std::back_inserter(path), "{}{:.1f} {:.1f}", pen_down ? 'L' : 'M',
                   x_axis.place(point.x), y_axis.place(point.y));
    // a point between gaps would be invisible without a stroke of its own
    if (!pen_down) path += "h0";
    pen_down = true;
  }
  if (series.line && !path.empty())
    canvas.add(
        "<path d=\"{}\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.8\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\"{}/>\n",
        path, series.dashed ? " stroke-dasharray=\"5 4\"" : "");
  for (const PlotPoint& point : series.points) {
    if (!std::isfinite(point.x) || std::isnan(point.y)) continue;
    const double x = x_axis.place(point.x);
    if (std::isinf(point.y))
      add_arrow(canvas, x, point.y > 0);
    else if (series.markers || !series.line)
      canvas.shape(x, y_axis.place(point.y), series.colour);
  }
  canvas.add("</g>\n");
}

void add_bound(SvgCanvas& canvas, const BoundLine& bound, const Axis& y_axis) {
  const double y = y_axis.place(bound.y);
  canvas.add(
      "<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"currentColor\" "
      "stroke-width=\"1.4\" stroke-dasharray=\"2 3\"/>\n",
      canvas.x_from(), y, canvas.x_to());
  canvas.text(canvas.x_to() - 4, y - 5, bound.label, "end", 11);
}

std::vector<LegendEntry> legend_of(const LinePlot& plot) {
  std::vector<LegendEntry> legend;
  for (const PlotSeries& series : plot.series) {
    Swatch swatch = Swatch::shape;
    if (series.line && series.markers)
      swatch = series.dashed ? Swatch::dashed_line_and_shape : Swatch::line_and_shape;
    else if (series.line)
      swatch = series.dashed ? Swatch::dashed_line : Swatch::line;
    legend.push_back({series.name, series.colour, swatch});
  }
  return legend;
}

}  // namespace

std::string svg_text(const LinePlot& plot) {
  SvgCanvas canvas(plot.width, plot.height, legend_of(plot));
  canvas.title(plot.title);
  Extent x_extent, y_extent;
  for (const PlotSeries& series : plot.series) {
    for (const PlotPoint& point : series.points) {
      x_extent.put(point.x);
      y_extent.put(point.y);
    }
  }
  if (x_extent.empty()) {
    canvas.text((canvas.x_from() + canvas.x_to()) / 2, (canvas.y_from() + canvas.y_to()) / 2,
                "no data", "middle", 13);
    return canvas.finish(plot.title, plot.description);
  }
  Range x_range = x_extent.range();
  const double margin = 0.03 * (x_range.high - x_range.low);
  x_range = {x_range.low - margin, x_range.high + margin};
  const Axis x_axis(x_range, canvas.x_from(), canvas.x_to());
  const Axis y_axis(y_range(plot, y_extent), canvas.y_from(), canvas.y_to());
  canvas.y_ticks(y_axis, nice_ticks(y_axis.range().low, y_axis.range().high, 5));
  canvas.baseline(canvas.y_from());
  canvas.x_ticks(
      x_axis, nice_ticks(x_axis.range().low, x_axis.range().high, plot.width / 90, plot.whole_x));
  canvas.x_label(plot.x_label);
  canvas.y_label(plot.y_label);
  for (const BoundLine& bound : plot.bounds) add_bound(canvas, bound, y_axis);
  for (const PlotSeries& series : plot.series) add_series(canvas, series, x_axis, y_axis);
  return canvas.finish(plot.title, plot.description);
}

}  // namespace mct::output
