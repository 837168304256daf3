// Operations of manifolds on a GPU, as the host sees them: without the types of their formulas,
// because CUDA compiles these under other names (MCT_ISA_NAMESPACE).
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "cuda/base/launch.hpp"
#include "cuda/geometry/row_memory.hpp"
#include "cuda/tensor/planes.hpp"
#include "mctensor/device/stream.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::cuda {

/// The dimensions of points for which there are programs.
template <int N>
struct PointDimensionsOf {
  using type = std::integer_sequence<int, 2, 3>;
};
template <>
struct PointDimensionsOf<1> {
  using type = std::integer_sequence<int, 2, 3, 5, 10>;
};
template <>
struct PointDimensionsOf<2> {
  using type = std::integer_sequence<int, 2, 3, 10>;
};
template <int N>
using PointDimensions = typename PointDimensionsOf<N>::type;

/// Throws DomainError for another dimension, naming the function and the possible dimensions.
template <int... there>
void require_dimension(const std::string& name, int dimension, int components,
                       std::integer_sequence<int, there...>) {
  const bool is_there = ((dimension == there) || ...);
  if (is_there) return;
  std::string all;
  ((all += (all.empty() ? "" : ", ") + std::to_string(there)), ...);
  throw DomainError(name + " on a device: points of " + std::to_string(dimension) +
                    " dimensions in " + std::to_string(components) + " components; there are " +
                    all);
}

/// Calls f(n) with the dimension as a constant. Throws DeviceError for one not in the sequence.
template <int... dimensions, class F>
void with_dimension(int dimension, std::integer_sequence<int, dimensions...>, const F& f) {
  const auto offer = [&]<int n>(std::integral_constant<int, n> constant) {
    if (dimension == n) f(constant);
    return dimension == n;
  };
  if (!(offer(std::integral_constant<int, dimensions>()) || ...))
    throw DeviceError("geometry: there is no program for this dimension");
}

/// Operands and result of Pointwise.
template <class T, int N>
struct PointwiseLaunch {
  geometry::Model model;
  geometry::TensorOperation operation;
  int dimensions;
  geometry::value_of<T, N> radius;
  DevicePlanes<const T, N> x, y;
  DevicePlanes<T, N> out;
  std::int64_t count;
};

/// Starts dist, dist_gradient, expmap or logmap. Compiled with the programs (start_pointwise.hpp)
/// in .cu files.
template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>& of, const Stream& stream);

#if !MCT_HAVE_CUDA && !defined(__CUDACC__)
template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>&, const Stream&) {
  refuse_launch();
}
#endif

}  // namespace mct::cuda
