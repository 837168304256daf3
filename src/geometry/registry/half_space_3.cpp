// The formulas of HalfSpace on numbers that are computed in three doubles.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(half_space, HalfSpace, f64x3)

}  // namespace mct::geometry_detail
