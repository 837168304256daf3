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

/// Registers of integers at a time: the additions that make limbs wait for each other.
inline constexpr int integers_at_once = 2;

/// N limbs, before they are scaled, of registers of integers with the residues y.
template <int N, int Digits>
MCT_ALWAYS_INLINE inline void limbs_of(const ResiduePlan& plan, const std::int16_t* y,
                                       std::int64_t stride,
                                       DoubleLanes (&limb)[integers_at_once][N]) {
  using V = DoubleLanes;
  DigitSum<Digits, V> sum[integers_at_once];
  const double* part = plan.part;
  for (int i = 0; i < plan.count; ++i, y += stride, part += Digits)
    for (int r = 0; r < integers_at_once; ++r)
      sum[r].add(load_residues(y + r * double_lanes), V(plan.inverse[i]),
                 [part](int t) { return part[t]; });
  for (int r = 0; r < integers_at_once; ++r) {
    sum[r].close([&plan](int t) { return plan.whole[t]; });
    round_digits(sum[r].digit, limb[r]);
  }
}

template <int N, int Digits>
void reconstruct_digits(const ResiduePlan& plan, const ResidueResult& result) {
  using V = DoubleLanes;
  for (std::int64_t j = 0; j < result.count; j += integers_at_once * double_lanes) {
    V limb[integers_at_once][N];
    limbs_of<N, Digits>(plan, result.y + j, result.stride, limb);
    for (int r = 0; r < integers_at_once; ++r) {
      const std::int64_t at = j + r * double_lanes;
      V scale[2];
      for (int s = 0; s < 2; ++s)
        scale[s] = V(result.row_scale[s]) * load_lanes<V>(result.column_scale[s] + at);
      scale_limbs(limb[r], scale[0], scale[1]);
      for (int l = 0; l < N; ++l) store_lanes<V>(limb[r][l], result.out + l * result.count + at);
    }
  }
}

template <int N>
void reconstruct(const ResiduePlan& plan, const ResidueResult& result) {
  using namespace linalg_detail;
  with_digits<least_result_digits, most_result_digits>(plan.result_digits, [&](auto digits) {
    reconstruct_digits<N, decltype(digits)::value>(plan, result);
  });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
