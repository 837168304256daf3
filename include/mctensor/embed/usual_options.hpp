// What to train a graph with, where nobody says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::embed {

/// Components that a model needs for points far out: 2 of the half-spaces of several components,
/// else 1.
int usual_components(Model model);

/// How sharp the softmax is, and how fast gradient descent, for graphs of fewer edges in up to so
/// many dimensions (of all factors together).
struct UsualDescent {
  std::size_t edges;
  int dimensions;
  double sharpness;
  double rate;  ///< of an edge at first: the learning rate is this times the batch
  double peak;  ///< the highest rate, in those at first; 1: it stays
};

/// The table of these settings, which docs/experiments.md compares: the first row that a graph fits
/// into is the one for it.
std::span<const UsualDescent> usual_descents();
/// A line for each row of the table.
std::string usual_descents_text();

/// Options for a graph of so many edges, in this space: sharpness and rate by usual_descents (of
/// Radam 0.3, and 0.1, the length of a step), steps cut at length 1. Few edges in a batch are
/// better for small graphs, many faster for large ones. As many epochs as the papers have, 1000,
/// 400 where the rate rises, but of large graphs so many that it takes minutes, at least 100. A
/// rate that rises falls back in the last fifth. What follows from batch and epochs (rate,
/// cool-down, eps, burn-in) goes by those that are given.
TrainOptions usual_options(const EmbeddingSpace& space, Optimizer optimizer, std::size_t edges,
                           std::optional<std::int64_t> batch = {},
                           std::optional<std::int64_t> epochs = {});

/// Options for cones of this kind, model, number of dimensions and radius, which
/// docs/experiments.md compares with those of Yu 2024 and Ganea et al. 2018. Their size is `size`,
/// or else the usual one (cones.size is not read); among the sizes to choose from afterwards are
/// those of Yu 2024 and some between. `only_basic`: no edge that follows from others is trained;
/// then most edges that are asked for would be negatives in a training that draws these anew. The
/// rate is that of the optimizer.
ConeTrainingOptions usual_options(const ConeSystem& cones, std::optional<double> size = {},
                                  bool only_basic = false, std::optional<Optimizer> optimizer = {});

}  // namespace mct::embed
