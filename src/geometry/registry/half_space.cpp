// The formulas of HalfSpace, compiled.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(half_space, HalfSpace, double)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, float)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, half)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, bfloat16)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f64x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f32x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f16x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, bf16x2)
MCT_DEFINE_FORMULAS(half_space, HalfSpace, f64x3)

}  // namespace mct::geometry_detail
