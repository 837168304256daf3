// Derivatives of recorded derivatives: one more pass backward, through the notes themselves.
#pragma once

#include <string_view>

#include "mctensor/geometry/tensors/operation.hpp"
#include "src/geometry/programs/record.hpp"
#include "src/geometry/programs/symbol.hpp"

namespace mct::geometry_detail {

using Symbol = geometry::detail::Symbol;
using Notes = geometry::detail::Trace<Symbol>;

/// Where the parts of a point lie: `vector` rows in one part, the others numbers.
struct Parts {
  int count, vector_part, n;

  bool is_vector(int part) const { return part == vector_part; }
  int row(int part) const { return part <= vector_part ? part : n - count + part; }
  int rows(int part) const { return is_vector(part) ? n - count + 1 : 1; }
};

/// Notes the derivatives of the sum of cotangents times the results `first`, which the current
/// recording holds, by what is wanted: the radius, operands of these kinds, the gradient.
Results record_second(const Parts& parts, std::string_view kinds, geometry::OperationResult gives,
                      const Results& first, unsigned wanted);

}  // namespace mct::geometry_detail
