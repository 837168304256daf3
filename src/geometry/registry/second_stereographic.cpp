// The formulas of Stereographic on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(stereographic, Stereographic)

}  // namespace mct::geometry_detail
