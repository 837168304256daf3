// The formulas of Euclidean on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(euclidean, Euclidean)

}  // namespace mct::geometry_detail
