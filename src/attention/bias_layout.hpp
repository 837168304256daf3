// The places of the elements of a bias of pairs, or of the mask that hides pairs.
#pragma once

#include <cstdint>

#include "mctensor/tensor/shape.hpp"
#include "src/attention/sizes.hpp"

namespace mct::attention_detail {

/// The bias of query i and key j of a group is element offset(group) + i query + j key of a tensor.
/// Where it does not depend on the query or the key, the stride is 0; a bias of offsets has strides
/// of opposite signs.
struct BiasLayout {
  Shape lead, group;  // sizes and strides of the leading dimensions
  std::int64_t origin = 0, query = 0, key = 0;

  std::int64_t offset(std::int64_t of) const;
};

/// The layout of a bias of this shape and strides for the pairs of attention. Throws ShapeError,
/// which names the bias, if it does not broadcast to the pairs.
BiasLayout bias_layout(const Shape& shape, const Shape& strides, bool by_offset, const Shape& lead,
                       const Sizes& sizes, const char* what = "a bias");

}  // namespace mct::attention_detail
