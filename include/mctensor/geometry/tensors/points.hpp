// Points in tensors: checks of shapes, and access to points by number.
//
// The last dimension holds the coordinates. Points are numbered in row-major order of the leading
// dimensions.
#pragma once

#include <optional>
#include <vector>

#include "mctensor/geometry/point.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

namespace tensor_detail {

/// The leading dimensions of points. The functions of this namespace throw ShapeError, with `name`
/// and the shapes.
Shape leading_shape(const char* name, const Shape& points);
/// The shape to which all leading dimensions broadcast.
Shape broadcast_leading(const char* name, const std::vector<Shape>& leading);
void require_same_coordinates(const char* name, const std::vector<Shape>& points);
void require_least_coordinates(const char* name, const Shape& points, std::int64_t least);
void require_exact_coordinates(const char* name, const Shape& points, std::int64_t coordinates);

}  // namespace tensor_detail

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// Reads points of a tensor, with its leading dimensions broadcast to `leading`.
template <class T, int N>
class PointReader {
 public:
  using Value = typename Tensor<T, N>::Value;

  PointReader(const Tensor<T, N>& x, const Shape& leading) : coordinates_(int(x.size(-1))) {
    Shape full(leading);
    full.push_back(coordinates_);
    view_ = x.expand(full);
    data_ = view_.data();
    plane_ = view_.plane_stride();
    stride_ = view_.strides().back();
    // adjacent dimensions with even steps are merged; if all are merged, offset() needs no division
    for (std::size_t d = 0; d < leading.size(); ++d) {
      const std::int64_t step = view_.strides()[d];
      if (leading[d] == 1) continue;
      if (!sizes_.empty() && steps_.back() == step * leading[d]) {
        sizes_.back() *= leading[d];
        steps_.back() = step;
      } else {
        sizes_.push_back(leading[d]);
        steps_.push_back(step);
      }
    }
  }

  int coordinates() const { return coordinates_; }
  /// The distance in memory between neighbours among the `count` points from `first` on. No value
  /// if it is not constant, or if coordinates are not adjacent.
  std::optional<std::int64_t> even_step(std::int64_t first, std::int64_t count) const {
    if (stride_ != 1 && coordinates_ > 1) return std::nullopt;
    if (sizes_.empty()) return 0;
    if (sizes_.size() > 1 && first % sizes_.back() + count > sizes_.back()) return std::nullopt;
    return steps_.back();
  }
  std::int64_t plane_stride() const { return plane_; }
  /// The address of the first limb of a point's first coordinate.
  const T* at(std::int64_t point) const { return data_ + offset(point); }
  /// Coordinate i of the point that begins at `begin`.
  Value coordinate(const T* begin, int i) const {
    const T* first = begin + i * stride_;
    if constexpr (N == 1) {
      return *first;
    } else {
      Expansion<T, N> value;
      for (int k = 0; k < N; ++k) value.limb[k] = first[k * plane_];
      return value;
    }
  }
  /// A point as a Point<V, n>, where V is the tensor's number or an Expansion of it.
  template <class V, int n = dynamic>
  Point<V, n> point(std::int64_t number) const {
    const T* begin = at(number);
    return generate<Point<V, n>>(coordinates_, [&](int i) { return V(coordinate(begin, i)); });
  }

 private:
  std::int64_t offset(std::int64_t point) const {
    std::int64_t sum = 0;
    for (std::size_t d = sizes_.size(); d-- > 1;) {
      sum += point % sizes_[d] * steps_[d];
      point /= sizes_[d];
    }
    return sizes_.empty() ? 0 : sum + point * steps_[0];
  }

  Tensor<T, N> view_;
  const T* data_;
  std::int64_t plane_, stride_;
  Shape sizes_, steps_;  // of the leading dimensions
  int coordinates_;
};

/// Writes the coordinates of the points of a contiguous tensor.
template <class T, int N>
class PointWriter {
 public:
  PointWriter(const Tensor<T, N>& out, int coordinates)
      : data_(out.data()), plane_(out.plane_stride()), coordinates_(coordinates) {}

  template <class V>
  void set(std::int64_t point, int i, const V& value) const {
    T* at = data_ + point * coordinates_ + i;
    if constexpr (is_expansion_v<V>) {
      for (int k = 0; k < N; ++k) at[k * plane_] = value.limb[k];
    } else {
      *at = value;
    }
  }

 private:
  T* data_;
  std::int64_t plane_;
  int coordinates_;
};

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
