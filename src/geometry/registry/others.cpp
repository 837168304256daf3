// The formulas of the models without kernels, compiled.
#include "src/geometry/registry/by_formula.hpp"

namespace mct::geometry_detail {

#define MCT_DEFINE(T, N)                            \
  MCT_DEFINE_FORMULAS(klein, Klein, T, N)           \
  MCT_DEFINE_FORMULAS(hemisphere, Hemisphere, T, N) \
  MCT_DEFINE_FORMULAS(sphere, Sphere, T, N)         \
  MCT_DEFINE_FORMULAS(euclidean, Euclidean, T, N)   \
  MCT_DEFINE_FORMULAS(stereographic, Stereographic, T, N)
MCT_FOR_EACH_POINT_TENSOR(MCT_DEFINE)
#undef MCT_DEFINE

}  // namespace mct::geometry_detail
