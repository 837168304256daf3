// Results made up for the tests of the report's writers.
#pragma once

#include <cmath>
#include <limits>

#include "validation/results.hpp"

namespace mct::testing {

inline validation::ErrorStatistics errors_of(std::uint64_t cases, double max, double sum) {
  validation::ErrorStatistics errors;
  errors.cases = cases;
  errors.max_error = max;
  errors.sum_error = sum;
  return errors;
}

inline validation::OperationResult sample_operation(const std::string& name, int components,
                                                    double bound, double max_error) {
  validation::OperationResult result;
  result.operation = name;
  result.type = "f64x" + std::to_string(components);
  result.components = components;
  result.precision = 53;
  result.bound = bound;
  result.bound_text = bound == 0 ? "exact"
                                 : std::to_string(int(bound)) + " u^" + std::to_string(components) +
                                       " |x - y| + 0.5 eta";
  result.errors = errors_of(1234567, max_error, max_error * 1e5);
  result.categories = {{"random", errors_of(1000000, max_error, max_error * 9e4)},
                       {"special values", errors_of(234567, 0, 0)}};
  for (int e = -64; e < 64; e += 32)
    result.by_exponent.push_back({e, 32, errors_of(300000, max_error * (1 - e / 256.0), 1)});
  result.worst_replay = result.type + ' ' + name + " 0x1p+0,0x1p-60 -0x1.8p+3,0x0p+0";
  return result;
}

/// Several operations, one of them failing; peers, components, text that needs escapes, and
/// errors that are not finite.
inline validation::Results sample_results() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  validation::Results results;
  results.seed = 18446744073709551615u;
  results.requested_cases = 5000000;
  results.threads = 2;
  results.seconds = 0.1;
  results.version = "1.2.3";
  results.compiler = "g++ \"12\" <-O3> & 'fma'";
  results.cpu = "A\tCPU \\ with \x01 control and \xC3\xA4";
  results.filter = "it's|f64x2 <mul>";
  results.operations = {sample_operation("add", 2, 3, 2.25), sample_operation("add", 3, 5, 0.1),
                        sample_operation("neg", 2, 0, 0), sample_operation("mul", 2, 4, inf),
                        sample_operation("a<b>&\"c\"", 2, 1, 0.3)};
  validation::OperationResult& failing = results.operations[3];
  failing.violation_count = 7;
  failing.violations = {{failing.worst_replay, 5.5, "bound exceeded"},
                        {failing.worst_replay, std::nan(""), "NaN <not> expected"}};
  for (const auto& operation : results.operations) results.checked_cases += operation.errors.cases;
  const auto peer = [&](const char* operation, const char* name, int components, double log2) {
    results.peers.push_back({operation, "f64x" + std::to_string(components), components, 53, name,
                             errors_of(5000, std::exp2(log2 + 53 * components), 10), log2});
  };
  for (const int n : {2, 3}) {
    peer("div", "MCTensor", n, -53 * n + 2);
    peer("div", "Yu 2024 as printed", n, -53);
    peer("div", "Yu 2024 corrected", n, -53 * n + 3);
    peer("add", "MPFR 106", n, -106);
    peer("add", "QD <dd_real>", n, n == 2 ? -inf : inf);
  }
  for (const char* magnitudes : {"same", "different"})
    for (const int n : {1, 2, 3, 4})
      results.components.push_back(
          {"multiply", magnitudes, "MCTensor C++", 53, n, -53.5 * n, n == 4 ? -inf : -53.0 * n});
  results.figures = {{"a_figure",
                      "A <title> & more",
                      "What was 'done'.",
                      "distance",
                      "log10",
                      {{"measured", false, {{1, -16}, {2, inf}}}, {"bound", true, {{1, -15}}}}}};
  return results;
}

}  // namespace mct::testing
