// The formulas of Lorentz on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(lorentz, Lorentz)

}  // namespace mct::geometry_detail
