// Tiles of doubles with derivatives along a direction.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

MCT_DEFINE_TILES(Dual<double>)

}  // namespace mct::attention_detail::MCT_KERNELS
