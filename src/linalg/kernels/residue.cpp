// Products through integers, compiled once per instruction set.
#include <algorithm>
#include <cstring>
#include <type_traits>

#include "src/linalg/kernels/byte_tiles.hpp"
#include "src/linalg/kernels/registry.hpp"
#include "src/linalg/kernels/residue_cut.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/kernels/residue_reconstruct.hpp"
#include "src/linalg/kernels/residue_registers.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

// The range of the elements of lines, which decides how they become integers.

using linalg_detail::LineRange;
using linalg_detail::MatrixView;

/// Ranges of as many lines as a register holds, or of parts of one line: does to them what
/// widen_range (residue_numbers.hpp) does to one range.
template <int N>
class RangeLanes {
 public:
  static constexpr std::int64_t count = double_lanes;

  /// x: of each limb as many neighbours.
  MCT_ALWAYS_INLINE void widen(const double* x, std::int64_t plane) {
    const Bits bits = magnitude(load(x));
    largest_ = bits > largest_ ? bits : largest_;
    const Bits nonzero = bits == 0 ? Bits{} + INT64_MAX : bits;
    smallest_ = nonzero < smallest_ ? nonzero : smallest_;
    if constexpr (N > 1) {
      // written so that a NaN is not normalized
      const Numbers bound = (Numbers)bits * 0x1p-50;
      for (int l = 1; l < N; ++l) {
        const Bits lower = magnitude(load(x + l * plane));
        largest_ = lower > largest_ ? lower : largest_;
        normalized_ &= (Bits)((Numbers)lower <= bound);
      }
    }
  }
  /// Adds the range of one lane to the range of a line.
  void add(std::int64_t lane, LineRange& range) const {
    range.largest = std::max(range.largest, std::int64_t(largest_[lane]));
    range.smallest = std::min(range.smallest, std::int64_t(smallest_[lane]));
    range.normalized = range.normalized & std::int64_t(normalized_[lane] != 0);
  }

 private:
  using Bits [[gnu::vector_size(8 * count)]] = std::int64_t;
  using Numbers [[gnu::vector_size(8 * count)]] = double;

  MCT_ALWAYS_INLINE static Bits load(const double* x) {
    Bits bits;
    std::memcpy(&bits, x, sizeof(bits));
    return bits;
  }
  MCT_ALWAYS_INLINE static Bits magnitude(const Bits& bits) { return bits & INT64_MAX; }

  Bits largest_{};
  Bits smallest_ = Bits{} + INT64_MAX;
  Bits normalized_ = Bits{} - 1;
};

template <int N>
void widen_ranges(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                  LineRange* ranges) {
  using Lanes = RangeLanes<N>;
  const auto widen_one = [&](LineRange& range, const double* p) {
    double limb[N];
    for (int l = 0; l < N; ++l) limb[l] = p[l * x.plane];
    widen_range(range, limb);
  };
  if (x.column_stride == 1) {
    constexpr std::int64_t together = 4;  // registers of lines
    std::int64_t j = 0;
    for (; j + together * Lanes::count <= lines; j += together * Lanes::count) {
      Lanes range[together];
      for (std::int64_t k = 0; k < depth; ++k)
        for (std::int64_t r = 0; r < together; ++r)
          range[r].widen(x.data + k * x.row_stride + j + r * Lanes::count, x.plane);
      for (std::int64_t i = 0; i < together * Lanes::count; ++i)
        range[i / Lanes::count].add(i % Lanes::count, ranges[j + i]);
    }
    for (std::int64_t k = 0; k < depth; ++k)
      for (std::int64_t i = j; i < lines; ++i) widen_one(ranges[i], x.data + k * x.row_stride + i);
    return;
  }
  for (std::int64_t j = 0; j < lines; ++j) {
    const double* const line = x.data + j * x.column_stride;
    std::int64_t k = 0;
    if (x.row_stride == 1) {
      Lanes range;
      for (; k + Lanes::count <= depth; k += Lanes::count) range.widen(line + k, x.plane);
      for (std::int64_t i = 0; i < Lanes::count; ++i) range.add(i, ranges[j]);
    }
    for (; k < depth; ++k) widen_one(ranges[j], line + k * x.row_stride);
  }
}

// Sums of residues modulo p: of words that are multiplied, and of results.

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

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels

namespace mct::linalg_detail::MCT_KERNELS {

const ResidueTable& residue_table() {
  static constexpr ResidueTable table = {
      {&kernels::widen_ranges<1>, &kernels::widen_ranges<2>, &kernels::widen_ranges<3>},
      {&kernels::residue_kernel<1>, &kernels::residue_kernel<2>, &kernels::residue_kernel<3>},
      kernels::word_sums(),
      kernels::register_tile<kernels::PairLanes>(),
      kernels::register_tile<kernels::ByteLanes>(),
      kernels::byte_tile<kernels::AmxTiles>("AMX-INT8"),
      kernels::byte_tile<kernels::ModelTiles>("model of AMX-INT8")};
  return table;
}

}  // namespace mct::linalg_detail::MCT_KERNELS
