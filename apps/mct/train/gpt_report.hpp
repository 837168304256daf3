// The comparison of GPT runs: a table and plots.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "apps/mct/train/gpt_train.hpp"

namespace mct::cli::train {

struct GptComparison {
  StrategyArm arm;
  double beta2 = 0;
  GptResult result;
};

/// One row for each run, with the validation perplexity relative to the run of "master" with the
/// same beta2, if there is one.
std::string format_comparison(const std::vector<GptComparison>& runs);

/// A line for each run: what it held for a parameter, by parts, and what the process occupied.
std::string format_bytes(const std::vector<GptComparison>& runs);

/// A line for each run with steps that were skipped, and for each with metrics that are not finite;
/// else nothing.
std::string format_warnings(const std::vector<GptComparison>& runs);

/// The names of the files that write_comparison writes.
std::vector<std::string> comparison_files(const std::set<double>& betas);

/// gpt-validation, gpt-descent-quality, gpt-lost and gpt.jsonl; with several beta2 one plot of each
/// for every one.
void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs);

}  // namespace mct::cli::train
