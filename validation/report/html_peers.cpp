// The report's part on other libraries: the same operations on the same inputs.
#include "validation/report/comparison.hpp"
#include "validation/report/html_sections.hpp"

namespace mct::validation {

std::string peers_html(const Results& results) {
  std::string out = "<section id=\"peers\">\n<h2>Beside other libraries</h2>\n";
  const std::vector<Comparison> list = comparisons(results, PeerKind::other);
  if (list.empty()) return out + "<p>No other library was measured in this run.</p>\n</section>\n";
  out +=
      "<p>The same operations on the same inputs, done by other libraries. Errors are in units "
      "of u<sup>N</sup> of our type, so that rows of one type can be compared: a library with "
      "more bits than N p has errors below 1. A higher bar is a smaller error.</p>\n"
      "<div class=\"plots\">\n";
  for (const output::BarChart& chart : comparison_charts(list))
    out += "<figure>" + output::svg_text(chart) + "</figure>\n";
  out += "</div>\n";
  out += comparison_table(list, "Errors of this library and of others");
  return out + "</section>\n";
}

}  // namespace mct::validation
