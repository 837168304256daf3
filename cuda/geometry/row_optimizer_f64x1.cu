#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

MCT_START_ROW_OPTIMIZERS(geometry::PoincareBall<double>)
MCT_START_ROW_OPTIMIZERS(geometry::HalfSpace<double>)
MCT_START_ROW_OPTIMIZERS(geometry::Lorentz<double>)
