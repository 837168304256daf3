// What `mct embed` chooses.
#include "apps/mct/embed/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "mctensor/embed/usual_graph.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli {

using embed::EmbeddingSpace;
using embed::Graph;
using embed::TrainOptions;
using validation::ProgressBar;

EmbeddingSpace space_of(const EmbedSettings& settings) {
  EmbeddingSpace space;
  space.model = embed::model_from(settings.model);
  space.dimensions = settings.dimensions;
  space.components = settings.components.value_or(embed::usual_components(space.model));
  space.factors = settings.factors;
  space.radius = settings.radius;
  return space;
}

TrainOptions train_options(const EmbedSettings& settings, const Graph& graph) {
  const EmbeddingSpace space = space_of(settings);
  const auto optimizer = embed::optimizer_from(settings.optimizer);
  TrainOptions options =
      embed::usual_options(space, optimizer, graph.edge_count(), settings.batch, settings.epochs);
  options.lr = settings.lr.value_or(options.lr);
  options.lr_growth = settings.lr_growth.value_or(settings.lr ? 0 : options.lr_growth);
  options.beta1 = settings.beta1;
  options.beta2 = settings.beta2;
  options.eps = settings.eps.value_or(options.eps);
  options.burn_in = settings.burn_in.value_or(options.burn_in);
  options.cool_down = settings.cool_down.value_or(options.cool_down);
  options.negatives = settings.negatives;
  options.sharpness = settings.sharpness.value_or(options.sharpness);
  options.init = settings.init;
  options.longest_step = settings.longest_step.value_or(options.longest_step);
  options.radius_lr = settings.radius_lr;
  options.seed = settings.seed;
  options.check();
  return options;
}

nlohmann::ordered_json json_of(const EmbedSettings& settings, const TrainOptions& options) {
  nlohmann::ordered_json r{{"model", settings.model},
                           {"dim", options.space.dimensions},
                           {"components", options.space.components},
                           {"factors", options.space.factors},
                           {"radius", settings.radius},
                           {"as-given", settings.as_given},
                           {"batch", options.batch},
                           {"epochs", options.epochs},
                           {"burn-in", options.burn_in},
                           {"optimizer", settings.optimizer},
                           {"lr", options.lr},
                           {"negatives", options.negatives},
                           {"sharpness", options.sharpness},
                           {"init", options.init},
                           {"longest-step", options.longest_step},
                           {"learn-radius", options.radius_lr},
                           {"patience", patience_of(settings, options)},
                           {"evaluate-every", settings.evaluate_every},
                           {"seed", options.seed}};
  if (options.lr_growth > 0)
    r.update({{"lr-growth", options.lr_growth}, {"cool-down", options.cool_down}});
  if (options.optimizer == embed::Optimizer::radam)
    r.update({{"beta1", options.beta1}, {"beta2", options.beta2}, {"eps", options.eps}});
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
