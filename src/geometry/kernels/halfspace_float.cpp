// Rows of half-space points in components of float.
#include "src/geometry/kernels/halfspace_rows.hpp"

namespace mct::geometry_detail::MCT_KERNELS {

MCT_DEFINE_HALF_SPACE(float, 0)
MCT_DEFINE_HALF_SPACE(float, 1)
MCT_DEFINE_HALF_SPACE(float, 2)
MCT_DEFINE_HALF_SPACE(float, 3)
MCT_DEFINE_HALF_SPACE(float, 4)

}  // namespace mct::geometry_detail::MCT_KERNELS
