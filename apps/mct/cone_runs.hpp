// Training of cones on splits of a hierarchy, with several seeds each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/mct/embed/run_files.hpp"
#include "mctensor/embed/cone_training.hpp"

namespace mct::cli {

/// A relation, of which all have the same nodes, and the light of its cones.
struct ConeHierarchy {
  std::string name;
  embed::Graph closure;
  std::vector<double> light;  ///< embed::ConeSystem::light
};

struct ConeRuns {
  std::string name;  ///< of the hierarchies, in tables
  embed::ConeTrainingOptions training;
  embed::ConeTrainingOptions of_basic;  ///< used if no derived edges are trained
  std::vector<double> percents = {50};  ///< of the edges that are not basic
  double held_out = 5;                  ///< per cent for validation, and as many for the test
  int seeds = 1;                        ///< training.seed and the numbers after it
  /// Names of nodes that are classes for leaves; see embed::class_accuracy. Empty: no classes.
  std::vector<std::string> classes;
  /// The beginning of the names of files with splits (embed::read_split). Empty: a seed draws them.
  std::filesystem::path split_files;
  /// An embedding with the first points. Empty: they are near the origin.
  std::filesystem::path start;
  RunSettings run;

  const embed::ConeTrainingOptions& training_with(double percent) const {
    return percent == 0 ? of_basic : training;
  }
};

/// Trains on splits of closures with every percentage and seed, as many runs at a time as there are
/// threads, and prints a table of means and deviations: of one relation, or of each and of all
/// together. Returns false if ctrl-C ended it
/// before: runs that have begun have a checkpoint, and resuming them gives the same bits as without
/// the stop. Throws before the work: DomainError as ConeTrainer and RunDirectory::open do, for a
/// class that is no node, for classes without any leaf, for percentages and seeds that are not
/// possible, and if no edge would be held out; IoError for files that cannot be written.
bool run_cones(const std::vector<ConeHierarchy>& hierarchies, const ConeRuns& runs);

}  // namespace mct::cli
