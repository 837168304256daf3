// Choosing settings of a training on a held-out part of the graph's own edges.
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
  double seconds = 60;    ///< so long at most, but for some batches or ranks that have begun
  bool sharpness = true;  ///< whether it is chosen
  bool rate = true;       ///< likewise; compared as it is before it rises
  /// Called from time to time, by one thread after the other: so many seconds have passed. What it
  /// throws ends the tuning, and is thrown on.
  std::function<void(double seconds)> progress = {};
};

/// One of the settings that were compared.
struct TuneTrial {
  double sharpness = 0, lr = 0;
  std::int64_t epochs = 0;  ///< after which it was ranked the last time; 0: never
  double mean_average_precision = 0;
};

struct TuneReport {
  TrainOptions options;           ///< those that were given, with what was chosen
  std::vector<TuneTrial> trials;  ///< that which was chosen first; the given one if none was ranked
  std::size_t held_out = 0;       ///< edges
  int rounds = 0;                 ///< that were finished
};

/// Compares halves and doubles of sharpness and rate: each setting is trained without a twentieth
/// of the edges (2000 at most; an edge goes with its opposite), and ranked by the MAP of these
/// among all nodes without another edge. The better half goes on for twice the epochs, until one is
/// left or the time is over: then the last round that was finished decides, and without any the
/// settings that were given. So what is chosen may depend on how fast the machine is. Epochs begin
/// with 16, of which 4 are burn-in; held-out edges depend on the seed of the options.
///
/// Throws DomainError for what Trainer refuses, seconds that are not positive and finite, a graph
/// of fewer than two edges, and if nothing is to be chosen.
TuneReport tune(const std::shared_ptr<const Graph>& graph, const TrainOptions& options,
                const TuneOptions& how = {});

}  // namespace mct::embed
