#include "cuda/base/run_block.hpp"
#include "cuda/geometry/start_row_optimizer.hpp"

MCT_START_ROW_OPTIMIZERS(geometry::PoincareBall<f64x2>)
MCT_START_ROW_OPTIMIZERS(geometry::HalfSpace<f64x2>)
MCT_START_ROW_OPTIMIZERS(geometry::Lorentz<f64x2>)
