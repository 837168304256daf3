// The table at the end of a run: ours, each peer, and how many times longer the peer takes.
#pragma once

#include <string>
#include <vector>

namespace mct::bench {

struct Timing {
  std::string work;
  std::string type;
  std::string implementation;
  double nanoseconds = 0;   // per multiply-add
  double error_units = -1;  // worst error in units u^N; negative: not measured
};

/// As text for a terminal, or as a Markdown table. Each row is compared with "ours" of its work and
/// type; without it the ratio is left out. Errors have a column where one is measured.
std::string format_ratios(const std::vector<Timing>& timings, bool markdown);

/// How a table was made: where, by what, when and by which command.
struct Circumstances {
  std::string processor;
  std::string compiler;
  std::string date;    // 2026-11-21
  std::string filter;  // empty: all benchmarks
  int repetitions = 1;
  std::string peers = {};  // versions of those that no package brings; empty: none was timed
};

/// The sentence that stands above a Markdown table.
std::string format_circumstances(const Circumstances& made);

/// As bench/results keeps it: JSON with circumstances and one row a timing (work, type,
/// implementation, nanoseconds and, where measured, the error in u^N). tools/docs/performance.py
/// makes the tables of the documentation of it.
std::string format_json(const Circumstances& made, const std::vector<Timing>& timings);

}  // namespace mct::bench
