// Tiles of float.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

MCT_DEFINE_TILES(float)

}  // namespace mct::attention_detail::MCT_KERNELS
