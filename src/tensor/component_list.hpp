// What an explicit instantiation lists: the types that numbers of tensors are made of.
#pragma once

#include "mctensor/eft/half.hpp"

#define MCT_FOR_EACH_COMPONENT(macro) macro(double) macro(float) macro(half) macro(bfloat16)
