// Training with points of multi-component half-spaces.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

using geometry::dynamic;
using kernels::HalfSpacePlace;

// points of a plane have kernels of their own
MCT_DEFINE_TRAINING(xmc_half_space, double, HalfSpacePlace<1, 2, false>,
                    HalfSpacePlace<2, 2, false>, HalfSpacePlace<1, dynamic, false>,
                    HalfSpacePlace<2, dynamic, false>, HalfSpacePlace<3, dynamic, false>)
MCT_DEFINE_TRAINING(mc_half_space, double, HalfSpacePlace<1, dynamic, true>,
                    HalfSpacePlace<2, 2, true>, HalfSpacePlace<2, dynamic, true>,
                    HalfSpacePlace<3, dynamic, true>)
MCT_DEFINE_TRAINING(xmc_half_space, float,
                    HalfSpacePlace<1, 2, false, kernels::widest_batch<float>>,
                    HalfSpacePlace<1, dynamic, false, kernels::widest_batch<float>>,
                    HalfSpacePlace<2, dynamic, false, kernels::widest_batch<float>>)
MCT_DEFINE_TRAINING(mc_half_space, float)

}  // namespace mct::embed_detail::MCT_KERNELS
