#include "src/device/elementwise.hpp"

MCT_START_ELEMENTWISE(float, 1)
