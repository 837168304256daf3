// The settings of a run of `mct embed`, and the values that the command chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "apps/mct/embed/run_files.hpp"
#include "apps/mct/embed/training_options.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::cli {

/// The given options; all others are chosen for the graph.
struct EmbedSettings : TrainingSettings {
  std::string model = "xmc-half-space";
  int dimensions = 2;
  int factors = 1;
  std::optional<int> components;
  std::string dtype{name_of(embed::Dtype::float64)};
  bool as_given = false;  ///< do not take the closure
  double tune = 0;        ///< seconds to compare settings for, before the run; 0: not
  std::optional<std::int64_t> patience;  ///< epochs without a better loss; 0: never
  std::int64_t evaluate_every = 0;
  std::optional<std::size_t> objects;  ///< nodes that are ranked at the end; 0: all
  RunSettings run;
};

/// The space in which points lie. Throws DomainError for an unknown model.
embed::EmbeddingSpace space_of(const EmbedSettings& settings);

/// The optimizer of a name, or rsgd. Throws DomainError for an unknown name.
embed::Optimizer optimizer_of(const EmbedSettings& settings);

/// The options of a training, with values chosen for the number of edges of the graph.
embed::TrainOptions train_options(const EmbedSettings& settings, const embed::Graph& graph);

/// After how many epochs without a better loss training ends; 0: never. A rising rate has its own
/// end.
inline std::int64_t patience_of(const EmbedSettings& settings, const embed::TrainOptions& options) {
  return settings.patience.value_or(options.lr_peak > 1 ? 0 : 50);
}

/// The options on which the result depends, as JSON by the names of command-line options. A file
/// with them repeats the run.
nlohmann::ordered_json json_of(const EmbedSettings& settings, const embed::TrainOptions& options);

/// The graph that is embedded: the closure of a graph without cycles, unless it is to be taken as
/// given or the closure would have more than `usual_closure_edges`. Prints what was done and why.
/// Throws DomainError for a graph without edges.
embed::Graph graph_to_embed(const EmbedSettings& settings, embed::Graph graph);

}  // namespace mct::cli
