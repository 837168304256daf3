// Tiles of two doubles: what the others are compared with.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

MCT_DEFINE_TILES(f64x2)

}  // namespace mct::attention_detail::MCT_KERNELS
