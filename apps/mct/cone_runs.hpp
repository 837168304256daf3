// Training cones on splits of a hierarchy, several seeds each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/mct/embed/run_files.hpp"
#include "mctensor/embed/cone_training.hpp"

namespace mct::cli {

struct ConeRuns {
  std::string name;  ///< of the hierarchy, in tables
  embed::ConeTrainingOptions training;
  embed::ConeTrainingOptions of_basic;  ///< where no edges that follow are trained
  std::vector<double> percents = {50};  ///< of the edges that are not basic
  double held_out = 5;                  ///< per cent for validation, and as many for the test
  int seeds = 1;                        ///< training.seed and the numbers after it
  /// Names of nodes to classify leaves by; see embed::class_accuracy. None: leaves are not.
  std::vector<std::string> classes;
  /// The beginning of the names of files with splits (embed::read_split). Empty: a seed draws them.
  std::filesystem::path split_files;
  /// An embedding where points begin. Empty: near the origin.
  std::filesystem::path start;
  RunSettings run;

  const embed::ConeTrainingOptions& training_with(double percent) const {
    return percent == 0 ? of_basic : training;
  }
};

/// Trains on splits of a closure with every percentage and seed, as many at a time as there are
/// threads, and prints a table of means and deviations. False if ctrl-C ended it before: runs on
/// their way have a checkpoint, and what resumes them finds the same bits as without the stop.
/// Throws DomainError as ConeTrainer and RunDirectory::open, for a class that is no node, for
/// classes that no leaf is of, for percentages and seeds that make no sense, and if no edge would
/// be held out, IoError for what cannot be written: before the work.
bool run_cones(const embed::Graph& closure, const ConeRuns& runs);

}  // namespace mct::cli
