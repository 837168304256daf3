// The kernels of manifolds on sums of 2 doubles, compiled once per instruction set.
#include "src/geometry/kernels/manifold_kernels.hpp"
#include "src/geometry/kernels/registry.hpp"

namespace mct::geometry_detail::MCT_KERNELS {

MCT_DEFINE_MANIFOLDS(2)

}  // namespace mct::geometry_detail::MCT_KERNELS
