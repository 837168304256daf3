// The formulas of the half-space, recorded.
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {

Results record_half_space(TensorOperation operation, int n, unsigned wanted, int digits) {
  if (n == 1) throw NoProgram();  // no part of a point is a vector
  return record_model<geometry::detail::HalfSpaceFormulas, geometry::HalfSpace>(
      operation, {2, 0, n}, wanted, digits);
}

}  // namespace mct::geometry_detail
