// The values that `mct embed` chooses.
#include "apps/mct/embed/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/usual_graph.hpp"
#include "output/progress.hpp"

namespace mct::cli {

using embed::EmbeddingSpace;
using embed::Graph;
using embed::TrainOptions;
using output::ProgressBar;

EmbeddingSpace space_of(const EmbedSettings& settings) {
  EmbeddingSpace space;
  space.storage = embed::storage_from(settings.model);
  space.dimensions = settings.dimensions;
  space.components = settings.components.value_or(embed::usual_components(space.storage));
  space.factors = settings.factors;
  space.radius = settings.radius;
  return space;
}

embed::Optimizer optimizer_of(const EmbedSettings& settings) {
  return given_optimizer(settings).value_or(embed::Optimizer::rsgd);
}

TrainOptions train_options(const EmbedSettings& settings, const Graph& graph) {
  const EmbeddingSpace space = space_of(settings);
  const auto optimizer = optimizer_of(settings);
  TrainOptions options = embed::usual_options(space, optimizer, graph.edge_count(), settings.batch,
                                              settings.epochs, embed::dtype_from(settings.dtype));
  put_given(settings, options);
  options.check();
  return options;
}

nlohmann::ordered_json json_of(const EmbedSettings& settings, const TrainOptions& options) {
  nlohmann::ordered_json r{{"model", std::string(embed::name_of(options.space.storage))},
                           {"dim", options.space.dimensions},
                           {"components", options.space.components},
                           {"factors", options.space.factors},
                           {"radius", settings.radius},
                           {"as-given", settings.as_given}};
  // a run.json of double is that of earlier versions
  if (options.dtype != embed::Dtype::float64) r["dtype"] = settings.dtype;
  r.update(training_json(options));
  r.update(
      {{"patience", patience_of(settings, options)}, {"evaluate-every", settings.evaluate_every}});
  return r;
}

Graph graph_to_embed(const EmbedSettings& settings, Graph graph) {
  if (graph.edge_count() == 0)
    throw DomainError("a graph without edges: nothing says what is near");
  if (settings.as_given) {
    fmt::print("embedded: the edges as they are given\n");
    return graph;
  }
  ProgressBar bar("closure", graph.node_count(), "nodes");
  const auto progress = [&](std::size_t done) { bar.update(done, graph.node_count()); };
  embed::UsualGraph chosen = embed::usual_graph(graph, progress);
  bar.finish();
  fmt::print("embedded: {} (--as-given: only the edges of the list, in their direction)\n",
             chosen.what);
  return std::move(chosen.graph);
}

}  // namespace mct::cli
