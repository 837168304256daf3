// Derivatives of recorded derivatives: one more pass backward, through the notes themselves.
#pragma once

#include <string_view>

#include "mctensor/geometry/tensors/operation.hpp"
#include "src/geometry/programs/record.hpp"
#include "src/geometry/programs/symbol.hpp"

namespace mct::geometry_detail {

using Symbol = geometry::detail::Symbol;
using Notes = geometry::detail::Trace<Symbol>;

/// Notes the derivatives of the sum of cotangents times the results `first`, which the current
/// recording holds, by what is wanted: the radius, operands of these kinds and parts, the gradient
/// of a result of others.
Results record_second(const Parts& parts, std::string_view kinds, geometry::OperationResult gives,
                      const Parts& result, const Results& first, unsigned wanted);

}  // namespace mct::geometry_detail
