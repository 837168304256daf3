// The formulas of Lorentz, compiled.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(lorentz, Lorentz, double)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, float)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, half)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, bfloat16)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f64x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f32x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f16x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, bf16x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f64x3)

}  // namespace mct::geometry_detail
