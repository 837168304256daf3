#include "cuda/tensor/compile_pointwise.hpp"

MCT_COMPILE_POINTWISE(float, 1)
