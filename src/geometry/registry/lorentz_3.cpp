// The formulas of Lorentz on numbers that are computed in three doubles.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(lorentz, Lorentz, f64x3)

}  // namespace mct::geometry_detail
