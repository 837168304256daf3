// The formulas of the Poincaré ball, recorded.
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {

Results record_ball(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::BallFormulas, geometry::PoincareBall>(
      operation, parts_of(Model::ball, n), wanted, digits);
}

}  // namespace mct::geometry_detail
