// The formulas of PoincareBall on numbers that are computed in one double.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_FORMULAS(ball, PoincareBall, double)
MCT_DEFINE_FORMULAS(ball, PoincareBall, float)
MCT_DEFINE_FORMULAS(ball, PoincareBall, half)
MCT_DEFINE_FORMULAS(ball, PoincareBall, bfloat16)

}  // namespace mct::geometry_detail
