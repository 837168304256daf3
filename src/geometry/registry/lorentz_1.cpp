// The formulas of Lorentz on numbers that are computed in one double.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(lorentz, Lorentz, double)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, float)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, half)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, bfloat16)

}  // namespace mct::geometry_detail
