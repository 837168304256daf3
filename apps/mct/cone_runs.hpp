// Training cones on splits of a hierarchy, several seeds each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "mctensor/embed/cone_training.hpp"

namespace mct::cli {

struct ConeRuns {
  std::string name;  ///< of the hierarchy, in tables
  embed::ConeTrainingOptions training;
  std::vector<double> percents = {50};  ///< of the edges that are not basic
  double held_out = 5;                  ///< per cent for validation, and as many for the test
  int seeds = 1;                        ///< training.seed and the numbers after it
  /// Names of nodes to classify leaves by; see embed::class_accuracy. None: leaves are not.
  std::vector<std::string> classes;
  /// Where PERCENT-SEED.safetensors and cones.jsonl are written. Empty: nothing is.
  std::filesystem::path out;
};

/// Trains with every percentage and seed, as many at a time as there are threads, and prints a
/// table of means and deviations. Throws DomainError as ConeTrainer, for a class that is no node
/// and for percentages and seeds that make no sense, IoError for what cannot be written: before the
/// work.
void run_cones(const embed::Graph& graph, const ConeRuns& runs);

}  // namespace mct::cli
