// The scalar types that the compiled functions of the tilings exist for.
#pragma once

#include "mctensor/expansion/expansion.hpp"

#define MCT_FOR_EACH_TILING_SCALAR(macro)                                                     \
  macro(double) macro(float) macro(f64x1) macro(f64x2) macro(f64x3) macro(f64x4) macro(f32x1) \
      macro(f32x2) macro(f32x3) macro(f32x4)
