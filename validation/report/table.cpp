#include "validation/report/table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "output/number_text.hpp"
#include "validation/report/result_text.hpp"

namespace mct::validation {
namespace {

constexpr std::size_t column_count = 7;
using Row = std::array<std::string, column_count>;

constexpr const char* green = "\x1b[32m";
constexpr const char* red = "\x1b[1;31m";
constexpr const char* yellow = "\x1b[33m";
constexpr const char* plain = "\x1b[0m";

std::string coloured(std::string_view text, std::string_view verdict, bool colour) {
  if (!colour) return std::string(text);
  const char* code = verdict == "PASS" ? green : verdict == "FAIL" ? red : yellow;
  return fmt::format("{}{}{}", code, text, plain);
}

Row row_of(const OperationResult& operation) {
  const bool any = operation.errors.cases > 0;
  return {operation.operation,
          operation.type,
          output::count_text(operation.errors.cases),
          any ? error_text(operation.errors.max_error) : "-",
          any ? error_text(operation.errors.mean()) : "-",
          operation.bound == 0 ? "exact" : fmt::format("{:g}", operation.bound),
          verdict_text(operation)};
}

/// Names to the left, numbers to the right.
void append_row(std::string& out, const Row& row,
                const std::array<std::size_t, column_count>& width, bool colour) {
  for (std::size_t c = 0; c + 1 < column_count; ++c) {
    if (c < 2)
      out += fmt::format("{:<{}}  ", row[c], width[c]);
    else
      out += fmt::format("{:>{}}  ", row[c], width[c]);
  }
  out += coloured(row.back(), row.back(), colour) + '\n';
}

void append_violations(std::string& out, const Results& results, bool colour) {
  for (const OperationResult& operation : results.operations) {
    if (operation.passed()) continue;
    const std::string title = fmt::format("{} {}", operation.type, operation.operation);
    out += fmt::format("\n{}: {} of {} cases, bound {}\n", coloured(title, "FAIL", colour),
                       output::count_text(operation.violation_count),
                       output::count_text(operation.errors.cases), operation.bound_text);
    for (const Violation& violation : operation.violations) {
      out += fmt::format("  {} (error {:.9g} {})\n    {}\n", violation.what, violation.error,
                         unit_text(operation.components, operation.bound_text),
                         replay_command(violation.replay));
    }
    if (operation.violation_count > operation.violations.size())
      out += fmt::format("  and {} more\n", output::count_text(operation.violation_count -
                                                               operation.violations.size()));
  }
}

void append_summary(std::string& out, const Results& results, bool colour) {
  std::uint64_t violations = 0;
  for (const OperationResult& operation : results.operations)
    violations += operation.violation_count;
  const char* verdict = !results.passed() ? "FAIL" : results.checked_cases == 0 ? "NONE" : "PASS";
  out +=
      fmt::format("\n{}  {} operations, {} checked cases, {} violations, {}\n",
                  coloured(verdict, verdict, colour), output::count_text(results.operations.size()),
                  output::count_text(results.checked_cases), output::count_text(violations),
                  output::seconds_text(results.seconds));
}

}  // namespace

std::string format_table(const Results& results, bool colour) {
  const Row header = {"operation", "type", "cases", "max error", "mean", "bound", "verdict"};
  std::vector<Row> rows;
  for (const OperationResult& operation : results.operations) rows.push_back(row_of(operation));
  std::array<std::size_t, column_count> width{};
  for (std::size_t c = 0; c < column_count; ++c) {
    width[c] = header[c].size();
    for (const Row& row : rows) width[c] = std::max(width[c], row[c].size());
  }
  std::string out;
  if (!rows.empty()) {
    out += "errors and bounds in u^N, u = 2^-p, N components of p bits\n";
    append_row(out, header, width, false);
    std::size_t total = 2 * (column_count - 1);
    for (const std::size_t w : width) total += w;
    out += std::string(total, '-') + '\n';
    for (const Row& row : rows) append_row(out, row, width, colour);
  }
  append_violations(out, results, colour);
  append_summary(out, results, colour);
  return out;
}

bool wants_colour(std::FILE* stream) {
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* terminal = std::getenv("TERM");
  if (terminal == nullptr || std::strcmp(terminal, "dumb") == 0) return false;
  return ::isatty(::fileno(stream)) == 1;
}

std::string format_table(const Results& results) {
  return format_table(results, wants_colour(stdout));
}

}  // namespace mct::validation
