// A tree along which a disease spreads.
#include "apps/mct/train/sir_tree.hpp"

#include <fmt/format.h>

#include <cmath>

#include "apps/mct/train/counter_random.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::cli::train {

namespace {

enum Stream : std::uint64_t { children, susceptibility, infection, kind, symptom };

void check(const SirTreeOptions& options) {
  if (options.nodes < 2 || options.columns < 2 || options.most_children < 1 ||
      options.symptoms < 1 || !(options.least_susceptible >= 0 && options.least_susceptible < 1))
    throw DomainError(fmt::format(
        "SIR tree: {} nodes, {} columns, {} children, {} symptoms, susceptibility from {:g}",
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
      tree.features.data()[v * options.columns + column] += 1.0 / options.symptoms;
    }
  }
  return tree;
}

Tensor<double> propagate(const std::vector<std::int64_t>& parents, const Tensor<double>& x, int k) {
  const auto count = std::int64_t(parents.size());
  if (x.dim() != 2 || x.size(0) != count)
    throw ShapeError("propagate: features of shape " + to_string(x.shape()) + " for " +
                     std::to_string(count) + " nodes");
  std::vector<double> root_degree(parents.size(), 1);
  for (std::size_t v = 0; v < parents.size(); ++v)
    if (parents[v] >= 0) {
      ++root_degree[v];
      ++root_degree[std::size_t(parents[v])];
    }
  for (double& degree : root_degree) degree = std::sqrt(degree);
  Tensor<double> from = x.contiguous();
  const std::int64_t columns = x.size(1);
  for (int step = 0; step < k; ++step) {
    Tensor<double> to({count, columns});
    const auto add = [&](std::int64_t a, std::int64_t b) {
      const double weight = 1 / (root_degree[std::size_t(a)] * root_degree[std::size_t(b)]);
      for (std::int64_t c = 0; c < columns; ++c)
        to.data()[a * columns + c] += weight * from.data()[b * columns + c];
    };
    for (std::int64_t v = 0; v < count; ++v) {
      add(v, v);
      const std::int64_t parent = parents[std::size_t(v)];
      if (parent < 0) continue;
      add(v, parent);
      add(parent, v);
    }
    from = to;
  }
  return from;
}

}  // namespace mct::cli::train
