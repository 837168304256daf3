#include "src/device/elementwise.hpp"

MCT_START_ELEMENTWISE(bfloat16, 2)
