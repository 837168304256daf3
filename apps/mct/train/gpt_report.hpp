// The comparison of GPT runs: a table and plots.
#pragma once

#include <filesystem>
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

/// gpt-perplexity, gpt-descent-quality, gpt-lost and gpt.jsonl; with several beta2 one plot of each
/// for every one.
void write_comparison(const std::filesystem::path& directory,
                      const std::vector<GptComparison>& runs);

}  // namespace mct::cli::train
