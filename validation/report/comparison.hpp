// This library beside others, operation by operation: what two sections of the report show.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "output/svg_plot.hpp"
#include "validation/results.hpp"

namespace mct::validation {

/// One implementation of one operation.
struct ComparedEntry {
  std::string name;
  std::string family;  // "MPFR" for "MPFR 106": what the chart's legend names
  bool ours = false;
  bool other_inputs = false;  // measured on the suite's cases, not on those of its neighbours
  std::uint64_t cases = 0;
  double max_error = 0;   // u^N
  double mean_error = 0;  // u^N
  double worst_log2 = 0;  // of the relative error
};

/// One operation of one type; this library is the first entry, where it was measured at all.
struct Comparison {
  std::string operation;
  std::string type;
  int components = 0;
  int precision = 0;
  std::vector<ComparedEntry> entries;

  const ComparedEntry* ours() const {
    return entries.empty() || !entries.front().ours ? nullptr : &entries.front();
  }
};

enum class PeerKind {
  published,  // peers whose name begins with "Yu 2024"
  other,      // all others
};

/// All comparisons with peers of one kind: operations in the order of the data, double before
/// float, one component first. This library's values are the peer rows that begin with
/// "MCTensor"; without such a row they come from the suite's own cases, marked other_inputs.
std::vector<Comparison> comparisons(const Results& results, PeerKind kind);

/// Bar charts of the worst relative error, one for each operation and component type.
std::vector<output::BarChart> comparison_charts(const std::vector<Comparison>& comparisons);

/// The comparisons as an HTML table.
std::string comparison_table(const std::vector<Comparison>& comparisons,
                             const std::string& caption);

}  // namespace mct::validation
