// Training with points of the Poincaré ball.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(ball, double, kernels::BallPlace<1, 2>,
                    kernels::BallPlace<1, geometry::dynamic>,
                    kernels::BallPlace<2, geometry::dynamic>)
MCT_DEFINE_TRAINING(ball, float,
                    kernels::BallPlace<1, geometry::dynamic, kernels::widest_batch<float>>)

}  // namespace mct::embed_detail::MCT_KERNELS
