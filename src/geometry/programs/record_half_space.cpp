// The formulas of the half-space, recorded.
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {

Results record_half_space(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::HalfSpaceFormulas, geometry::HalfSpace>(
      operation, parts_of(Model::half_space, n), wanted, digits);
}

}  // namespace mct::geometry_detail
