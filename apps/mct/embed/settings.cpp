// What `mct embed` chooses.
#include "apps/mct/embed/settings.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/components.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "validation/report/number_text.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli {

using embed::EmbeddingSpace;
using embed::Graph;
using embed::TrainOptions;
using validation::count_text;
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
  options.beta1 = settings.beta1;
  options.beta2 = settings.beta2;
  options.eps = settings.eps.value_or(options.eps);
  options.burn_in = settings.burn_in.value_or(options.burn_in);
  options.negatives = settings.negatives;
  options.sharpness = settings.sharpness;
  options.init = settings.init;
  options.longest_step = settings.longest_step;
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
                           {"patience", settings.patience},
                           {"evaluate-every", settings.evaluate_every},
                           {"seed", options.seed}};
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
  const auto cycles = embed::find_cycles(graph);
  if (cycles.components > 0) {
    fmt::print("embedded: the edges as they are, for there are cycles, such as {}\n",
               embed::cycle_text(graph, cycles.example));
    return graph;
  }
  ProgressBar bar("closure", graph.node_count(), "nodes");
  const auto progress = [&](std::size_t done) { bar.update(done, graph.node_count()); };
  try {
    Graph closure = embed::transitive_closure(graph, embed::usual_closure_edges, progress);
    bar.finish();
    if (closure.edge_count() == graph.edge_count()) return graph;
    fmt::print(
        "embedded: the closure, {} edges from each node to all above it (--as-given: only "
        "those of the list)\n",
        count_text(closure.edge_count()));
    return closure;
  } catch (const DomainError&) {
    bar.finish();
    fmt::print("embedded: the edges as they are, for their closure has more than {}\n",
               count_text(embed::usual_closure_edges));
    return graph;
  }
}

}  // namespace mct::cli
