// The formulas of Hemisphere on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(hemisphere, Hemisphere)

}  // namespace mct::geometry_detail
