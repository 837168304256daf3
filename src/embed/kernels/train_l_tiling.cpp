// Training with points of the L-tiling.
#include "src/embed/kernels/tile_place.hpp"
#include "src/embed/kernels/train_kernels.hpp"

namespace mct::embed_detail::MCT_KERNELS {

MCT_DEFINE_TRAINING(l_tiling, kernels::TilePlace<1>, kernels::TilePlace<2>)

}  // namespace mct::embed_detail::MCT_KERNELS
