// Tiles of double.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

MCT_DEFINE_TILES(double)

}  // namespace mct::attention_detail::MCT_KERNELS
