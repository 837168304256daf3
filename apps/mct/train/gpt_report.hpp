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
  std::uint64_t seed = 0;
  GptResult result;
};

/// One row for each strategy and beta2: means over the seeds, the seconds of all of them, and the
/// validation perplexity relative to the runs of "master" with the same beta2, if there are. Runs
/// with the same seed are pairs (the same weights to begin with, the same data), so with several
/// seeds it is the mean of the differences of pairs +- its standard error.
std::string format_comparison(const std::vector<GptComparison>& runs);

/// A line for each run of the first seed: what it held for a parameter, by parts, and what the
/// process occupied.
std::string format_bytes(const std::vector<GptComparison>& runs);

/// A line for each run with steps that were skipped, and for each with metrics that are not finite;
/// else nothing.
std::string format_warnings(const std::vector<GptComparison>& runs);

/// The names of the files that write_comparison writes.
std::vector<std::string> comparison_files(const std::set<double>& betas);

/// gpt-validation, gpt-difference (of the validation loss to that of "master"),
/// gpt-descent-quality, gpt-lost, means over the seeds, and gpt.jsonl, a line for each run; with
/// several beta2 one plot of each for every one.
void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs);

}  // namespace mct::cli::train
