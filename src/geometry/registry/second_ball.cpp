// The formulas of PoincareBall on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(ball, PoincareBall)

}  // namespace mct::geometry_detail
