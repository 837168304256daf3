// Points as the rows of one tensor: what ManifoldRows and HalfSpaceRows share.
#pragma once

#include <cstdint>

#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

/// Points are the rows of a Tensor<T, N> of shape [rows, n], contiguous.
template <class T, int N>
struct TensorRows {
  using Points = Tensor<T, N>;

  static Points uninitialized(std::int64_t rows, std::int64_t columns) {
    return Points::uninitialized({rows, columns});
  }
  static std::int64_t rows_of(const Points& points) { return points.size(0); }
  /// Coordinates of a point, which are those of a gradient and of a tangent vector.
  static std::int64_t columns_of(const Points& points) { return points.size(1); }
  /// Throws ShapeError unless it is contiguous [rows, n].
  static void check_matrix(const Points& points) {
    if (points.dim() != 2 || !points.is_contiguous())
      throw ShapeError("Riemannian optimizer: points of shape " + to_string(points.shape()) +
                       ", expected contiguous [rows, n]");
  }
  /// Component k of the first row's first coordinate; the rows follow one another.
  static T* plane_of(const Points& points, int k) { return points.data(k); }
};

/// Points of `components` components of T, more than a Tensor<T, N> has: a plain tensor of shape
/// [components, rows, n], the planes of what would be Tensor<T, components>.
template <class T, int components>
struct PlaneRows {
  using Points = Tensor<T, 1>;

  static Points uninitialized(std::int64_t rows, std::int64_t columns) {
    return Points::uninitialized({components, rows, columns});
  }
  static std::int64_t rows_of(const Points& points) { return points.size(1); }
  static std::int64_t columns_of(const Points& points) { return points.size(2); }
  /// Throws ShapeError unless it is contiguous [components, rows, n].
  static void check_matrix(const Points& points) {
    if (points.dim() != 3 || !points.is_contiguous() || points.size(0) != components)
      throw ShapeError("Riemannian optimizer: points of shape " + to_string(points.shape()) +
                       ", expected contiguous [" + std::to_string(components) + ", rows, n]");
  }
  static T* plane_of(const Points& points, int k) {
    return points.data() + k * points.size(1) * points.size(2);
  }
};

}  // namespace mct::geometry::optim_detail
