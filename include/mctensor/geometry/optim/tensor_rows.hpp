// Points as the rows of one tensor: the base of ManifoldRows and HalfSpaceRows.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

/// Points of N components are the rows of a contiguous Tensor<T, N> of shape [rows, n]. A tensor
/// has at most 4 components. If N is larger, the components are planes of a plain tensor of shape
/// [N, rows, n].
template <class T, int N>
struct TensorRows {
  static constexpr bool in_planes = N > 4;
  using Points = std::conditional_t<in_planes, Tensor<T, 1>, Tensor<T, N>>;

  static Points uninitialized(std::int64_t rows, std::int64_t columns) {
    return Points::uninitialized(in_planes ? Shape{N, rows, columns} : Shape{rows, columns});
  }
  static std::int64_t rows_of(const Points& points) { return points.size(-2); }
  /// The number of coordinates of a point, a gradient and a tangent vector.
  static std::int64_t columns_of(const Points& points) { return points.size(-1); }
  /// Throws ShapeError unless `points` is contiguous and has one of these shapes.
  static void check_matrix(const Points& points) {
    if (points.dim() != (in_planes ? 3 : 2) || !points.is_contiguous() ||
        (in_planes && points.size(0) != N))
      throw ShapeError("Riemannian optimizer: points of shape " + to_string(points.shape()) +
                       ", expected contiguous [" +
                       (in_planes ? std::to_string(N) + ", " : std::string()) + "rows, n]");
  }
  /// The address of component k of the first coordinate of the first row. The rows follow one
  /// another.
  static T* plane_of(const Points& points, int k) {
    if constexpr (in_planes) {
      return points.data() + k * points.size(1) * points.size(2);
    } else {
      return points.data(k);
    }
  }
};

}  // namespace mct::geometry::optim_detail
