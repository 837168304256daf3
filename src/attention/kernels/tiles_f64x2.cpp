// Tiles of two doubles, with which the other types are compared.
#include "src/attention/kernels/score_kernels.hpp"

namespace mct::attention_detail::MCT_KERNELS {

MCT_DEFINE_TILES(f64x2)

}  // namespace mct::attention_detail::MCT_KERNELS
