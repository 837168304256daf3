// The report's table of all operations.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "output/number_text.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/result_text.hpp"

namespace mct::validation {
namespace {

/// A cell whose number the script sorts by.
std::string number_cell(double value, const std::string& text) {
  return fmt::format("<td class=\"n\" data-v=\"{:.6g}\">{}</td>", value, text);
}

/// The largest error as a share of the bound, with a small bar.
std::string share_cell(const OperationResult& operation) {
  if (operation.bound == 0 || operation.errors.cases == 0)
    return "<td class=\"n\" data-v=\"-1\">&#8211;</td>";
  const double share = operation.errors.max_error / operation.bound;
  const double filled = std::isnan(share) ? 0 : std::clamp(share, 0.0, 1.0);
  return fmt::format("<td class=\"n meter\" data-v=\"{:.6g}\" style=\"--share:{:.0f}%\">{}</td>",
                     share, 100 * filled, error_text(share));
}

std::string replay_cell(const OperationResult& operation) {
  if (operation.worst_replay.empty()) return "<td>&#8211;</td>";
  return fmt::format(
      "<td><details><summary>inputs</summary><code class=\"command\">{}</code></details></td>",
      escaped(replay_command(operation.worst_replay)));
}

std::string row(const OperationResult& operation, const std::string& id) {
  const bool any = operation.errors.cases > 0;
  const char* verdict = verdict_text(operation);
  std::string out = fmt::format("<tr><th scope=\"row\"><a href=\"#{}\">{}</a></th><td>{}</td>", id,
                                escaped(operation.operation), escaped(operation.type));
  out += number_cell(double(operation.errors.cases), output::count_text(operation.errors.cases));
  out += number_cell(operation.errors.max_error,
                     any ? error_text(operation.errors.max_error) : "&#8211;");
  out +=
      number_cell(operation.errors.mean(), any ? error_text(operation.errors.mean()) : "&#8211;");
  out += number_cell(operation.bound,
                     operation.bound == 0 ? "exact" : fmt::format("{:g}", operation.bound));
  out += share_cell(operation);
  out += "<td>" + formula_html(operation.bound_text) + "</td>";
  out += fmt::format("<td class=\"v-{0}\">{0}</td>", verdict);
  return out + replay_cell(operation) + "</tr>\n";
}

}  // namespace

std::string operation_table_html(const Results& results) {
  std::string out = "<section id=\"operations\">\n<h2>All operations</h2>\n";
  if (results.operations.empty()) return out + "<p>No operation was checked.</p>\n</section>\n";
  out +=
      "<p>Errors in units of u<sup>N</sup>, with u = 2<sup>&#8722;p</sup> for N components of p "
      "bits (p = 53 for f64, 24 for f32): f64x2 is the sum of two doubles, its unit "
      "2<sup>&#8722;106</sup>. Errors of numbers that carry their error (certified_...) are in "
      "radii. &#8220;Share&#8221; is the largest error divided by the bound; "
      "&#951; in a bound is the smallest subnormal number.</p>\n"
      "<div class=\"scroll\"><table class=\"sortable\">\n" +
      head_html({"Operation", "Type", "#Cases", "#Max", "#Mean", "#Bound", "#Share",
                 "Bound in full", "Verdict", "Worst case"}) +
      "\n<tbody>\n";
  for (const OperationGroup& group : groups_of(results))
    for (const OperationResult* operation : group.results) out += row(*operation, group.id);
  return out + "</tbody>\n</table></div>\n</section>\n";
}

}  // namespace mct::validation
