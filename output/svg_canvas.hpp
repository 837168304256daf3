// The parts that the line plots and the bar charts share: frame, grid, legend.
#pragma once

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "output/svg_axis.hpp"

namespace mct::output {

/// How a series appears in the plot and in its legend.
enum class Swatch { line, dashed_line, shape, line_and_shape, dashed_line_and_shape, bar };

struct LegendEntry {
  std::string name;
  int colour = 0;
  Swatch swatch = Swatch::line;
};

/// An <svg> element under construction.
class SvgCanvas {
 public:
  static constexpr double left = 58;
  static constexpr double right = 14;
  static constexpr double top = 36;
  static constexpr double bottom = 46;

  SvgCanvas(int width, int height, const std::vector<LegendEntry>& legend);

  /// The inside of the axes.
  double x_from() const { return left; }
  double x_to() const { return width_ - right; }
  double y_from() const { return height_ - bottom; }
  double y_to() const { return top; }

  void title(std::string_view text);
  void x_label(std::string_view text);
  void y_label(std::string_view text);
  void y_ticks(const Axis& axis, const std::vector<double>& ticks);
  void x_ticks(const Axis& axis, const std::vector<double>& ticks);
  void baseline(double y);
  /// Text at a place; anchor is start, middle or end.
  void text(double x, double y, std::string_view content, const char* anchor, int size,
            const char* more = "");
  /// SVG, as fmt::format makes it.
  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(body_), format, std::forward<Values>(values)...);
  }
  /// A marker: circle, square, diamond or triangle, by the number of the colour.
  void shape(double x, double y, int colour);

  /// The whole element, with the legend. `name` and `description` are for screen readers.
  std::string finish(std::string_view name, std::string_view description);

 private:
  void legend();

  int width_, height_;
  std::vector<LegendEntry> legend_;
  std::vector<std::vector<LegendEntry>> legend_rows_;
  std::string body_;
};

/// A style attribute's value that sets `color` to one of the 8 colours of series.
std::string series_colour(int colour);

}  // namespace mct::output
