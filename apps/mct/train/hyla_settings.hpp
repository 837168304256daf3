// The settings from which `mct train hyla` chooses if you give no options.
#pragma once

#include <string_view>
#include <vector>

#include "apps/mct/train/hyla_model.hpp"

namespace mct::cli::train {

/// How one model sees a graph and learns.
struct HylaSetting {
  int hops = 2;
  bool divided = false;  // rows of features by their sums
  FeatureOptions options;
};

/// The settings that were best in validation on the graph of this name ("cora", "citeseer",
/// "airport", "disease_nc", "disease_lp", "tree"), one for each kind and each use of points;
/// for another name, or with `all`, those of all graphs, to be chosen from.
std::vector<HylaSetting> hyla_settings(std::string_view graph, FeatureKind kind, bool of_nodes,
                                       bool all);

}  // namespace mct::cli::train
