// Training with points of the hyperboloid.
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(lorentz, kernels::LorentzPlace<1, geometry::dynamic>,
                    kernels::LorentzPlace<2, geometry::dynamic>)

}  // namespace mct::embed_detail::MCT_KERNELS
