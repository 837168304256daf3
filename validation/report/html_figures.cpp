// The report's part on hyperbolic geometry: errors against the distance from the origin.
#include <fmt/format.h>

#include <algorithm>

#include "output/number_text.hpp"
#include "output/svg_plot.hpp"
#include "validation/report/first_seen.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"

namespace mct::validation {
namespace {

/// `names` of the curves so far decide on colours.
output::LinePlot plot_of(const FigureResult& figure, std::vector<std::string>& names) {
  output::LinePlot plot;
  plot.title = figure.title;
  plot.description = fmt::format("Line plot: {} against {}", figure.y_label, figure.x_label);
  plot.x_label = figure.x_label;
  plot.y_label = figure.y_label;
  plot.width = 720;
  plot.height = 380;
  for (const FigureCurve& curve : figure.curves) {
    output::PlotSeries series;
    series.name = curve.name;
    // without what follows a comma: a bound has the colour of what it bounds
    series.colour = place_in(names, curve.name.substr(0, curve.name.find(',')));
    series.dashed = curve.bound;
    for (const FigurePoint& point : curve.points) series.points.push_back({point.x, point.log10_y});
    plot.series.push_back(std::move(series));
  }
  return plot;
}

/// Where a curve passes 1, and its last value.
std::string table_of(const FigureResult& figure) {
  std::string out = "<details><summary>In numbers</summary>\n<div class=\"scroll\"><table>\n" +
                    head_html({"Curve", "#Above 1 from", "#Largest x", "#log<sub>10</sub> there"}) +
                    "\n<tbody>\n";
  for (const FigureCurve& curve : figure.curves) {
    if (curve.points.empty()) continue;
    const auto first = std::find_if(curve.points.begin(), curve.points.end(),
                                    [](const FigurePoint& p) { return !(p.log10_y <= 0); });
    out += fmt::format(
        "<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{:g}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        escaped(curve.name),
        first == curve.points.end() ? std::string("&#8211;") : fmt::format("{:g}", first->x),
        curve.points.back().x, escaped(output::log2_label(curve.points.back().log10_y)));
  }
  return out + "</tbody>\n</table></div></details>\n";
}

}  // namespace

std::string figures_html(const Results& results) {
  std::string out = "<section id=\"figures\">\n<h2>Hyperbolic geometry</h2>\n";
  if (results.figures.empty())
    return out + "<p>These figures were not made in this run.</p>\n</section>\n";
  out +=
      "<p>How much of a point is left far from the origin. Compared with MPFR with 3072 bits; "
      "errors are hyperbolic distances at curvature &#8722;1 where nothing else is said. An arrow "
      "at the upper edge marks results that are no points or no numbers.</p>\n";
  std::vector<std::string> names;
  for (const FigureResult& figure : results.figures) {
    out += fmt::format("<h3 id=\"{}\">{}</h3>\n<p>{}</p>\n", identifier(figure.id),
                       escaped(figure.title), escaped(figure.text));
    out += "<div class=\"plots\">\n<figure>" + output::svg_text(plot_of(figure, names)) +
           "</figure>\n</div>\n" + table_of(figure);
  }
  return out + "</section>\n";
}

}  // namespace mct::validation
