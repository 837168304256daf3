#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

MCT_START_ROW_OPTIMIZERS(geometry::XmcHalfSpace<double, 2>)
MCT_START_ROW_OPTIMIZERS(geometry::XmcHalfSpace<double, 3>)
