// The component types and counts that decimal input and output are compiled for.
#pragma once

#include "mctensor/eft/half.hpp"

#define MCT_FOR_EACH_EXPANSION(macro)                                                              \
  macro(double, 1) macro(double, 2) macro(double, 3) macro(double, 4) macro(float, 1)              \
      macro(float, 2) macro(float, 3) macro(float, 4) macro(half, 1) macro(half, 2) macro(half, 3) \
          macro(bfloat16, 1) macro(bfloat16, 2) macro(bfloat16, 3)
