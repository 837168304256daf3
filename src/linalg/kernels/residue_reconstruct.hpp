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
using linalg_detail::ResidueWord;

/// Registers of the lower and of the upper halves of words, as doubles.
MCT_ALWAYS_INLINE inline void load_residues(const ResidueWord* y, DoubleLanes (&residue)[2]) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)
  const __m256i words = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(y));
  residue[0] = _mm512_cvtepi32_pd(_mm256_srai_epi32(_mm256_slli_epi32(words, 16), 16));
  residue[1] = _mm512_cvtepi32_pd(_mm256_srai_epi32(words, 16));
#elif MCT_WITH_XSIMD && defined(__AVX2__)
  const __m128i words = _mm_loadu_si128(reinterpret_cast<const __m128i*>(y));
  residue[0] = _mm256_cvtepi32_pd(_mm_srai_epi32(_mm_slli_epi32(words, 16), 16));
  residue[1] = _mm256_cvtepi32_pd(_mm_srai_epi32(words, 16));
#else
  double low[std::size_t(double_lanes)];
  double high[std::size_t(double_lanes)];
  for (std::int64_t j = 0; j < double_lanes; ++j) {
    low[j] = double(std::int16_t(y[j] & 0xffff));
    high[j] = double(y[j] >> 16);
  }
  residue[0] = load_lanes<DoubleLanes>(low);
  residue[1] = load_lanes<DoubleLanes>(high);
#endif
}

/// N limbs, before they are scaled, of the integers in the halves of words y. (Both at a time: the
/// additions that make limbs wait for each other.) Fetches what stands `ahead` words further.
template <int N, int Digits>
MCT_ALWAYS_INLINE inline void limbs_of(const ResiduePlan& plan, const ResidueWord* y,
                                       std::int64_t stride, std::int64_t ahead,
                                       DoubleLanes (&limb)[2][N]) {
  using V = DoubleLanes;
  DigitSum<Digits, V> sum[2];
  const double* part = plan.part;
  for (int i = 0; i < plan.count; ++i, y += stride, part += Digits) {
    __builtin_prefetch(y + ahead);
    V residue[2];
    load_residues(y, residue);
    for (int r = 0; r < 2; ++r)
      sum[r].add(residue[r], V(plan.inverse[i]), [part](int t) { return part[t]; });
  }
  for (int r = 0; r < 2; ++r) {
    sum[r].close([&plan](int t) { return plan.whole[t]; });
    round_digits(sum[r].digit, limb[r]);
  }
}

template <int N, int Digits>
void reconstruct_digits(const ResiduePlan& plan, const ResidueResult& result) {
  using V = DoubleLanes;
  for (std::int64_t j = 0; j < result.count; j += double_lanes) {
    V limb[2][N];
    limbs_of<N, Digits>(plan, result.y + j, result.stride, result.count, limb);
    for (int r = 0; r < 2; ++r) {
      V scale[2];
      for (int s = 0; s < 2; ++s)
        scale[s] = V(result.row_scale[r][s]) * load_lanes<V>(result.column_scale[s] + j);
      scale_limbs(limb[r], scale[0], scale[1]);
      for (int l = 0; l < N; ++l)
        store_lanes<V>(limb[r][l], result.out + (r * N + l) * result.count + j);
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
