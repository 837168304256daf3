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

/// The sizes without the last `last` ones: the leading shape of a tensor of rows (1) or of matrices
/// (2). Throws ShapeError for fewer dimensions.
Shape leading_shape(const Shape& shape, int last = 1);

/// Row-major strides: the last dimension is contiguous. Throws as numel does.
Shape contiguous_strides(const Shape& shape);

/// NumPy broadcasting: shapes are aligned at the last dimension, and a dimension of size 1 (or a
/// missing one) stretches to the other's size. Throws ShapeError naming both shapes.
Shape broadcast_shapes(const Shape& a, const Shape& b);

/// A dimension counted from the front, 0 <= result < dims; negative ones count from the end.
/// Throws ShapeError naming the dimension and the shape.
std::size_t normalize_dim(std::int64_t dim, const Shape& shape);

/// The shape with its one size of -1 (if it has one) replaced so that the shape holds `count`
/// elements. Throws ShapeError if that is impossible.
Shape infer_shape(const Shape& shape, std::int64_t count);

}  // namespace mct
