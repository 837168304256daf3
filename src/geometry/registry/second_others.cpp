// The formulas of the models without kernels on numbers that are traced twice.
#include "src/geometry/registry/second_formula.hpp"

namespace mct::geometry_detail {

MCT_DEFINE_SECONDS(klein, Klein)
MCT_DEFINE_SECONDS(hemisphere, Hemisphere)
MCT_DEFINE_SECONDS(sphere, Sphere)
MCT_DEFINE_SECONDS(euclidean, Euclidean)
MCT_DEFINE_SECONDS(stereographic, Stereographic)

}  // namespace mct::geometry_detail
