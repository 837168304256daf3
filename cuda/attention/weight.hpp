// Weights of attention: e^(score - shift), with as few instructions as their use allows. Weights in
// float are computed by a polynomial, so that host and device agree in every bit.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <numbers>

#include "cuda/base/pack.hpp"
#include "mctensor/eft/representation.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct::cuda {

/// a b + c limited to [0, 1]; 0 if it is NaN. One instruction on a GPU.
MCT_BLOCK float fused_within_unit(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __saturatef(__fmaf_rn(a, b, c));
#else
  const float x = detail::fused_multiply_add(a, b, c);
  return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F;
#endif
}

/// The larger number; NaN if one of them is NaN.
MCT_BLOCK float larger_or_nan(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a > b || a != a ? a : b;
#endif
}

/// Weights below 2^-range of the largest are negligible.
inline constexpr int weight_range = 127;

/// 2^(range (y - 1)) for y in [0, 1], and 0 for y = 0. If that is below 2^-126, the result is
/// between 0 and that.
///
/// range y = k + f, where k is the nearest integer. k stands in the last bits of the sum of range y
/// and a large number (as in power_of_two), and is added to the exponent bits of the polynomial.
/// Relative error: 2^-23.3 of the polynomial, whose constant term is 1 so that y = 0 gives 0, and
/// 8 u of the rest. The coefficients are from Lawson's iteration. The splitting is that of Zadouri
/// et al. 2025 (FlashAttention-4), who have it from Cody, Waite 1980.
MCT_HD MCT_ALWAYS_INLINE constexpr float weight_of_unit(float y) {
  constexpr float width = weight_range;
  constexpr float shift = 0x1.8p23F - width;
  using detail::fused_multiply_add;
  const float t = fused_multiply_add(y, width, shift);
  const float f = fused_multiply_add(y, width, -(t - shift));
  float p = fused_multiply_add(f, 0x1.5bba16p-10F, 0x1.3cea88p-7F);
  p = fused_multiply_add(f, p, 0x1.c6b752p-5F);
  p = fused_multiply_add(f, p, 0x1.ebf9bcp-3F);
  p = fused_multiply_add(f, p, 0x1.62e42ap-1F);
  p = fused_multiply_add(f, p, 1.0F);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(p) +
                              (std::bit_cast<std::uint32_t>(t) << 23));
}

/// 2^x by the hardware's unit for powers of two (ex2.approx.ftz.f32): relative error 2^-22 (PTX
/// ISA), 0 below 2^-126. Its bits depend on the device.
MCT_BLOCK float quick_power_of_two(float x) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
#else
  const auto r = float(std::exp2(double(x)));
  return r < 0x1p-126F ? 0.0F : r;
#endif
}

/// The numbers that turn a score into a weight: 2^(score log2(e) - base).
///
/// The exponent has an error of at most |score| 2^-23 + |base| 2^-24 + 2^-18. The last term is
/// there because the exponent is taken in units of the range. With `quick` the error is
/// |score| 2^-24.
///
/// quick: for weights that are rounded to bfloat16. It takes two instructions instead of eight or
/// more, which are too many beside the matrix products: an H100's profile showed half of all issued
/// instructions in polynomials. The exponent is not limited, and has no error of 2^-18.
template <bool quick>
struct WeightScale {
  float offset;  // 1 - base / range; quick: -base

  /// log2(e) / range; quick: log2(e)
  static constexpr float factor = float(std::numbers::log2e / (quick ? 1 : weight_range));
  /// The offset if base is -infinity, because every score is -infinity: all weights are 0.
  static constexpr float nothing = quick ? -std::numeric_limits<float>::infinity() : 0.0F;

  MCT_HD static WeightScale of(float base) {
    constexpr float unit = quick ? 1.0F : float(weight_range);
    const bool none = base == -std::numeric_limits<float>::infinity();
    return {none ? nothing : detail::fused_multiply_add(base, -1.0F / unit, quick ? 0.0F : 1.0F)};
  }
  MCT_BLOCK float weight(float score) const {
    constexpr float by = factor;  // a copy: device code has no address of `factor`
    if constexpr (quick) {
      return quick_power_of_two(detail::fused_multiply_add(score, by, offset));
    } else {
      return weight_of_unit(fused_within_unit(score, by, offset));
    }
  }
};

/// 2^k for integers k <= 0; 0 where it is below 2^-126.
MCT_HD MCT_ALWAYS_INLINE constexpr float power_of_negative(float k) {
  return detail::power_of_two(detail::blend(k > -127.0F, k, -127.0F));
}

/// 1 / x for positive x in [2^-100, 2^100], NaN for NaN. It uses Newton's iteration, because the
/// compiler's division calls a function for other numbers. Error <= 1 ulp.
MCT_HD MCT_ALWAYS_INLINE constexpr float reciprocal(float x) {
  using detail::fused_multiply_add;
  float r = std::bit_cast<float>(0x7ef311c7u - std::bit_cast<std::uint32_t>(x));  // to 12 %
  for (int i = 0; i < 4; ++i) r = fused_multiply_add(r, fused_multiply_add(-x, r, 1.0F), r);
  return r;
}

/// log(2^top sum) for an integer top and a sum in [2^-100, 2^100]. Error <= 2 ulp of the result
/// plus 2^-23. The logarithm of the mantissa m is 2 atanh((m - 1) / (m + 1)), where
/// |m - 1| / (m + 1) <= 0.172: its series to the 9th power is good to 2^-28.
MCT_HD MCT_ALWAYS_INLINE constexpr float log_of_weights(float top, float sum) {
  using detail::fused_multiply_add;
  const auto split = detail::binary_split(sum, 0.70710678F);
  const float s = (split.mantissa - 1.0F) * reciprocal(split.mantissa + 1.0F);
  const float z = s * s;
  float p = 2.0F / 9;
  for (const float c : {2.0F / 7, 2.0F / 5, 2.0F / 3, 2.0F}) p = fused_multiply_add(p, z, c);
  return fused_multiply_add(top + split.exponent, 0.69314718F, s * p);
}

}  // namespace mct::cuda
