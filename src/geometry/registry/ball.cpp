// The formulas of PoincareBall, compiled.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(ball, PoincareBall, double)
MCT_DEFINE_FORMULAS(ball, PoincareBall, float)
MCT_DEFINE_FORMULAS(ball, PoincareBall, half)
MCT_DEFINE_FORMULAS(ball, PoincareBall, bfloat16)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f64x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f32x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f16x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, bf16x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f64x3)

}  // namespace mct::geometry_detail
