// Training with points of the Poincaré ball.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(ball, kernels::BallPlace<1, 2>, kernels::BallPlace<1, geometry::dynamic>,
                    kernels::BallPlace<2, geometry::dynamic>)

}  // namespace mct::embed_detail::MCT_KERNELS
