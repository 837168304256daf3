// Chooses the sharpness and the learning rate of a training by how well they predict held-out edges
// of the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "mctensor/embed/train.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct TuneOptions {
  double seconds = 60;    ///< the time limit; up to 16 batches that have begun are finished
  bool sharpness = true;  ///< whether to choose the sharpness
  bool rate = true;       ///< whether to choose the rate (its value before it rises)
  /// Called from time to time with the seconds that have passed, never by two threads at once. If
  /// it throws, the tuning ends and the exception is rethrown.
  std::function<void(double seconds)> progress = {};
};

/// One of the settings that were compared.
struct TuneTrial {
  double sharpness = 0, lr = 0;
  std::int64_t epochs = 0;  ///< epochs of training when the setting was last ranked; 0: never
  double mean_average_precision = 0;
};

struct TuneReport {
  TrainOptions options;  ///< the given options, with the chosen settings
  /// The chosen setting comes first; if no round was finished, it is the given setting.
  std::vector<TuneTrial> trials;
  std::size_t held_out = 0;  ///< the number of held-out edges
  int rounds = 0;            ///< finished rounds
};

/// Compares up to seven settings: the given one, and settings with half or twice the sharpness or
/// the rate (both may change, but only in opposite directions). A twentieth of the edges, at most
/// 2000, is held out; so are the edges opposite to these. The seed of the options determines which.
/// Each setting is trained on the other edges. Settings are ranked by the MAP of the held-out edges
/// of at most 1000 nodes; targets compete with all nodes to which the source has no edge. The first
/// round has 16 epochs, at most 4 of them burn-in. In each further round the better half of the
/// settings is trained to twice the epochs, until one setting is left or the time is over. If the
/// time is over, the last finished round decides. If no round is finished, the given setting is
/// chosen. So the choice may depend on the speed of the machine.
///
/// Throws DomainError for options that Trainer refuses, for seconds that are not positive and
/// finite, and if neither sharpness nor rate is to be chosen. Also throws DomainError for a null
/// pointer, and for a graph that has no edge left to train on.
TuneReport tune(const std::shared_ptr<const Graph>& graph, const TrainOptions& options,
                const TuneOptions& how = {});

}  // namespace mct::embed
