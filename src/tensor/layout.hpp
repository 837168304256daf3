// Where the elements of a strided array lie: how far they reach, whether they are distinct.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "mctensor/tensor/shape.hpp"
#include "mctensor/tensor/storage.hpp"

namespace mct::tensor_detail {

/// The lowest and the highest offset of an element from the first.
struct Extent {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

/// Of an array with at least one element; nothing if the offsets reach 2^61 elements.
std::optional<Extent> extent_of(const Shape& shape, const Shape& strides, std::int64_t planes,
                                std::int64_t plane_stride);

/// Throws ShapeError unless data, shape and strides describe a tensor in somebody's memory: data
/// are there, there are as many strides as dimensions, and they reach no further than memory may.
void check_memory(const void* data, const Shape& shape, const Shape& strides, std::int64_t planes,
                  std::int64_t plane_stride);

/// Throws ShapeError unless a view lies within a storage of `elements` elements.
void check_storage(std::int64_t elements, std::int64_t offset, const Shape& shape,
                   const Shape& strides, std::int64_t planes, std::int64_t plane_stride);

/// Throw ShapeError unless so many values fill a shape, a shape has one element, or the elements to
/// be copied broadcast to the target.
void check_count(std::size_t values, const Shape& shape);
void check_single(const Shape& shape);
void check_copy(const Shape& target, const Shape& source);

/// Where the element of an index lies; negative positions count from the end. Throws ShapeError if
/// it is not inside.
std::int64_t element_offset(const Shape& shape, const Shape& strides, const std::int64_t* index,
                            std::size_t count);

/// The offset of element `index`, counted in row-major order in the first `dims` dimensions.
inline std::int64_t offset_of(std::int64_t index, const Shape& shape, const Shape& strides,
                              std::size_t dims) {
  std::int64_t offset = 0;
  for (std::size_t d = dims; d-- > 0;) {
    offset += index % shape[d] * strides[d];
    index /= shape[d];
  }
  return offset;
}
/// In all dimensions.
inline std::int64_t offset_of(std::int64_t index, const Shape& shape, const Shape& strides) {
  return offset_of(index, shape, strides, shape.size());
}

/// Row-major without gaps.
bool is_contiguous(const Shape& shape, const Shape& strides);

/// Elements from one plane to the next in new memory: whole cache lines, and not a multiple of
/// 1 KiB, where the planes of one element would compete for the same lines of the cache. Throws
/// ShapeError for more than 2^61 bytes.
std::int64_t plane_of(const Shape& shape, std::int64_t planes, std::size_t element_bytes);

/// Memory for a new tensor. Throws MemoryError with its shape and bytes.
Storage allocate(const Shape& shape, std::int64_t planes, std::int64_t plane,
                 std::size_t element_bytes);

/// Throws ShapeError if two elements or limbs may lie in the same place. Exact for strides of which
/// each steps over all that smaller ones reach, as in every view of a new tensor, and for others up
/// to 2^20 numbers; larger ones are refused.
void require_distinct_elements(const Shape& shape, const Shape& strides, std::int64_t planes,
                               std::int64_t plane_stride);

}  // namespace mct::tensor_detail
