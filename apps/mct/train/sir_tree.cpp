// A tree along which a disease spreads.
#include "apps/mct/train/sir_tree.hpp"

#include <fmt/format.h>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::cli::train {

namespace {

enum Stream : std::uint64_t { children, susceptibility, infection, kind, symptom };

void check(const SirTreeOptions& options) {
  if (options.nodes < 2 || options.columns < 2 || options.most_children < 1 ||
      options.symptoms < 1 || !(options.least_susceptible >= 0 && options.least_susceptible < 1))
    throw DomainError(
        fmt::format("SIR tree: {} nodes, {} columns, {} children, {} symptoms, susceptibility from "
                    "{:g}; expected at least 2 nodes, 2 columns, 1 child and 1 symptom, and a "
                    "susceptibility in [0, 1)",
                    options.nodes, options.columns, options.most_children, options.symptoms,
                    options.least_susceptible));
}

std::vector<std::int64_t> draw_parents(const SirTreeOptions& options) {
  std::vector<std::int64_t> parents{-1};
  for (std::int64_t v = 0; std::int64_t(parents.size()) < options.nodes; ++v) {
    const std::int64_t count =
        1 + below(options.most_children, options.seed, children, std::uint64_t(v));
    for (std::int64_t i = 0; i < count && std::int64_t(parents.size()) < options.nodes; ++i)
      parents.push_back(v);
  }
  return parents;
}

}  // namespace

SirTree make_sir_tree(const SirTreeOptions& options) {
  check(options);
  SirTree tree{draw_parents(options), zeros<double>({options.nodes, options.columns}),
               zeros<std::int64_t>({options.nodes})};
  const std::int64_t half = options.columns / 2;
  for (std::int64_t v = 0; v < options.nodes; ++v) {
    const auto node = std::uint64_t(v);
    const double rank = uniform(options.seed, susceptibility, node);
    const double chance = options.least_susceptible + (1 - options.least_susceptible) * rank;
    const std::int64_t parent = tree.parents[std::size_t(v)];
    const bool caught = parent < 0 || (tree.infected.data()[parent] == 1 &&
                                       uniform(options.seed, infection, node) < chance);
    tree.infected.data()[v] = caught ? 1 : 0;
    for (int i = 0; i < options.symptoms; ++i) {
      const std::uint64_t draw = node * std::uint64_t(options.symptoms) + std::uint64_t(i);
      const bool first = uniform(options.seed, kind, draw) < rank;
      const std::int64_t column =
          first ? below(half, options.seed, symptom, draw)
                : half + below(options.columns - half, options.seed, symptom, draw);
      tree.features.data()[v * options.columns + column] += 1;
    }
  }
  return tree;
}

NodeGraph graph_of(const SirTree& tree) {
  NodeGraph graph;
  graph.name = "tree";
  graph.drawn = {.validation = 0.1, .test = 0.6};
  for (std::size_t v = 1; v < tree.parents.size(); ++v)
    graph.edges.emplace_back(tree.parents[v], std::int64_t(v));
  graph.features.columns = tree.features.size(1);
  for (std::int64_t v = 0; v < tree.features.size(0); ++v) {
    const double* const row = tree.features.data() + v * graph.features.columns;
    for (std::int64_t c = 0; c < graph.features.columns; ++c)
      if (row[c] != 0) graph.features.add(c, row[c]);
    graph.features.end_row();
  }
  graph.labels = tree.infected;
  return graph;
}

}  // namespace mct::cli::train
