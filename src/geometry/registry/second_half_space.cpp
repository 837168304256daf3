// The formulas of HalfSpace on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(half_space, HalfSpace)

}  // namespace mct::geometry_detail
