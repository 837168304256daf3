// The formulas of Klein on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(klein, Klein)

}  // namespace mct::geometry_detail
