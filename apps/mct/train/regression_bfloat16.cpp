// The regression experiments with components of bfloat16.
#include "apps/mct/train/regression_loop.hpp"

namespace mct::cli::train {

MCT_REGRESSION_ARM(bfloat16, 1, 1)
MCT_REGRESSION_ARM(bfloat16, 2, 1)
MCT_REGRESSION_ARM(bfloat16, 2, 2)
MCT_REGRESSION_ARM(bfloat16, 3, 1)

}  // namespace mct::cli::train
