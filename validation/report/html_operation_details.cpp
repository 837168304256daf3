// The report's part on each operation: error against exponent, error by kind of case.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "output/number_text.hpp"
#include "output/svg_plot.hpp"
#include "validation/report/first_seen.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/result_text.hpp"

namespace mct::validation {
namespace {

using ResultList = std::vector<const OperationResult*>;

/// Beyond this share of the bound the plot shows an arrow: the bound must stay readable.
constexpr double largest_share_drawn = 4;

double share(double error, double bound) {
  const double value = error / bound;
  return value > largest_share_drawn ? std::numeric_limits<double>::infinity() : value;
}

/// A result that a plot can show: it has a bound, and bins.
bool has_curve(const OperationResult& result) {
  return result.bound > 0 && !result.by_exponent.empty();
}

/// The exponents between the first and the last bin with an error, over the types of one
/// precision: where exact results lie far outside the type's range, nothing is to be seen.
struct ExponentRange {
  int first = std::numeric_limits<int>::max();
  int last = std::numeric_limits<int>::min();
};

ExponentRange range_with_errors(int precision, const ResultList& results) {
  ExponentRange range;
  for (const OperationResult* result : results) {
    if (result->precision != precision || !has_curve(*result)) continue;
    for (const ExponentBin& bin : result->by_exponent) {
      if (bin.errors.max_error == 0) continue;
      range.first = std::min(range.first, bin.exponent);
      range.last = std::max(range.last, bin.exponent);
    }
  }
  return range;
}

/// Largest error of the types of one precision against the exponent of the result.
output::LinePlot exponent_plot(const std::string& operation, int precision,
                               const ResultList& results) {
  output::LinePlot plot;
  plot.title = fmt::format("{}, components of {} bits", operation, precision);
  plot.description = fmt::format(
      "Line plot: largest error of {} as a share of its bound, against the binary exponent of the "
      "exact result, for components of {} bits",
      operation, precision);
  plot.x_label = "binary exponent of the exact result";
  plot.y_label = "largest error / bound";
  plot.y_from_zero = true;
  plot.whole_x = true;
  plot.bounds.push_back({1, "stated bound"});
  const ExponentRange range = range_with_errors(precision, results);
  for (const OperationResult* result : results) {
    if (result->precision != precision || !has_curve(*result)) continue;
    output::PlotSeries series;
    series.name = fmt::format("{}, bound {:g}", result->type, result->bound);
    series.colour = result->components > 0 ? result->components - 1 : 0;
    series.markers = result->by_exponent.size() < 12;
    for (const ExponentBin& bin : result->by_exponent) {
      if (bin.exponent < range.first || bin.exponent > range.last) continue;
      series.points.push_back(
          {bin.exponent + 0.5 * bin.width, share(bin.errors.max_error, result->bound)});
    }
    plot.series.push_back(std::move(series));
  }
  return plot;
}

std::string plots_html(const OperationGroup& group) {
  std::vector<int> precisions;
  for (const OperationResult* result : group.results)
    if (has_curve(*result)) place_in(precisions, result->precision);
  if (precisions.empty()) return "";
  std::string out = "<div class=\"plots\">\n";
  bool beyond = false;
  for (const int precision : precisions) {
    const ExponentRange range = range_with_errors(precision, group.results);
    if (range.first > range.last) {
      out += fmt::format("<p>No error with components of {} bits.</p>\n", precision);
      continue;
    }
    const output::LinePlot plot = exponent_plot(group.operation, precision, group.results);
    for (const output::PlotSeries& series : plot.series)
      for (const output::PlotPoint& point : series.points) beyond = beyond || std::isinf(point.y);
    out += "<figure>" + output::svg_text(plot) + "</figure>\n";
  }
  out += "</div>\n";
  if (beyond)
    out += fmt::format(
        "<p class=\"note\">An arrow at the upper edge marks an error of more than "
        "{:g} times the bound.</p>\n",
        largest_share_drawn);
  return out;
}

std::string exact_text(const OperationGroup& group) {
  std::uint64_t cases = 0;
  for (const OperationResult* result : group.results) {
    if (result->errors.max_error != 0 || !result->passed()) return "";
    cases += result->errors.cases;
  }
  return cases == 0
             ? "<p>No case was checked.</p>\n"
             : fmt::format("<p>No error in any of {} cases.</p>\n", output::count_text(cases));
}

const ErrorStatistics* errors_in(const OperationResult& result, const std::string& category) {
  for (const CategoryResult& c : result.categories)
    if (c.name == category) return &c.errors;
  return nullptr;
}

std::vector<std::string> categories_of(const OperationGroup& group) {
  std::vector<std::string> names;
  for (const OperationResult* result : group.results)
    for (const CategoryResult& category : result->categories) place_in(names, category.name);
  return names;
}

std::uint64_t cases_in(const OperationGroup& group, const std::string& category) {
  std::uint64_t cases = 0;
  for (const OperationResult* result : group.results)
    if (const ErrorStatistics* errors = errors_in(*result, category)) cases += errors->cases;
  return cases;
}

/// Rows: kinds of cases; columns: types; cells: largest errors.
std::string error_table(const OperationGroup& group) {
  const std::vector<std::string> names = categories_of(group);
  if (names.empty()) return "";
  std::string out =
      "<div class=\"scroll\"><table class=\"small\">\n<caption>Largest error (u<sup>N</sup>) by "
      "kind of case</caption>\n<thead><tr><th scope=\"col\">Kind of case</th>"
      "<th scope=\"col\" class=\"n\">Cases</th>";
  for (const OperationResult* result : group.results)
    out += "<th scope=\"col\" class=\"n\">" + escaped(result->type) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (const std::string& name : names) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>", escaped(name),
                       output::count_text(cases_in(group, name)));
    for (const OperationResult* result : group.results) {
      const ErrorStatistics* errors = errors_in(*result, name);
      const bool any = errors != nullptr && errors->cases > 0;
      out +=
          fmt::format("<td class=\"n\">{}</td>", any ? error_text(errors->max_error) : "&#8211;");
    }
    out += "</tr>\n";
  }
  return out + "</tbody>\n</table></div>\n";
}

/// Where there is no error at all: how many cases of each kind, in one row.
std::string case_table(const OperationGroup& group) {
  const std::vector<std::string> names = categories_of(group);
  if (names.empty()) return "";
  std::string heads, cells;
  for (const std::string& name : names) {
    heads += "<th scope=\"col\" class=\"n\">" + escaped(name) + "</th>";
    cells += fmt::format("<td class=\"n\">{}</td>", output::count_text(cases_in(group, name)));
  }
  return fmt::format(
      "<div class=\"scroll\"><table class=\"small\">\n<thead><tr><td></td>{}</tr>"
      "</thead>\n<tbody><tr><th scope=\"row\">Cases</th>{}</tr></tbody>\n"
      "</table></div>\n",
      heads, cells);
}

/// "exact" once, or the bounds type by type where they differ.
std::string bounds_html(const OperationGroup& group) {
  std::vector<std::pair<std::string, std::string>> bounds;  // text, types
  for (const OperationResult* result : group.results) {
    const auto same = [&](const auto& bound) { return bound.first == result->bound_text; };
    std::string& types = found_or_added(bounds, same, {result->bound_text, ""}).second;
    types += (types.empty() ? "" : ", ") + escaped(result->type);
  }
  std::string out = "<p class=\"bounds\">Stated: ";
  for (std::size_t i = 0; i < bounds.size(); ++i)
    out += fmt::format("{}{} <span class=\"types\">({})</span>", i == 0 ? "" : "; ",
                       formula_html(bounds[i].first), bounds[i].second);
  return out + ".</p>\n";
}

std::string group_html(const OperationGroup& group) {
  const bool failed = std::any_of(group.results.begin(), group.results.end(),
                                  [](const OperationResult* r) { return !r->passed(); });
  std::string out =
      fmt::format("<section class=\"operation\" id=\"{}\">\n<h3>{}{}</h3>\n", group.id,
                  escaped(group.operation), failed ? " <span class=\"v-FAIL\">FAIL</span>" : "");
  out += bounds_html(group);
  const std::string exact = exact_text(group);
  if (!exact.empty()) return out + exact + case_table(group) + "</section>\n";
  return out + plots_html(group) + error_table(group) + "</section>\n";
}

}  // namespace

std::string operation_details_html(const Results& results) {
  std::string out =
      "<section id=\"details\">\n<h2>Operation by operation</h2>\n"
      "<p>Each plot shows the largest error found among results of one range of exponents, as a "
      "share of the stated bound of its type: below the dotted line the bound holds. What "
      "underflow may add according to the bound is taken off first. Exponents at both ends without "
      "any error are left out.</p>\n";
  if (results.operations.empty()) out += "<p>No operation was checked.</p>\n";
  for (const OperationGroup& group : groups_of(results)) out += group_html(group);
  return out + "</section>\n";
}

}  // namespace mct::validation
