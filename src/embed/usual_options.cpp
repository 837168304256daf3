#include "mctensor/embed/usual_options.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"

namespace mct::embed {

namespace {

constexpr std::size_t any_edges = std::numeric_limits<std::size_t>::max();
constexpr int any_dimensions = std::numeric_limits<int>::max();

/// More dimensions have room for neighbours at sharper distances, and are reached in fewer epochs.
///
/// Short steps at first let nodes find their neighbourhood. Then losses and gradients are small,
/// and most epochs would go by until the few that are wrong have been drawn: then long steps do no
/// harm. In a small graph every draw meets most nodes, and long steps would go far out.
constexpr UsualDescent descents[] = {
    {2'000, 2, 0.3, 0.1, 1},      {2'000, any_dimensions, 2, 0.03125, 1},
    {20'000, 2, 0.3, 0.05, 16},   {20'000, any_dimensions, 2, 0.015625, 16},
    {any_edges, 2, 0.3, 0.1, 16}, {any_edges, any_dimensions, 1, 0.078125, 16},
};

const UsualDescent& descent_for(std::size_t edges, const EmbeddingSpace& space) {
  const int dimensions = space.dimensions * space.factors;
  return *std::find_if(std::begin(descents), std::end(descents), [&](const UsualDescent& row) {
    return edges < row.edges && dimensions <= row.dimensions;
  });
}

/// Of Radam, whose steps have about this length at most.
constexpr double rate_of_radam = 0.1;
constexpr double sharpness_of_radam = 0.3;

/// Of models in the plane whose points cannot be told apart far out.
constexpr double sharpness_in_float = 1;
bool is_coarse_far_out(const EmbeddingSpace& space) {
  return space.storage == PointStorage::ball || space.storage == PointStorage::lorentz;
}

std::int64_t batch_for(std::size_t edges) {
  if (edges < 20'000) return 32;
  return edges < 200'000 ? 128 : 512;
}

/// A rate that rises needs fewer.
std::int64_t epochs_for(std::size_t edges, bool rises) {
  const std::int64_t most = rises ? 400 : 1000;
  const auto count = std::int64_t(std::max<std::size_t>(edges, 1));
  return std::clamp<std::int64_t>(most * 400'000 / count, 100, most);
}

}  // namespace

int usual_components(PointStorage storage) {
  return storage == PointStorage::xmc_half_space || storage == PointStorage::mc_half_space ? 2 : 1;
}

std::span<const UsualDescent> usual_descents() { return descents; }

std::string usual_descents_text() {
  std::string text;
  for (const UsualDescent& row : descents) {
    text += row.edges == any_edges ? "more edges"
                                   : "fewer than " + std::to_string(row.edges) + " edges";
    text += row.dimensions == any_dimensions
                ? ", more dimensions"
                : ", up to " + std::to_string(row.dimensions) + " dimensions";
    text += ": sharpness " + number_text(row.sharpness) + ", rate " + number_text(row.rate) +
            " x batch";
    if (row.peak > 1) text += ", rising to " + number_text(row.peak) + " times that";
    text += '\n';
  }
  return text;
}

TrainOptions usual_options(const EmbeddingSpace& space, Optimizer optimizer, std::size_t edges,
                           std::optional<std::int64_t> batch, std::optional<std::int64_t> epochs,
                           Dtype dtype) {
  TrainOptions options;
  options.space = space;
  options.dtype = dtype;
  options.optimizer = optimizer;
  options.batch = batch.value_or(batch_for(edges));
  const UsualDescent& descent = descent_for(edges, space);
  options.sharpness = optimizer == Optimizer::radam ? sharpness_of_radam : descent.sharpness;
  if (dtype == Dtype::float32 && is_coarse_far_out(space) && space.dimensions * space.factors == 2)
    options.sharpness = sharpness_in_float;
  options.lr = optimizer == Optimizer::radam ? rate_of_radam : descent.rate * double(options.batch);
  options.longest_step = 1;
  const bool rises = optimizer == Optimizer::rsgd && descent.peak > 1;
  options.epochs = epochs.value_or(epochs_for(edges, rises));
  options.burn_in = std::min<std::int64_t>(20, options.epochs / 5);
  if (rises) {
    options.cool_down = std::max<std::int64_t>(options.epochs / 5, 1);
    options.lr_peak = descent.peak;
  }
  // of gradients that are much smaller a step is that of gradient descent with 0.1 times the batch
  options.eps = 1 / double(options.batch);
  return options;
}

ConeTrainingOptions usual_options(const ConeSystem& cones, std::optional<double> size,
                                  bool only_basic, std::optional<Optimizer> optimizer) {
  ConeTrainingOptions options;
  options.cones = cones;
  const bool umbral = cones.kind == ConeKind::umbral;
  const bool high = cones.kind == ConeKind::penumbral && cones.storage == PointStorage::half_space;
  const double trained = size.value_or(umbral ? 0.05 : high ? 20 : 0.1);
  options.cones.size = trained;
  options.burn_in = std::min<std::int64_t>(20, options.epochs / 5);
  options.gamma_1 = only_basic ? 1e-3 : 0.01;
  options.fresh_negatives = !only_basic;
  const bool in_ball = cones.storage == PointStorage::ball;
  const bool adaptive = in_ball ? cones.dimensions == 2 : only_basic;
  options.optimizer = optimizer.value_or(adaptive ? Optimizer::radam : Optimizer::rsgd);
  if (options.optimizer == Optimizer::radam) {
    options.lr = in_ball ? 0.01 : 0.003;
  } else {
    options.lr = !in_ball ? 0.005 : only_basic ? 0.1 : 0.05;
    // points of the ball begin next to the light, where gradients are so long that the first steps
    // would throw them to the boundary
    if (in_ball) options.longest_step = 0.01;
  }
  if (umbral) {
    options.sizes = {trained, 0.01, 0.05, 0.055, 0.06, 0.065, 0.07, 0.08, 0.09, 0.1, 0.12};
  } else if (high) {
    options.sizes = {trained, 2, 5, 8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 25};
  } else {
    options.sizes = {trained, 0.05, 0.1, 0.15, 0.2};
  }
  return options;
}

std::vector<std::vector<double>> usual_lights(const ConeSystem& cones, std::size_t relations) {
  cones.check();
  const auto n = std::size_t(cones.dimensions);
  if (relations > 2 * n)
    throw DomainError("cones: " + std::to_string(relations) + " relations in " + std::to_string(n) +
                      " dimensions have no usual lights, only " + std::to_string(2 * n) +
                      " have: give a light for each");
  const bool in_ball = cones.storage == PointStorage::ball;
  std::vector<std::vector<double>> lights(relations);
  if (relations == 1) return lights;
  // the last axis first: in the half-space it points to the light above
  for (std::size_t i = 0; i < relations; ++i) {
    const std::size_t axis = i % n == 0 ? n - 1 : i % n - 1;
    const double sign = i < n ? 1 : -1;
    if (in_ball) {
      lights[i].resize(n);
      lights[i][axis] = sign * cones.radius / 2;
    } else if (i > 0) {
      lights[i].resize(n - 1);
      if (axis < n - 1) lights[i][axis] = sign;
    }
  }
  return lights;
}

}  // namespace mct::embed
