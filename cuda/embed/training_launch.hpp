// A step of training on a GPU, as the host sees it: the operands of the programs. The types of the
// programs are not named, because CUDA compiles their places under other names (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>

#include "cuda/base/launch.hpp"
#include "cuda/embed/training_state.hpp"
#include "cuda/geometry/sort_rows.hpp"
#include "mctensor/device/stream.hpp"
#include "src/embed/kernels/train_operands.hpp"

namespace mct::cuda {

/// Selects programs: they are for points of one factor, and for Radam or gradient descent.
struct TrainingSpace {
  geometry::PointStorage storage;
  int components, dimensions;

  friend constexpr bool operator==(const TrainingSpace&, const TrainingSpace&) = default;
};

// The spaces that the library has programs for: storage, components, dimensions and place.
#define MCT_FOR_EACH_TRAINING_SPACE(X)                           \
  X(xmc_half_space, 1, 2, HalfSpacePlace<1, 2, false, double>)   \
  X(xmc_half_space, 2, 2, HalfSpacePlace<2, 2, false, double>)   \
  X(xmc_half_space, 2, 5, HalfSpacePlace<2, 5, false, double>)   \
  X(xmc_half_space, 2, 10, HalfSpacePlace<2, 10, false, double>) \
  X(xmc_half_space, 3, 2, HalfSpacePlace<3, 2, false, double>)   \
  X(mc_half_space, 2, 2, HalfSpacePlace<2, 2, true, double>)     \
  X(ball, 1, 2, BallPlace<1, 2, double>)                         \
  X(ball, 1, 5, BallPlace<1, 5, double>)                         \
  X(ball, 1, 10, BallPlace<1, 10, double>)                       \
  X(lorentz, 1, 2, LorentzPlace<1, 3, double>)                   \
  X(lorentz, 1, 5, LorentzPlace<1, 6, double>)                   \
  X(lorentz, 1, 10, LorentzPlace<1, 11, double>)

#define MCT_SPACE(storage, components, dimensions, ...) \
  {geometry::PointStorage::storage, components, dimensions},
inline constexpr TrainingSpace training_spaces[] = {MCT_FOR_EACH_TRAINING_SPACE(MCT_SPACE)};
#undef MCT_SPACE

/// The most negatives of an edge: a thread has every eighth of them, at most 8.
inline constexpr int most_device_negatives = 63;
/// How many keys a block of MoveRows has.
inline constexpr int keys_of_move_block = 128;

/// Operands and results of ExampleGradients.
struct ExampleLaunch {
  const TrainingState* state;
  const double* points;
  embed_detail::Examples examples;               ///< the sharpness is that at radius 1
  embed_detail::ExampleResults<double> results;  ///< slopes may be null
  std::int64_t count;
};

/// Operands of MoveRows.
struct MoveLaunch {
  const TrainingState* state;
  const RowKey* keys;  ///< sorted
  std::int64_t count;
  const double* gradients;  ///< [coordinates][plane]
  std::int64_t plane;
  double* points;
  embed_detail::Steps<double>
      steps;  ///< Radam if there are moments; the rate comes from `state`, eps is that at radius 1
  std::int32_t* stayed;  ///< [blocks]: rows that would have become infinite or NaN
};

/// Start the programs of a space, which is one of training_spaces. Compiled with the programs
/// (start_training.hpp) in a .cu file.
void start_examples(const TrainingSpace& space, const ExampleLaunch& of, const Stream& stream);
void start_moves(const TrainingSpace& space, const MoveLaunch& of, const Stream& stream);

}  // namespace mct::cuda
