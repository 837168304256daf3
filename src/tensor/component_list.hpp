// The lists of explicit instantiations: the types of the components of tensors.
#pragma once

#include "mctensor/eft/half.hpp"

#define MCT_FOR_EACH_COMPONENT(macro) macro(double) macro(float) macro(half) macro(bfloat16)
