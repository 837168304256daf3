// The default options for training a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/train.hpp"

namespace mct::embed {

/// The number of components that a storage needs for points far out: 2 for half-spaces with several
/// components, else 1.
int usual_components(PointStorage storage);

/// A row of the table of usual settings: the sharpness of the softmax and the rates of gradient
/// descent. The row is for graphs of fewer than `edges` edges in at most `dimensions` dimensions
/// (of all factors together).
struct UsualDescent {
  std::size_t edges;
  int dimensions;
  double sharpness;
  double rate;  ///< the first learning rate divided by the number of edges in a batch
  double peak;  ///< the highest rate divided by the first one; 1: the rate does not rise
};

/// The table (see docs/experiments.md). The first row that fits is used.
std::span<const UsualDescent> usual_descents();
/// A line for each row of the table.
std::string usual_descents_text();

/// Options for training a graph with this number of edges in this space. Sharpness and rate come
/// from usual_descents. For Radam the sharpness is 0.3, and the rate is 0.1, which is about the
/// length of a step. Steps are shortened to length 1. Small graphs get small batches, which give
/// better results; large graphs get large batches, which are faster. There are 1000 epochs as in
/// the papers, and 400 if the rate rises. Large graphs get fewer epochs, so that training takes
/// minutes, but at least 100. A rate that rises falls again in the last fifth of the epochs. If you
/// give the batch or the number of epochs, the options that depend on them are adapted: rate,
/// cool-down, eps, burn-in. In float32, points of the ball and the hyperboloid cannot be told apart
/// far out. So for these models in the plane the sharpness is 1, which keeps points nearer to the
/// origin.
TrainOptions usual_options(const EmbeddingSpace& space, Optimizer optimizer, std::size_t edges,
                           std::optional<std::int64_t> batch = {},
                           std::optional<std::int64_t> epochs = {}, Dtype dtype = Dtype::float64);

/// Options for training cones of this kind, model, number of dimensions and radius.
/// docs/experiments.md compares them with the options of Yu 2024 and Ganea et al. 2018. The size of
/// the cones is `size` or, without it, the usual size; cones.size is not read. Validation chooses
/// among the sizes of Yu 2024 and some between them. `only_basic` is true if the training has no
/// edges that follow from others. Then negatives are drawn once and kept, because otherwise most
/// edges of the test would become negatives. The rate depends on the optimizer.
ConeTrainingOptions usual_options(const ConeSystem& cones, std::optional<double> size = {},
                                  bool only_basic = false, std::optional<Optimizer> optimizer = {});

/// ConeSystem::light for each relation. A single light is at the usual place: above the half-space,
/// or at the origin of the ball. The first lights of several are at right angles to each other, as
/// seen from the middle, where points begin. The lights opposite to them follow. In the ball the
/// lights are at half its radius. In the half-space the first light is above; others are on the
/// ground, at the distance 1 along each axis; the light opposite to the first is on the ground in
/// the middle. Throws DomainError for cones as ConeSystem::check, and for more than 2 relations for
/// each dimension.
std::vector<std::vector<double>> usual_lights(const ConeSystem& cones, std::size_t relations);

}  // namespace mct::embed
