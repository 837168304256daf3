// Chooses settings of a training. The best settings predict held-out edges of the graph best.
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
  double seconds = 60;    ///< the time limit; batches and rankings that have begun are finished
  bool sharpness = true;  ///< whether to choose the sharpness
  bool rate = true;       ///< whether to choose the rate (its value before it rises)
  /// Called from time to time with the seconds that have passed, never by two threads at once. If
  /// it throws, the tuning ends and the exception is rethrown.
  std::function<void(double seconds)> progress = {};
};

/// One of the settings that were compared.
struct TuneTrial {
  double sharpness = 0, lr = 0;
  std::int64_t epochs = 0;  ///< the epochs after which the setting was last ranked; 0: never
  double mean_average_precision = 0;
};

struct TuneReport {
  TrainOptions options;           ///< the given options, with the chosen settings
  std::vector<TuneTrial> trials;  ///< the chosen setting first; the given one if none was ranked
  std::size_t held_out = 0;       ///< edges
  int rounds = 0;                 ///< finished rounds
};

/// Compares halves and doubles of sharpness and rate. A twentieth of the edges, at most 2000, is
/// held out; so are the edges opposite to these. Held-out edges depend on the seed of the options.
/// Each setting is trained on the other edges. Settings are ranked by the MAP of the held-out edges
/// among all nodes without another edge. The first round has 16 epochs, 4 of them burn-in. In each
/// further round the better half of the settings is trained for twice the epochs, until one setting
/// is left or the time is over. If the time is over, the last finished round decides; if no round
/// is finished, the given settings stay. So the choice may depend on the speed of the machine.
///
/// Throws DomainError for options that Trainer refuses, for seconds that are not positive and
/// finite, for a graph of fewer than two edges, and if neither sharpness nor rate is to be chosen.
TuneReport tune(const std::shared_ptr<const Graph>& graph, const TrainOptions& options,
                const TuneOptions& how = {});

}  // namespace mct::embed
