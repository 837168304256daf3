// A step of a Riemannian optimizer on a GPU, as the host sees it: without the types of formulas,
// which have other names where CUDA compiles them (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>
#include <utility>

#include "cuda/base/launch.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "cuda/geometry/sort_rows.hpp"
#include "mctensor/geometry/optim/row_kind.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"

namespace mct::cuda {

/// The dimensions of points that there are steps for.
template <RowKind kind, int N>
struct OptimizedDimensionsOf {
  using type = std::integer_sequence<int, 2>;
};
template <>
struct OptimizedDimensionsOf<RowKind::manifold, 1> {
  using type = std::integer_sequence<int, 2, 3, 5, 10>;
};
template <>
struct OptimizedDimensionsOf<RowKind::half_space, 2> {
  using type = std::integer_sequence<int, 2, 3, 5, 10>;
};
template <RowKind kind, int N>
using OptimizedDimensions = typename OptimizedDimensionsOf<kind, N>::type;

/// What an optimizer keeps of its rows; null where it keeps none.
template <int N>
struct DeviceRowStates {
  DevicePlanes<double, N> vectors;  ///< momentum, first moment
  double *squares, *largest;        ///< [rows]
  std::int64_t* updates;            ///< [rows]
  const double (*corrections)[2];   ///< [t]: 1 - beta1^t, 1 - beta2^t
  std::int64_t last_correction;     ///< that of later t
  std::int64_t* stayed;             ///< [rows]: how often a row did not move
};

/// Gradients of rows.
struct RowGradients {
  const double* data;  ///< [count][n]
  const RowKey* keys;  ///< [count], sorted: whose gradient is where; null: row i has gradient i
  std::int64_t count;
  std::int32_t* moved;  ///< [count]: 1 for a row that moved, 0 for one that stayed, -1 for none
};

/// Operands of FollowGradients. Options: RsgdOptions or RadamOptions.
template <class Options, RowKind kind, int N>
struct RowOptimizerLaunch {
  static constexpr int vector_components = components_of_vectors<kind, N>;

  geometry::TensorModel model;  ///< of a manifold
  int dimensions;
  geometry::value_of<double, vector_components> radius;
  Options options;
  double rate;
  DevicePlanes<double, N> points;
  RowGradients gradients;
  DeviceRowStates<vector_components> states;
};

/// Starts the program. Compiled with it (start_row_optimizer.hpp) in .cu files.
template <class Options, RowKind kind, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, kind, N>& of, const Stream& stream);

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class Options, RowKind kind, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, kind, N>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
