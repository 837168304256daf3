#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

MCT_START_ROW_OPTIMIZERS(mc_half_space, 2)
MCT_START_ROW_OPTIMIZERS(mc_half_space, 3)
