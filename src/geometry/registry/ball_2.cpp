// The formulas of PoincareBall on numbers that are computed in two doubles.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(ball, PoincareBall, f64x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f32x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, f16x2)
MCT_DEFINE_FORMULAS(ball, PoincareBall, bf16x2)

}  // namespace mct::geometry_detail
