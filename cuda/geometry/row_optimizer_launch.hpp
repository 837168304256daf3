// A step of a Riemannian optimizer on a GPU, as the host sees it: without the types of formulas,
// because CUDA compiles these under other names (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "cuda/base/launch.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "cuda/geometry/sort_rows.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"

namespace mct::cuda {

/// The dimensions of points for which there are programs.
template <class Space>
struct OptimizedDimensionsOf {
  using type = std::integer_sequence<int, 2>;
};
template <class Space>
requires(std::is_same_v<Space, geometry::XmcHalfSpace<double, 2>> || requires {
  requires std::is_same_v<typename Space::Value, double>;
}) struct OptimizedDimensionsOf<Space> {
  using type = std::integer_sequence<int, 2, 3, 5, 10>;
};
template <class Space>
using OptimizedDimensions = typename OptimizedDimensionsOf<Space>::type;

/// Coordinates of a point beyond its dimensions.
template <class Space>
inline constexpr int coordinates_beyond = 0;
template <class V>
inline constexpr int coordinates_beyond<geometry::Lorentz<V>> = 1;

/// The states of rows that an optimizer keeps; null for an optimizer without states.
template <int N>
struct DeviceRowStates {
  DevicePlanes<double, N> vectors;  ///< momentum, first moment
  double *squares, *largest;        ///< [rows]
  std::int64_t* updates;            ///< [rows]
  const double (*corrections)[2];   ///< [t]: 1 - beta1^t, 1 - beta2^t
  std::int64_t last_correction;     ///< the t whose corrections hold for all later t
  std::int64_t* stayed;             ///< [rows]: how often a row did not move
};

/// Gradients of rows.
struct RowGradients {
  const double* data;  ///< [count][n]
  const RowKey* keys;  ///< [count], sorted: rows, places of gradients; null: row i has gradient i
  std::int64_t count;
  std::int32_t* moved;  ///< [count]: 1: the row moved, 0: it stayed, -1: not the row's first key
};

/// Operands of FollowGradients. Options: RsgdOptions or RadamOptions.
template <class Options, class Space>
struct RowOptimizerLaunch {
  using There = geometry_detail::RowsThere<Space>;

  Space space;
  int dimensions;
  Options options;
  double rate;
  DevicePlanes<double, There::points> points;
  RowGradients gradients;
  DeviceRowStates<There::vectors> states;
};

/// Starts the program. Compiled with the program (start_row_optimizer.hpp) in .cu files.
template <class Options, class Space>
void start_row_optimizer(const RowOptimizerLaunch<Options, Space>& of, const Stream& stream);

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class Options, class Space>
void start_row_optimizer(const RowOptimizerLaunch<Options, Space>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
