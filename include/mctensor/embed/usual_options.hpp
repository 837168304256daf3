// What to train a graph with, where nobody says otherwise.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::embed {

/// Components that a model needs for points far out: 2 of the half-spaces of several components,
/// else 1.
int usual_components(Model model);

/// Options for a graph of so many edges, in this space. Rates and batches are those that
/// docs/experiments.md compares: few edges in a batch are better for small graphs, many faster for
/// large ones; the rate is per edge (Radam: the length of a step). As many epochs as the papers
/// have, 1000, but of large graphs so many that it takes minutes, at least 100. What follows from
/// batch and epochs (rate, eps, burn-in) goes by those that are given.
TrainOptions usual_options(const EmbeddingSpace& space, Optimizer optimizer, std::size_t edges,
                           std::optional<std::int64_t> batch = {},
                           std::optional<std::int64_t> epochs = {});

/// Options for cones of this kind, model, number of dimensions and radius: what Yu 2024 found best,
/// of entailment cones Ganea et al. 2018. Their size is `size`, or else the usual one (cones.size
/// is not read); among the sizes to choose from afterwards are those of Yu 2024 and some between.
ConeTrainingOptions usual_options(const ConeSystem& cones, std::optional<double> size = {});

}  // namespace mct::embed
