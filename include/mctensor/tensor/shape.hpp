// Shapes and strides of tensors, and functions that combine shapes. Strides count elements.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mct {

/// Sizes of the dimensions, outermost first; empty for a single number. Also used for strides.
using Shape = std::vector<std::int64_t>;

/// "(2, 3)"; "()" for a single number.
std::string to_string(const Shape& shape);

/// The number of elements. Throws ShapeError for a negative size or a product beyond 2^62.
std::int64_t numel(const Shape& shape);

/// The shape without its last `last` sizes. With 1 it is the leading shape of a tensor of rows,
/// with 2 of a tensor of matrices. Throws ShapeError if there are fewer dimensions.
Shape leading_shape(const Shape& shape, int last = 1);

/// Row-major strides: the last dimension is contiguous. Throws as numel does.
Shape contiguous_strides(const Shape& shape);

/// NumPy broadcasting: shapes are aligned at the last dimension, and a dimension of size 1 (or a
/// missing one) stretches to the other's size. Throws ShapeError naming both shapes.
Shape broadcast_shapes(const Shape& a, const Shape& b);

/// The dimension, counted from the front: 0 <= result < dims. A negative `dim` counts from the end.
/// Throws ShapeError naming the dimension and the shape.
std::size_t normalize_dim(std::int64_t dim, const Shape& shape);

/// The shape, in which one size may be -1. This size is replaced so that the shape holds `count`
/// elements. Throws ShapeError if that is impossible.
Shape infer_shape(const Shape& shape, std::int64_t count);

}  // namespace mct
