// Residues back to expansions of doubles.
#pragma once

#include "src/linalg/kernels/residue_lanes.hpp"
#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::ResiduePlan;
using linalg_detail::ResidueResult;

/// A register of residues as doubles.
MCT_ALWAYS_INLINE inline DoubleLanes load_residues(const std::int16_t* y) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  return _mm512_cvtepi32_pd(
      _mm256_cvtepi16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(y))));
#elif MCT_WITH_XSIMD && defined(__AVX2__)
  return _mm256_cvtepi32_pd(
      _mm_cvtepi16_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(y))));
#else
  double residue[std::size_t(double_lanes)];
  for (std::int64_t j = 0; j < double_lanes; ++j) residue[j] = double(y[j]);
  return load_lanes<DoubleLanes>(residue);
#endif
}

/// Digits of the integers with the residues y: sum_i y_i M / p_i - q M, each digit within 2^35, so
/// that they do not depend on the moduli.
template <int Digits>
void digits_of(const ResiduePlan& plan, const std::int16_t* y, std::int64_t stride, double* out) {
  using V = DoubleLanes;
  const V round(0x1.8p52);
  V digit[Digits];
#pragma GCC unroll 16
  for (int t = 0; t < Digits; ++t) digit[t] = V(0.0);
  V turns(0.0);
  const double* part = plan.part;
  for (int i = 0; i < plan.count; ++i, y += stride, part += Digits) {
    const V r = load_residues(y);
    turns = multiply_add(r, V(plan.inverse[i]), turns);
#pragma GCC unroll 16
    for (int t = 0; t < Digits; ++t) digit[t] = multiply_add(r, V(part[t]), digit[t]);
  }
  const V quotient = (turns + round) - round;
  V carry(0.0);
  double unit = 1;
#pragma GCC unroll 16
  for (int t = 0; t < Digits; ++t) {
    V d = (digit[t] - quotient * V(plan.whole[t])) + carry;
    if (t + 1 < Digits) {
      // less a half: never halfway between two integers
      carry = ((d - V(0.5)) * V(1 / digit_unit) + round) - round;
      d = d - carry * V(digit_unit);
    }
    store_lanes<V>(d * V(unit), out + t * double_lanes);
    unit *= digit_unit;
  }
}

/// The same for a number of digits that is known when the program runs.
inline void write_digits(const ResiduePlan& plan, const std::int16_t* y, std::int64_t stride,
                         double* out) {
  switch (plan.result_digits) {
    case 4:
      return digits_of<4>(plan, y, stride, out);
    case 5:
      return digits_of<5>(plan, y, stride, out);
    case 6:
      return digits_of<6>(plan, y, stride, out);
    case 7:
      return digits_of<7>(plan, y, stride, out);
    case 8:
      return digits_of<8>(plan, y, stride, out);
    case 9:
      return digits_of<9>(plan, y, stride, out);
    case 10:
      return digits_of<10>(plan, y, stride, out);
    default:
      return digits_of<linalg_detail::most_result_digits>(plan, y, stride, out);
  }
}

/// N limbs of a sum of digits, not normalized: N times the sum from the lowest to the highest of
/// what the sums before have lost. What the last of them has lost is added to it once more, because
/// it is rounded after a sum of lower digits that was rounded itself: error <= u^N (1 + 2^-50)
/// |sum|.
///
/// There are more than N digits (least_result_bits).
template <int N>
MCT_ALWAYS_INLINE inline void round_digits(int digits, double* digit, DoubleLanes* limb) {
  using V = DoubleLanes;
  for (int l = 0; l <= N; ++l) {
    V sum = load_lanes<V>(digit);
    for (int t = 1; t < digits; ++t) {
      const auto [next, error] = two_sum(load_lanes<V>(digit + t * double_lanes), sum);
      store_lanes<V>(error, digit + (t - 1) * double_lanes);
      sum = next;
    }
    if (l < N) {
      limb[l] = sum;
    } else {
      limb[N - 1] = limb[N - 1] + sum;
    }
    --digits;
  }
}

template <int N>
MCT_ALWAYS_INLINE inline void normalize_limbs(DoubleLanes* limb) {
  const auto add_pair = [limb](int l) {
    const auto [sum, error] = two_sum(limb[l], limb[l + 1]);
    limb[l] = sum;
    limb[l + 1] = error;
  };
  for (int l = N - 1; l-- > 0;) add_pair(l);
  for (int l = 1; l + 1 < N; ++l) add_pair(l);
}

template <int N>
void reconstruct(const ResiduePlan& plan, const ResidueResult& result) {
  using V = DoubleLanes;
  double digits[std::size_t(linalg_detail::most_result_digits * double_lanes)];
  for (std::int64_t j = 0; j < result.count; j += double_lanes) {
    write_digits(plan, result.y + j, result.stride, digits);
    V limb[N];
    round_digits<N>(plan.result_digits, digits, limb);
    V scale[2];
    for (int s = 0; s < 2; ++s)
      scale[s] = V(result.row_scale[s]) * load_lanes<V>(result.column_scale[s] + j);
    for (int l = 0; l < N; ++l) limb[l] = limb[l] * scale[0] * scale[1];
    // not before: lower limbs may have been rounded to subnormal numbers
    normalize_limbs<N>(limb);
    for (int l = 0; l < N; ++l) store_lanes<V>(limb[l], result.out + l * result.count + j);
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
