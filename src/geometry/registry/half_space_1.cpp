// The formulas of HalfSpace on numbers that are computed in one double.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(half_space, HalfSpace, double)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, float)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, half)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, bfloat16)

}  // namespace mct::geometry_detail
