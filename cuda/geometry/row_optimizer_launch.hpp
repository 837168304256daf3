// A step of a Riemannian optimizer on a GPU, as the host sees it: without the types of formulas,
// which have other names where CUDA compiles them (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>

#include "cuda/base/launch.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"

namespace mct::cuda {

/// The dimensions of points that there are steps for.
template <int N>
using OptimizedDimensions =
    typename std::conditional_t<N == 1,
                                std::enable_if<true, std::integer_sequence<int, 2, 3, 5, 10>>,
                                std::enable_if<true, std::integer_sequence<int, 2>>>::type;

/// What an optimizer keeps of its rows; null where it keeps none.
template <int N>
struct RowStates {
  DevicePlanes<double, N> vectors;  ///< momentum, first moment
  double *squares, *largest;        ///< [rows]
  std::int64_t* updates;            ///< [rows]
  const double (*corrections)[2];   ///< [t]: 1 - beta1^t, 1 - beta2^t
  std::int32_t* moved;              ///< [rows]: 1 for those that moved in this step
};

/// Operands of FollowGradients. Options: RsgdOptions or RadamOptions.
template <class Options, int N>
struct RowOptimizerLaunch {
  geometry::TensorModel model;
  int dimensions;
  PointNumber<double, N> radius;
  Options options;
  double rate;
  DevicePlanes<double, N> points;
  const double* gradients;  ///< [rows][n]
  RowStates<N> states;
  std::int64_t rows;
};

/// Starts the program. Compiled with it (start_row_optimizer.hpp) in .cu files.
template <class Options, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, N>& of, const Stream& stream);

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class Options, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, N>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
