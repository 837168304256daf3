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
/// validation perplexity relative to the runs of "master" with the same beta2, if there are any.
/// Runs with the same seed are pairs (with the same first weights and the same data). So with
/// several seeds this is the mean of the differences of pairs +- its standard error.
std::string format_comparison(const std::vector<GptComparison>& runs);

/// A line for each run of the first seed: the memory for a parameter, by parts, and the memory of
/// the process.
std::string format_bytes(const std::vector<GptComparison>& runs);

/// A line for each run with skipped steps, and for each run with metrics that are not finite;
/// otherwise nothing.
std::string format_warnings(const std::vector<GptComparison>& runs);

/// The names of the files that write_comparison writes.
std::vector<std::string> comparison_files(const std::set<double>& betas);

/// Writes the plots gpt-validation, gpt-difference (of the validation loss to that of "master"),
/// gpt-descent-quality and gpt-lost, with means over the seeds, and gpt.jsonl, with a line for each
/// run. With several beta2 there is a plot of each kind for each beta2.
void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs);

}  // namespace mct::cli::train
