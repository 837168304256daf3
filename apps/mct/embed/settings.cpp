// What `mct embed` chooses.
#include "apps/mct/embed/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "mctensor/embed/closure.hpp"
#include "mctensor/embed/components.hpp"
#include "mctensor/error.hpp"
#include "validation/report/number_text.hpp"
#include "validation/report/progress.hpp"

namespace mct::cli {

using embed::Graph;
using embed::Model;
using embed::TrainOptions;
using validation::count_text;
using validation::ProgressBar;

namespace {

/// The rate of one edge. The reference has 1.7 for the mean of 32, half of the first. A large graph
/// is still getting better after all its epochs, and faster with twice the rate; see
/// docs/experiments.md.
double rate_of_an_edge(std::size_t edges) { return edges < 20'000 ? 0.1 : 0.2; }

/// Of Radam, whose steps have about this length at most; see docs/experiments.md.
constexpr double rate_of_radam = 0.1;

/// Few edges in a batch are better for small graphs, many faster for large ones.
std::int64_t batch_for(std::size_t edges) {
  if (edges < 20'000) return 32;
  return edges < 200'000 ? 128 : 512;
}
/// 1000, as the papers have it, but of large graphs so many that it takes minutes; at least 100.
std::int64_t epochs_for(std::size_t edges) {
  return std::clamp<std::int64_t>(400'000'000 / std::int64_t(edges), 100, 1000);
}
int components_for(Model model) {
  return model == Model::xmc_half_space || model == Model::mc_half_space ? 2 : 1;
}

}  // namespace

TrainOptions train_options(const EmbedSettings& settings, const Graph& graph) {
  TrainOptions options;
  options.space.model = embed::model_from(settings.model);
  options.space.dimensions = settings.dimensions;
  options.space.components = settings.components.value_or(components_for(options.space.model));
  options.space.factors = settings.factors;
  options.space.radius = settings.radius;
  const std::size_t edges = graph.edge_count();
  options.batch = settings.batch.value_or(batch_for(edges));
  options.optimizer = embed::optimizer_from(settings.optimizer);
  options.lr = settings.lr.value_or(options.optimizer == embed::Optimizer::radam
                                        ? rate_of_radam
                                        : rate_of_an_edge(edges) * double(options.batch));
  options.beta1 = settings.beta1;
  options.beta2 = settings.beta2;
  // of gradients that are much smaller a step is that of gradient descent with 0.1 times the batch
  options.eps = settings.eps.value_or(1 / double(options.batch));
  options.epochs = settings.epochs.value_or(epochs_for(edges));
  options.burn_in = settings.burn_in.value_or(std::min<std::int64_t>(20, options.epochs / 5));
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
