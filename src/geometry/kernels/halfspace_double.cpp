// Rows of half-space points in components of double.
#include "src/geometry/kernels/halfspace_rows.hpp"

namespace mct::geometry_detail::MCT_KERNELS {

MCT_DEFINE_HALF_SPACE(double, 0)
MCT_DEFINE_HALF_SPACE(double, 1)
MCT_DEFINE_HALF_SPACE(double, 2)
MCT_DEFINE_HALF_SPACE(double, 3)
MCT_DEFINE_HALF_SPACE(double, 4)

}  // namespace mct::geometry_detail::MCT_KERNELS
