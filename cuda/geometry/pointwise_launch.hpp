// Operations of manifolds on a GPU, as the host sees them: without the types of their formulas,
// which have other names where CUDA compiles them (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>
#include <utility>

#include "cuda/base/launch.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "cuda/tensor/planes.hpp"
#include "mctensor/device/stream.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::cuda {

/// The dimensions of points that there are programs for.
template <int N>
using PointDimensions =
    typename std::conditional_t<(N < 3),
                                std::enable_if<true, std::integer_sequence<int, 2, 3, 5, 10>>,
                                std::enable_if<true, std::integer_sequence<int, 2, 3>>>::type;

/// Operands and result of Pointwise.
template <class T, int N>
struct PointwiseLaunch {
  geometry::TensorModel model;
  geometry::TensorOperation operation;
  int dimensions;
  PointNumber<T, N> radius;
  DevicePlanes<const T, N> x, y;
  DevicePlanes<T, N> out;
  std::int64_t count;
};

/// Starts dist, expmap or logmap. Compiled with the programs (start_pointwise.hpp) in .cu files.
template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>& of, const Stream& stream);

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
