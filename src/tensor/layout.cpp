#include "src/tensor/layout.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "mctensor/error.hpp"

namespace mct::tensor_detail {

namespace {

/// A dimension, or the planes.
struct Axis {
  std::int64_t size;
  std::int64_t step;  // not negative: the direction does not matter here
};

/// True if each step leads beyond everything that the smaller ones reach.
bool is_nested(const std::vector<Axis>& axes) {
  std::int64_t reach = 0;
  for (const Axis& axis : axes) {
    if (axis.step <= reach) return false;
    reach += (axis.size - 1) * axis.step;
  }
  return true;
}

/// Compares all offsets, if there are not too many.
bool has_equal_offsets(const std::vector<Axis>& axes) {
  constexpr std::int64_t most = std::int64_t(1) << 20;
  std::vector<std::int64_t> offsets{0};
  for (const Axis& axis : axes) {
    const std::size_t known = offsets.size();
    if (axis.size > most / std::int64_t(known)) return true;
    for (std::int64_t i = 1; i < axis.size; ++i)
      for (std::size_t k = 0; k < known; ++k) offsets.push_back(offsets[k] + i * axis.step);
  }
  std::sort(offsets.begin(), offsets.end());
  return std::adjacent_find(offsets.begin(), offsets.end()) != offsets.end();
}

}  // namespace

std::optional<Extent> extent_of(const Shape& shape, const Shape& strides, std::int64_t planes,
                                std::int64_t plane_stride) {
  constexpr std::int64_t limit = std::int64_t(1) << 61;
  Extent extent;
  const auto extend = [&](std::int64_t steps, std::int64_t stride) {
    std::int64_t& end = stride < 0 ? extent.low : extent.high;
    std::int64_t distance = 0;
    return !__builtin_mul_overflow(steps, stride, &distance) &&
           !__builtin_add_overflow(end, distance, &end) && end > -limit && end < limit;
  };
  bool fits = extend(planes - 1, plane_stride);
  for (std::size_t d = 0; d < shape.size(); ++d) fits = fits && extend(shape[d] - 1, strides[d]);
  if (!fits) return std::nullopt;
  return extent;
}

void check_memory(const void* data, const Shape& shape, const Shape& strides, std::int64_t planes,
                  std::int64_t plane_stride) {
  if (strides.size() != shape.size())
    throw ShapeError("strides " + to_string(strides) + " do not belong to shape " +
                     to_string(shape));
  // what is empty reaches nowhere, whatever its strides are
  if (numel(shape) == 0) return;
  if (data == nullptr)
    throw ShapeError("no memory given for a tensor of shape " + to_string(shape));
  if (!extent_of(shape, strides, planes, plane_stride))
    throw ShapeError("a tensor of shape " + to_string(shape) + " and strides " +
                     to_string(strides) + " would reach beyond the address space");
}

void check_storage(std::int64_t elements, std::int64_t offset, const Shape& shape,
                   const Shape& strides, std::int64_t planes, std::int64_t plane_stride) {
  if (strides.size() != shape.size())
    throw ShapeError("strides " + to_string(strides) + " do not belong to shape " +
                     to_string(shape));
  if (numel(shape) == 0) return;
  const auto extent = extent_of(shape, strides, planes, plane_stride);
  // the sum with the offset, which may be any number, is not computed
  const bool inside =
      extent && offset >= -extent->low && offset < elements && extent->high < elements - offset;
  if (!inside)
    throw ShapeError("a view of shape " + to_string(shape) + " and strides " + to_string(strides) +
                     " reaches beyond its storage of " + std::to_string(elements) + " elements");
}

void check_count(std::size_t values, const Shape& shape) {
  if (std::int64_t(values) != numel(shape))
    throw ShapeError(std::to_string(values) + " values do not fill a tensor of shape " +
                     to_string(shape));
}

void check_single(const Shape& shape) {
  if (numel(shape) != 1)
    throw ShapeError("item() needs one element, the tensor's shape is " + to_string(shape));
}

void check_copy(const Shape& target, const Shape& source) {
  if (broadcast_shapes(target, source) != target)
    throw ShapeError("copy_: shape " + to_string(source) + " does not broadcast to " +
                     to_string(target));
}

std::int64_t element_offset(const Shape& shape, const Shape& strides, const std::int64_t* index,
                            std::size_t count) {
  bool inside = count == shape.size();
  std::int64_t offset = 0;
  for (std::size_t d = 0; inside && d < count; ++d) {
    const std::int64_t i = index[d] < 0 ? index[d] + shape[d] : index[d];
    inside = i >= 0 && i < shape[d];
    if (inside) offset += i * strides[d];
  }
  if (!inside)
    throw ShapeError("index " + to_string(Shape(index, index + count)) +
                     " is not inside a tensor of shape " + to_string(shape));
  return offset;
}

bool is_contiguous(const Shape& shape, const Shape& strides) {
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    if (shape[d] == 0) return true;
    if (shape[d] != 1 && strides[d] != stride) return false;
    stride *= shape[d];
  }
  return true;
}

std::int64_t plane_of(const Shape& shape, std::int64_t planes, std::size_t element_bytes) {
  const std::int64_t count = numel(shape);
  if (count > (std::int64_t(1) << 61) / (planes * std::int64_t(element_bytes)))
    throw ShapeError("shape " + to_string(shape) + " needs more than 2^61 bytes");
  if (planes == 1) return count;
  const std::size_t bytes = std::size_t(count) * element_bytes;
  std::size_t padded = (bytes + tensor_alignment - 1) / tensor_alignment * tensor_alignment;
  if (padded % 1024 == 0 && padded > 0) padded += 3 * tensor_alignment;
  return std::int64_t(padded / element_bytes);
}

Storage allocate(const Shape& shape, std::int64_t planes, std::int64_t plane,
                 std::size_t element_bytes) {
  try {
    return Storage::allocate(std::size_t(planes * plane) * element_bytes, false);
  } catch (const MemoryError& error) {
    throw MemoryError("a tensor of shape " + to_string(shape) + ": " + error.what());
  }
}

void require_distinct_elements(const Shape& shape, const Shape& strides, std::int64_t planes,
                               std::int64_t plane_stride) {
  const std::int64_t count = numel(shape);
  if (count == 0) return;
  const bool planes_apart = planes == 1 || std::abs(plane_stride) >= count;
  if (planes_apart && is_contiguous(shape, strides)) return;
  std::vector<Axis> axes;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    if (strides[d] == 0)
      throw ShapeError("writing in place to an expanded tensor of shape " + to_string(shape) +
                       ", whose elements along dimension " + std::to_string(d) +
                       " are the same memory: clone() it first");
    axes.push_back({shape[d], std::abs(strides[d])});
  }
  if (planes > 1) axes.push_back({planes, std::abs(plane_stride)});
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.step < b.step; });
  if (is_nested(axes) || !has_equal_offsets(axes)) return;
  throw ShapeError("writing in place to a tensor of shape " + to_string(shape) + " and strides " +
                   to_string(strides) +
                   (planes > 1 ? ", planes " + std::to_string(plane_stride) + " apart" : "") +
                   ", whose elements overlap: clone() it first");
}

}  // namespace mct::tensor_detail
