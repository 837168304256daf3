// The regression experiments in plain float and double.
#include "apps/mct/train/regression_loop.hpp"

namespace mct::cli::train {

MCT_REGRESSION_ARM(float, 1, 1)
MCT_REGRESSION_ARM(double, 1, 1)

}  // namespace mct::cli::train
