// The regression experiments with components of half.
#include "apps/mct/train/regression_loop.hpp"

namespace mct::cli::train {

MCT_REGRESSION_ARM(half, 1, 1)
MCT_REGRESSION_ARM(half, 2, 1)
MCT_REGRESSION_ARM(half, 2, 2)
MCT_REGRESSION_ARM(half, 3, 1)

}  // namespace mct::cli::train
