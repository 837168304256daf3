// Training with points of the hyperboloid.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(lorentz, double, kernels::LorentzPlace<1, geometry::dynamic>,
                    kernels::LorentzPlace<2, geometry::dynamic>)
MCT_DEFINE_TRAINING(lorentz, float,
                    kernels::LorentzPlace<1, geometry::dynamic, kernels::widest_batch<float>>)

}  // namespace mct::embed_detail::MCT_KERNELS
