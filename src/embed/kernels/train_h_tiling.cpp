// Training with points of the H-tiling.
#include "src/embed/kernels/cube_place.hpp"
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(h_tiling, kernels::CubePlace<1, 2>, kernels::CubePlace<1, geometry::dynamic>,
                    kernels::CubePlace<2, geometry::dynamic>)

}  // namespace mct::embed_detail::MCT_KERNELS
