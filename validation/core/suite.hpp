// Runs the suite: which operations, how many cases, on how many threads.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "validation/core/task.hpp"
#include "validation/results.hpp"

namespace mct::validation {

struct Options {
  std::uint64_t seed = 2026;
  std::uint64_t cases = 60'000'000;
  std::string filter;  // regular expression searched in "f64x2 add"; empty: everything
  int threads = 0;     // 0: as many as the machine has
};

/// Called with the cases done so far and in total; from any thread, one at a time.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Runs every operation that the filter lets through. The same seed and number of cases give the
/// same results whatever the number of threads. Throws DomainError for a bad filter or one that
/// leaves nothing.
Results run_suite(const Options& options, const Progress& progress);

/// Whether the suite's own expansions multiply by fma: it is compiled for this machine.
bool suite_has_fma();

/// Repeats one case: "f64x2 add 0x1p+0,0x1p-60 -0x1p+0,0x0p+0". Returns whether it keeps its
/// bound and appends a description. Throws DomainError for a line that is not a case.
bool replay_case(const std::string& line, std::string& report);

}  // namespace mct::validation
