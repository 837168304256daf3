// The formulas of the Lorentz model, recorded.
#include "src/geometry/programs/lorentz_symbols.hpp"
#include "src/geometry/programs/record_formula.hpp"

namespace mct::geometry_detail {

Results record_lorentz(TensorOperation operation, int n, unsigned wanted, int digits) {
  return record_model<geometry::detail::LorentzFormulas, geometry::Lorentz>(
      operation, parts_of(Model::lorentz, n), wanted, digits);
}

}  // namespace mct::geometry_detail
