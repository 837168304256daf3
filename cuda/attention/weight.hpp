// Weights of attention: e^(score - shift), with as few instructions as its use allows; of floats by
// a polynomial, so that host and device agree in every bit.
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

/// a b + c within [0, 1]; 0 if NaN. On a GPU one instruction.
MCT_BLOCK float fused_within_unit(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __saturatef(__fmaf_rn(a, b, c));
#else
  const float x = detail::fused_multiply_add(a, b, c);
  return x > 0 ? (x < 1 ? x : 1.0F) : 0.0F;
#endif
}

/// The larger number; NaN if one is.
MCT_BLOCK float larger_or_nan(float a, float b) {
#if defined(__CUDA_ARCH__)
  float r;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b));
  return r;
#else
  return a > b || a != a ? a : b;
#endif
}

/// Weights below 2^-range of the largest are as good as 0.
inline constexpr int weight_range = 127;

/// 2^(range (y - 1)) for y in [0, 1], and 0 for y = 0; below 2^-126 something between 0 and that.
///
/// range y = k + f with k its nearest integer, which stands in the last bits of a sum with a large
/// number (as power_of_two has it); the exponent is added to the bits of the polynomial. Relative
/// error of the polynomial, whose constant term is 1 so that y = 0 gives 0: 2^-23.3; of the rest
/// 8 u. By Lawson's iteration; the splitting as Zadouri et al. 2025 (FlashAttention-4), which has
/// it from Cody, Waite 1980.
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

/// 2^x by the unit for powers of two (ex2.approx.ftz.f32): relative error 2^-22 (PTX ISA), 0 below
/// 2^-126. Its bits are the device's own.
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
/// The exponent comes with an error of |score| 2^-23 + |base| 2^-24 + 2^-18 at most: the last
/// because it is taken in units of the range. Quick, of |score| 2^-24.
///
/// quick: for weights that are rounded to bfloat16, two instructions instead of eight or more, of
/// which there are too many beside the matrix products: an H100's profile showed half of all issued
/// instructions in polynomials. The exponent is not limited, and has no error of 2^-18.
template <bool quick>
struct WeightScale {
  float offset;  // 1 - base / range; quick: -base

  /// log2(e) / range; quick: log2(e)
  static constexpr float factor = float(std::numbers::log2e / (quick ? 1 : weight_range));
  /// Where base is -infinity, because every score is: all weights are 0.
  static constexpr float nothing = quick ? -std::numeric_limits<float>::infinity() : 0.0F;

  MCT_HD static WeightScale of(float base) {
    constexpr float unit = quick ? 1.0F : float(weight_range);
    const bool none = base == -std::numeric_limits<float>::infinity();
    return {none ? nothing : detail::fused_multiply_add(base, -1.0F / unit, quick ? 0.0F : 1.0F)};
  }
  MCT_BLOCK float weight(float score) const {
    constexpr float by = factor;  // a value, not the place of one, which device code has not
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

/// 1 / x for positive x in [2^-100, 2^100], NaN for NaN: by Newton's iteration, because the
/// division of the compiler is a function for what is beyond. Error <= 1 ulp.
MCT_HD MCT_ALWAYS_INLINE constexpr float reciprocal(float x) {
  using detail::fused_multiply_add;
  float r = std::bit_cast<float>(0x7ef311c7u - std::bit_cast<std::uint32_t>(x));  // to 12 %
  for (int i = 0; i < 4; ++i) r = fused_multiply_add(r, fused_multiply_add(-x, r, 1.0F), r);
  return r;
}

/// log(2^top sum) for an integer top and a sum in [2^-100, 2^100]. Error <= 2 ulp of the result and
/// 2^-23. The mantissa's as 2 atanh((m - 1) / (m + 1)), |m - 1| / (m + 1) <= 0.172: its series to
/// the 9th power is good to 2^-28.
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
