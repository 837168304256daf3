#include "src/device/elementwise.hpp"

MCT_START_ELEMENTWISE(double, 3)
