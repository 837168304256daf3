// Residues back to expansions of doubles.
#pragma once

#include <algorithm>
#include <cstring>

#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/kernels/residue_registers.hpp"
#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using linalg_detail::group_of;
using linalg_detail::ResiduePlan;
using linalg_detail::ResidueResult;
using linalg_detail::ResidueSize;
using linalg_detail::ResidueWord;

/// As many integers as a register has doubles.
using Integers [[gnu::vector_size(4 * double_lanes)]] = std::int32_t;

MCT_ALWAYS_INLINE inline Integers load_integers(const std::int32_t* p) {
  Integers x;
  std::memcpy(&x, p, sizeof(x));
  return x;
}
MCT_ALWAYS_INLINE inline DoubleLanes to_doubles(Integers x) {
#if MCT_WITH_XSIMD && defined(__AVX512F__)  // where g++ 12 makes two halves
  return _mm512_cvtepi32_pd((__m256i)x);
#else
  using Doubles [[gnu::vector_size(8 * double_lanes)]] = double;
  const Doubles converted = __builtin_convertvector(x, Doubles);
  double numbers[std::size_t(double_lanes)];
  std::memcpy(numbers, &converted, sizeof(numbers));
  return load_lanes<DoubleLanes>(numbers);
#endif
}

/// Two registers of neighbours in two rows of a tile.
struct TwoRows {
  std::int64_t row[2];
  std::int64_t column;
};

/// Writes the numbers whose residues have been added to `sum`. (Two at a time: the additions that
/// make limbs wait for each other.)
template <int N, int Digits>
MCT_ALWAYS_INLINE inline void write_numbers(const ResiduePlan& plan, const ResidueResult& result,
                                            DigitSum<Digits, DoubleLanes> (&sum)[2],
                                            const TwoRows& place) {
  using V = DoubleLanes;
  V limb[2][N];
  for (int r = 0; r < 2; ++r) {
    sum[r].close([&plan](int t) { return plan.whole[t]; });
    round_digits(sum[r].digit, limb[r]);
  }
  for (int r = 0; r < 2; ++r) {
    V scale[2];
    for (int s = 0; s < 2; ++s)
      scale[s] = V(result.row_scale[s][place.row[r]]) *
                 load_lanes<V>(result.column_scale[s] + place.column);
    scale_limbs(limb[r], scale[0], scale[1]);
    const auto finite = detail::is_finite_mask(limb[r][0]);  // else the exact sum overflows
    for (int l = 1; l < N; ++l) limb[r][l] = detail::blend(finite, limb[r][l], V(0.0));
    for (int l = 0; l < N; ++l)
      store_lanes<V>(limb[r][l],
                     result.out + (place.row[r] * N + l) * result.columns + place.column);
  }
}

/// The numbers of one tile, residue by residue in lanes of doubles. (Words of both sizes in one
/// function: there are 24 of them.)
template <int N, int Digits>
void reconstruct_tile(const ResiduePlan& plan, const ResidueResult& result) {
  const auto group = int(group_of(plan.size));
  const int bits = 32 / group;
  const std::int64_t word_rows = result.rows / group;
  const auto residue = [bits](Integers words, int place) {
    return to_doubles((words << (32 - bits - place * bits)) >> (32 - bits));
  };
  const auto write = [&](std::int64_t row, std::int64_t column, int first) {
    DigitSum<Digits, DoubleLanes> sum[2];
    const ResidueWord* y = result.y + row * result.columns + column;
    const double* part = plan.part;
    for (int i = 0; i < plan.count; ++i, y += result.stride, part += Digits) {
      __builtin_prefetch(y + result.columns);  // of the next row
      const Integers words = load_integers(y);
      for (int r = 0; r < 2; ++r)
        sum[r].add(residue(words, first + r), DoubleLanes(plan.inverse[i]),
                   [part](int t) { return part[t]; });
    }
    write_numbers<N>(plan, result, sum,
                     {{row + first * word_rows, row + (first + 1) * word_rows}, column});
  };
  for (std::int64_t row = 0; row < std::min(word_rows, result.lines); ++row)
    for (std::int64_t column = 0; column < result.columns; column += double_lanes)
      for (int first = 0; first < group; first += 2) write(row, column, first);
}

template <int N>
void reconstruct(const ResiduePlan& plan, const ResidueResult& result) {
  using namespace linalg_detail;
  with_digits<least_result_digits, most_result_digits>(plan.result_digits, [&](auto digits) {
    reconstruct_tile<N, decltype(digits)::value>(plan, result);
  });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
