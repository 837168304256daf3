// The top of the report: verdict, how the run was made, how to repeat it; and the violations.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "output/number_text.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"
#include "validation/report/result_text.hpp"

namespace mct::validation {
namespace {

std::string fact(const char* name, const std::string& html) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, html);
}

std::string or_unknown(const std::string& text) {
  return text.empty() ? "not recorded" : escaped(text);
}

std::uint64_t violations_in(const Results& results) {
  std::uint64_t count = 0;
  for (const OperationResult& operation : results.operations) count += operation.violation_count;
  return count;
}

std::string verdict_html(const Results& results) {
  std::set<std::string> types;
  for (const OperationResult& operation : results.operations) types.insert(operation.type);
  if (results.operations.empty() || results.checked_cases == 0)
    return "<p class=\"verdict none\"><strong>No result</strong> No operation was checked in this "
           "run.</p>\n";
  const std::string scope = fmt::format(
      "{} checked cases, {} operation{} on {} type{}", output::count_text(results.checked_cases),
      groups_of(results).size(), groups_of(results).size() == 1 ? "" : "s", types.size(),
      types.size() == 1 ? "" : "s");
  const std::uint64_t violations = violations_in(results);
  if (violations == 0)
    return fmt::format(
        "<p class=\"verdict pass\"><strong>Pass</strong> {}: every result is within "
        "its stated bound.</p>\n",
        scope);
  const auto failed = std::count_if(results.operations.begin(), results.operations.end(),
                                    [](const OperationResult& o) { return !o.passed(); });
  return fmt::format(
      "<p class=\"verdict fail\"><strong>Fail</strong> {}: {} results in {} rows of "
      "the table <a href=\"#violations\">break their promise</a>.</p>\n",
      scope, output::count_text(violations), failed);
}

}  // namespace

std::vector<OperationGroup> groups_of(const Results& results) {
  std::vector<OperationGroup> groups;
  std::set<std::string> ids;
  for (const OperationResult& result : results.operations) {
    auto found = std::find_if(groups.begin(), groups.end(), [&](const OperationGroup& group) {
      return group.operation == result.operation;
    });
    if (found == groups.end()) {
      std::string id = "op-" + identifier(result.operation);
      while (!ids.insert(id).second) id += '-';
      found = groups.insert(groups.end(), {result.operation, id, {}});
    }
    found->results.push_back(&result);
  }
  return groups;
}

std::string header_html(const Results& results) {
  std::string out = "<header>\n<h1>MCTensor precision report</h1>\n";
  out += verdict_html(results);
  out += "<dl class=\"facts\">\n";
  out += fact("Version", or_unknown(results.version));
  out += fact("Compiler", or_unknown(results.compiler));
  out += fact("Processor", or_unknown(results.cpu));
  out += fact("Checked cases", output::count_text(results.checked_cases));
  out += fact("Violations", output::count_text(violations_in(results)));
  out += fact("Random seed", std::to_string(results.seed));
  out += fact("Time", fmt::format("{} on {} thread{}", output::seconds_text(results.seconds),
                                  results.threads, results.threads == 1 ? "" : "s"));
  out += fact("Operations", results.filter.empty()
                                ? "all"
                                : "those that match <code>" + escaped(results.filter) + "</code>");
  out += "</dl>\n";
  out += fmt::format(
      "<p>To repeat this run: <code class=\"command\">{}</code>. The same seed and number of cases "
      "give the same cases on any number of threads.</p>\n</header>\n",
      escaped(repeat_command(results)));
  return out;
}

std::string violations_html(const Results& results) {
  if (results.passed()) return "";
  std::string out = "<section id=\"violations\">\n<h2>Violations</h2>\n";
  for (const OperationResult& operation : results.operations) {
    if (operation.passed()) continue;
    out += fmt::format(
        "<h3>{} {}</h3>\n<p>{} of {} cases; the bound is {}.</p>\n<ul>\n", escaped(operation.type),
        escaped(operation.operation), output::count_text(operation.violation_count),
        output::count_text(operation.errors.cases), formula_html(operation.bound_text));
    for (const Violation& violation : operation.violations)
      out += fmt::format("<li>{}, error {:.9g} {}<br/><code class=\"command\">{}</code></li>\n",
                         escaped(violation.what), violation.error,
                         formula_html(unit_text(operation.components, operation.bound_text)),
                         escaped(replay_command(violation.replay)));
    if (operation.violation_count > operation.violations.size())
      out += fmt::format("<li>and {} more</li>\n", output::count_text(operation.violation_count -
                                                                      operation.violations.size()));
    out += "</ul>\n";
  }
  return out + "</section>\n";
}

}  // namespace mct::validation
