// Sums of residues modulo p: of words that are multiplied, and of results.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "src/linalg/kernels/residue_registers.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::ResidueWord;

/// out = x + y, or x - y, modulo p. Residues of both signs are at most p (those of products 5 / 8
/// p), those without sign 0 .. p - 1; sums are within -(p / 2) .. (p - 1) / 2, or 0 .. p - 1. Those
/// that leave a byte come back into it with the multiple of p: they are those of unsigned numbers.
template <class I, bool minus>
MCT_ALWAYS_INLINE inline void add_modulo(const ResidueWord* px, const ResidueWord* py, int p,
                                         ResidueWord* out) {
  using L = ResidueLanes<I>;
  using U = ResidueLanes<std::make_unsigned_t<I>>;
  const auto modulus = U::all(std::make_unsigned_t<I>(p));
  using Mask = typename U::Register;
  typename U::Register sum;
  if constexpr (std::is_unsigned_v<I>) {
    const auto x = U::load(px);
    const auto y = U::load(py);
    if constexpr (minus) {
      sum = x - y + (modulus & Mask(x < y));
    } else {  // 256 as a byte is 0
      sum = x + y - (modulus & Mask(x >= modulus - y));
    }
  } else {
    const auto above = L::all(I((p - 1) / 2));
    const auto below = L::all(I(-(p / 2)));
    const auto centred = [&](const typename L::Register& r) {
      return (typename L::Register)((Mask)r - (modulus & Mask(r > above)) +
                                    (modulus & Mask(r < below)));
    };
    const auto x = centred(L::load(px));
    const auto y = centred(L::load(py));
    const typename L::Register zero{};
    const auto positive = y > zero ? y : zero;
    const auto negative = y < zero ? y : zero;
    if constexpr (minus) {
      sum = (Mask)x - (Mask)y - (modulus & Mask(x > above + negative)) +
            (modulus & Mask(x < below + positive));
    } else {
      sum = (Mask)x + (Mask)y - (modulus & Mask(x > above - positive)) +
            (modulus & Mask(x < below - negative));
    }
  }
  std::memcpy(out, &sum, sizeof(sum));
}

template <class I, bool minus>
void add_blocks(std::int64_t words, const ResidueWord* x, const ResidueWord* y, int modulus,
                ResidueWord* out) {
  constexpr std::int64_t step = lane_bytes / sizeof(ResidueWord);
  std::int64_t w = 0;
  for (; w + step <= words; w += step) add_modulo<I, minus>(x + w, y + w, modulus, out + w);
  if (w == words) return;
  ResidueWord rest[3][step] = {};
  std::copy(x + w, x + words, rest[0]);
  std::copy(y + w, y + words, rest[1]);
  add_modulo<I, minus>(rest[0], rest[1], modulus, rest[2]);
  std::copy(rest[2], rest[2] + (words - w), out + w);
}

constexpr linalg_detail::WordSums word_sums() {
  return {{{&add_blocks<std::int16_t, false>, &add_blocks<std::int16_t, true>},
           {&add_blocks<std::int8_t, false>, &add_blocks<std::int8_t, true>},
           {&add_blocks<std::uint8_t, false>, &add_blocks<std::uint8_t, true>}}};
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
