// The formulas of Lorentz on numbers that are computed in two doubles.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(lorentz, Lorentz, f64x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f32x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, f16x2)
MCT_DEFINE_FORMULAS(lorentz, Lorentz, bf16x2)

}  // namespace mct::geometry_detail
