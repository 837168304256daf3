// The settings from which `mct train hyla` chooses if no options are given.
#pragma once

#include <string_view>
#include <vector>

#include "apps/mct/train/hyla_model.hpp"

namespace mct::cli::train {

/// How a model uses a graph and learns.
struct HylaSetting {
  int hops = 2;
  bool divided = false;  // rows of features are divided by their sums
  FeatureOptions options;
};

/// The settings that were best in validation on the graph of this name ("cora", "citeseer",
/// "airport", "disease_nc", "disease_lp", "tree"), one for each kind and each use of points. For
/// another name, or with `all`: those of all graphs, as candidates.
std::vector<HylaSetting> hyla_settings(std::string_view graph, FeatureKind kind, bool of_nodes,
                                       bool all);

}  // namespace mct::cli::train
