// PTX's approximations. A GPU computes them by tables whose bits NVIDIA does not publish; the model
// is the value that double arithmetic gives, rounded once, which lies within the bounds of the PTX
// ISA: 2^-22 relative for ex2, 1 ulp for rcp, 2 ulp for rsqrt, and so on. So a test that compares
// bits must not depend on them; on a GPU other bits are right too.
#pragma once

#include <cmath>

#include "tests/cuda/ptx/rounding.hpp"

namespace mct::cuda::ptx {

inline float approximate_ex2(float x) { return float(std::exp2(double(x))); }
inline float approximate_lg2(float x) { return float(std::log2(double(x))); }
inline float approximate_rcp(float x) { return float(1 / double(x)); }
inline float approximate_sqrt(float x) { return std::sqrt(x); }
inline float approximate_rsqrt(float x) { return float(1 / std::sqrt(double(x))); }
inline float approximate_sin(float x) { return float(std::sin(double(x))); }
inline float approximate_cos(float x) { return float(std::cos(double(x))); }
inline float approximate_tanh(float x) { return float(std::tanh(double(x))); }
inline float approximate_div(float a, float b) { return a / b; }
inline double approximate_rsqrt(double x) { return 1 / std::sqrt(x); }

/// Without subnormals and with the upper 20 bits of the fraction: a first guess that programs
/// refine.
inline double head_of(double x) {
  if (std::fpclassify(x) == FP_SUBNORMAL) return std::copysign(0.0, x);
  return as<double>(to_bits(x) & 0xffffffff00000000U);
}
inline double approximate_rcp(double x) { return head_of(1 / head_of(x)); }
inline double approximate_rsqrt_head(double x) { return head_of(1 / std::sqrt(head_of(x))); }

}  // namespace mct::cuda::ptx
