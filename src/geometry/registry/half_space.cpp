// The formulas of HalfSpace, compiled.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

#define MCT_DEFINE(T, N) MCT_DEFINE_FORMULAS(half_space, HalfSpace, T, N)
MCT_FOR_EACH_POINT_TENSOR(MCT_DEFINE)
#undef MCT_DEFINE

}  // namespace mct::geometry_detail
