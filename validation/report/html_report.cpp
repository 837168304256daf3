#include "validation/report/html_report.hpp"

#include <fmt/format.h>

#include <system_error>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/error.hpp"
#include "validation/report/html_sections.hpp"
#include "validation/report/markup.hpp"

namespace mct::validation {
namespace {

/// A name that a line may end in after its underscores, and nowhere else.
std::string breakable(const std::string& name) {
  std::string out;
  for (const char c : escaped(name)) {
    out += c;
    if (c == '_') out += "<wbr/>";
  }
  return out;
}

std::string contents_html(const Results& results) {
  std::string out = "<nav aria-label=\"Contents\">\n<p>Contents</p>\n<ol>\n";
  if (!results.passed()) out += "<li><a href=\"#violations\">Violations</a></li>\n";
  out +=
      "<li><a href=\"#headline\">Beside the published algorithms</a></li>\n"
      "<li><a href=\"#operations\">All operations</a></li>\n"
      "<li><a href=\"#components\">Error by number of components</a></li>\n"
      "<li><a href=\"#peers\">Beside other libraries</a></li>\n"
      "<li><a href=\"#figures\">Hyperbolic geometry</a></li>\n"
      "<li><a href=\"#method\">How this was measured</a></li>\n"
      "<li><a href=\"#details\">Operation by operation</a>";
  const std::vector<OperationGroup> groups = groups_of(results);
  if (!groups.empty()) {
    out += "\n<ol>\n";
    for (const OperationGroup& group : groups)
      out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", group.id, breakable(group.operation));
    out += "</ol>\n";
  }
  return out + "</li>\n</ol>\n</nav>\n";
}

std::string page(const Results& results) {
  std::string body = "<div class=\"page\">\n";
  body += contents_html(results);
  body += "<main>\n";
  body += header_html(results);
  body += violations_html(results);
  body += headline_html(results);
  body += operation_table_html(results);
  body += components_html(results);
  body += peers_html(results);
  body += figures_html(results);
  body += method_html(results);
  body += operation_details_html(results);
  body += "</main>\n</div>\n";
  return html_page("MCTensor precision report", report_css, body, report_js);
}

}  // namespace

void write_html_report(const Results& results, const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw IoError(
        fmt::format("cannot make directory '{}': {}", directory.string(), error.message()));
  write_file_atomically(report_path(directory), page(results));
}

}  // namespace mct::validation
