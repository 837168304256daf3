#include "output/svg_canvas.hpp"

#include <fmt/format.h>

#include <array>

#include "mctensor/base/markup.hpp"

namespace mct::output {
namespace {

constexpr int legend_size = 12;
constexpr double legend_row_height = 20;
constexpr double swatch_width = 30;

double entry_width(const LegendEntry& entry) {
  return swatch_width + text_width(entry.name, legend_size) + 18;
}

double row_width(const std::vector<LegendEntry>& row) {
  double width = 0;
  for (const LegendEntry& entry : row) width += entry_width(entry);
  return width;
}

}  // namespace

std::string series_colour(int colour) {
  // from a colour-blind safe palette; a page overrides them by --series-N
  constexpr std::array<const char*, 10> colours = {"#0b62a8", "#c8500a", "#0a7f5f", "#8e4fa0",
                                                   "#a87400", "#3f8fc7", "#6b6f76", "#a8325a",
                                                   "#5c7f00", "#d0468c"};
  const auto index = std::size_t(colour) % colours.size();
  return fmt::format("color:var(--series-{},{})", index, colours[index]);
}

SvgCanvas::SvgCanvas(int width, int height, const std::vector<LegendEntry>& legend)
    : width_(width), height_(height), legend_(legend) {
  for (const LegendEntry& entry : legend_) {
    const bool fits = !legend_rows_.empty() &&
                      row_width(legend_rows_.back()) + entry_width(entry) <= width_ - left;
    if (!fits) legend_rows_.emplace_back();
    legend_rows_.back().push_back(entry);
  }
}

void SvgCanvas::text(double x, double y, std::string_view content, const char* anchor, int size,
                     const char* more) {
  fmt::format_to(
      std::back_inserter(body_),
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"{}\"{}>{}</text>\n", x, y,
      anchor, size, more, escaped(content));
}

void SvgCanvas::title(std::string_view content) {
  text(left, 18, content, "start", 14, " font-weight=\"600\"");
}

void SvgCanvas::x_label(std::string_view content) {
  text((x_from() + x_to()) / 2, y_from() + 38, content, "middle", 12, " opacity=\".75\"");
}

void SvgCanvas::y_label(std::string_view content) {
  const double y = (y_from() + y_to()) / 2;
  const std::string turned = fmt::format(" opacity=\".75\" transform=\"rotate(-90 14 {:.1f})\"", y);
  text(14, y, content, "middle", 12, turned.c_str());
}

void SvgCanvas::y_ticks(const Axis& axis, const std::vector<double>& ticks) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 0;
  for (const double tick : ticks) {
    const double y = axis.place(tick);
    add("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"currentColor\" stroke-opacity=\".14\"/>\n",
        x_from(), y, x_to());
    text(x_from() - 7, y + 4, tick_label(tick, step), "end", 11);
  }
}

void SvgCanvas::x_ticks(const Axis& axis, const std::vector<double>& ticks) {
  const double step = ticks.size() > 1 ? ticks[1] - ticks[0] : 0;
  for (const double tick : ticks) {
    const double x = axis.place(tick);
    add("<path d=\"M{:.1f} {:.1f}v5\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n", x,
        y_from());
    text(x, y_from() + 18, tick_label(tick, step), "middle", 11);
  }
}

void SvgCanvas::baseline(double y) {
  add("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"currentColor\" stroke-opacity=\".6\"/>\n",
      x_from(), y, x_to());
}

void SvgCanvas::shape(double x, double y, int colour) {
  switch (colour & 3) {
    case 0:
      add("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.6\" fill=\"currentColor\"/>\n", x, y);
      break;
    case 1:
      add("<path d=\"M{:.1f} {:.1f}h6.8v6.8h-6.8z\" fill=\"currentColor\"/>\n", x - 3.4, y - 3.4);
      break;
    case 2:
      add("<path d=\"M{:.1f} {:.1f}l4.6 8h-9.2z\" fill=\"currentColor\"/>\n", x, y - 5.2);
      break;
    default:
      add("<path d=\"M{:.1f} {:.1f}l4.8 4.8l-4.8 4.8l-4.8 -4.8z\" fill=\"currentColor\"/>\n", x,
          y - 4.8);
  }
}

void SvgCanvas::legend() {
  double y = height_ + 14;
  for (const auto& row : legend_rows_) {
    double x = left;
    for (const LegendEntry& entry : row) {
      add("<g style=\"{}\">", series_colour(entry.colour));
      const bool dashed =
          entry.swatch == Swatch::dashed_line || entry.swatch == Swatch::dashed_line_and_shape;
      if (entry.swatch == Swatch::bar) {
        add("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"14\" height=\"11\" fill=\"currentColor\"/>",
            x + 8, y - 9);
      } else if (entry.swatch != Swatch::shape) {
        add("<path d=\"M{:.1f} {:.1f}h24\" stroke=\"currentColor\" stroke-width=\"2\"{}/>", x,
            y - 4, dashed ? " stroke-dasharray=\"5 4\"" : "");
      }
      if (entry.swatch == Swatch::shape || entry.swatch == Swatch::line_and_shape ||
          entry.swatch == Swatch::dashed_line_and_shape)
        shape(x + 12, y - 4, entry.colour);
      body_ += "</g>\n";
      text(x + swatch_width, y, entry.name, "start", legend_size);
      x += entry_width(entry);
    }
    y += legend_row_height;
  }
}

std::string SvgCanvas::finish(std::string_view name, std::string_view description) {
  legend();
  const double height = height_ + 2 + double(legend_rows_.size()) * legend_row_height;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {:.0f}\" role=\"img\" "
      "aria-label=\"{}\" font-family=\"system-ui, sans-serif\" fill=\"currentColor\">\n"
      "<title>{}</title>\n{}</svg>\n",
      width_, height, escaped(description.empty() ? name : description), escaped(name), body_);
}

}  // namespace mct::output
