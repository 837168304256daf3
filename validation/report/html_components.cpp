// The report's part on the number of components (figures 3.6 and B.14 of Yu 2024).
#include <fmt/format.h>

#include <algorithm>

#include "output/svg_plot.hpp"
#include "validation/report/first_seen.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"

namespace mct::validation {
namespace {

/// The points of one plot.
struct Panel {
  std::string operation;
  std::string magnitudes;
  int precision = 0;
  std::vector<const ComponentPoint*> points;
};

std::vector<Panel> panels_of(const Results& results) {
  std::vector<Panel> panels;
  for (const ComponentPoint& point : results.components) {
    const auto same = [&](const Panel& panel) {
      return panel.operation == point.operation && panel.magnitudes == point.magnitudes &&
             panel.precision == point.precision;
    };
    found_or_added(panels, same, {point.operation, point.magnitudes, point.precision, {}})
        .points.push_back(&point);
  }
  for (Panel& panel : panels)
    std::stable_sort(panel.points.begin(), panel.points.end(),
                     [](const auto* a, const auto* b) { return a->components < b->components; });
  std::stable_sort(panels.begin(), panels.end(),
                   [](const Panel& a, const Panel& b) { return a.precision > b.precision; });
  return panels;
}

/// One list for the whole section, so that an implementation keeps its colour.
std::vector<std::string> implementations_of(const Results& results) {
  std::vector<std::string> names;
  for (const ComponentPoint& point : results.components) place_in(names, point.implementation);
  return names;
}

output::LinePlot plot_of(const Panel& panel, const std::vector<std::string>& implementations) {
  output::LinePlot plot;
  plot.title =
      fmt::format("{}, {} magnitudes, {} bits", panel.operation, panel.magnitudes, panel.precision);
  plot.description = fmt::format(
      "Line plot: log2 of the relative error of {} with operands of {} magnitudes, "
      "against the number of components of {} bits",
      panel.operation, panel.magnitudes, panel.precision);
  plot.x_label = "components";
  plot.y_label = "log\xE2\x82\x82 of the relative error";
  plot.whole_x = true;
  for (std::size_t i = 0; i < implementations.size(); ++i) {
    output::PlotSeries worst, mean;
    worst.name = implementations[i] + ", worst";
    mean.name = implementations[i] + ", mean";
    worst.colour = mean.colour = int(i);
    worst.markers = true;
    mean.dashed = true;
    for (const ComponentPoint* point : panel.points) {
      if (point->implementation != implementations[i]) continue;
      worst.points.push_back({double(point->components), point->worst_relative_log2});
      mean.points.push_back({double(point->components), point->mean_relative_log2});
    }
    if (worst.points.empty()) continue;
    plot.series.push_back(std::move(worst));
    plot.series.push_back(std::move(mean));
  }
  return plot;
}

std::string table_of(const std::vector<Panel>& panels,
                     const std::vector<std::string>& implementations) {
  std::string out =
      "<details><summary>The same as a table</summary>\n<div class=\"scroll\"><table>\n" +
      head_html({"Operation", "Magnitudes", "Implementation", "#Bits", "#Components", "#Mean",
                 "#Worst"}) +
      "\n<tbody>\n";
  for (const Panel& panel : panels) {
    for (const std::string& implementation : implementations) {
      for (const ComponentPoint* point : panel.points) {
        if (point->implementation != implementation) continue;
        out += fmt::format(
            "<tr><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td>"
            "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
            escaped(panel.operation), escaped(panel.magnitudes), escaped(implementation),
            panel.precision, point->components, power_of_two_html(point->mean_relative_log2),
            power_of_two_html(point->worst_relative_log2));
      }
    }
  }
  return out + "</tbody>\n</table></div></details>\n";
}

}  // namespace

std::string components_html(const Results& results) {
  std::string out = "<section id=\"components\">\n<h2>Error by number of components</h2>\n";
  if (results.components.empty())
    return out + "<p>This comparison was not made in this run.</p>\n</section>\n";
  out +=
      "<p>Relative error of one operation against the number of components of its operands: "
      "the quantities of figures 3.6 and B.14 of Yu 2024. The magnitudes of the two "
      "operands are the same or different. Lower is more accurate; an arrow at the lower edge "
      "marks results without error.</p>\n<div class=\"plots\">\n";
  const std::vector<Panel> panels = panels_of(results);
  const std::vector<std::string> implementations = implementations_of(results);
  for (const Panel& panel : panels)
    out += "<figure>" + output::svg_text(plot_of(panel, implementations)) + "</figure>\n";
  return out + "</div>\n" + table_of(panels, implementations) + "</section>\n";
}

}  // namespace mct::validation
