// The parts of the report's page. Each is a complete <section> or <header>.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validation/results.hpp"

namespace mct::validation {

/// Verdict, how the run was made, how to repeat it.
std::string header_html(const Results& results);

/// This library beside the published algorithms.
std::string headline_html(const Results& results);

/// The operations that broke their bounds; empty if there are none.
std::string violations_html(const Results& results);

/// One table of all operations.
std::string operation_table_html(const Results& results);

/// For each operation: error against exponent, error by kind of case.
std::string operation_details_html(const Results& results);

/// Error against the number of components.
std::string components_html(const Results& results);

/// MPFR, QD and others on the same inputs.
std::string peers_html(const Results& results);

/// Errors of hyperbolic geometry against the distance from the origin.
std::string figures_html(const Results& results);

/// How all this was measured.
std::string method_html(const Results& results);

/// The results of one operation on its types.
struct OperationGroup {
  std::string operation;
  std::string id;  // of its part of the page
  std::vector<const OperationResult*> results;
};

/// The operations in the order of their first result.
std::vector<OperationGroup> groups_of(const Results& results);

// The page's style sheet and its script: files beside this one.
extern const std::string_view report_css;
extern const std::string_view report_js;

}  // namespace mct::validation
