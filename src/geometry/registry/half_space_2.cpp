// The formulas of HalfSpace on numbers that are computed in two doubles.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(half_space, HalfSpace, f64x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f32x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f16x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, bf16x2)

}  // namespace mct::geometry_detail
