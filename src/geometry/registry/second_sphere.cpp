// The formulas of Sphere on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(sphere, Sphere)

}  // namespace mct::geometry_detail
