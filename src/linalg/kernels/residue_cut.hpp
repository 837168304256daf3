// Expansions of doubles to residues of integers: elements to digits, digits to pieces of 12 bits,
// pieces to residues.
#pragma once

#include <algorithm>
#include <cstring>

#include "src/linalg/kernels/residue_numbers.hpp"
#include "src/linalg/kernels/residue_registers.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using linalg_detail::ByteWeights;
using linalg_detail::PieceWeights;
using linalg_detail::ResiduePanel;
using linalg_detail::ResiduePlan;
using linalg_detail::ResidueSize;
using linalg_detail::WordOrder;

/// Words that are made of pieces at a time: their pieces stay in the first-level cache.
inline constexpr std::int64_t words_at_once = 192;

/// Pieces of the elements of some words: [word of pieces][place in the word][word].
template <int Group, int Digits>
struct Pieces {
  static constexpr int words = linalg_detail::piece_words(Digits);
  std::uint32_t word[words][Group][std::size_t(words_at_once)];
};

/// The number that is added to an integer below 2^51 in a double to round it to a multiple of 2^(36
/// t). The integer, with the offsets of its three pieces, is then in the lowest bits.
constexpr double piece_rounder(int t) {
  constexpr double offset = linalg_detail::piece_offset;
  constexpr double piece = 1 << linalg_detail::piece_bits;
  return digit_rounder(t) +
         (offset + offset * piece + offset * piece * piece) * (digit_rounder(t) / integer_rounder);
}

/// As many 64-bit words as there are doubles in a register, and their lower halves.
struct Bits {
  using Register [[gnu::vector_size(8 * double_lanes)]] = std::uint64_t;
  using Half [[gnu::vector_size(4 * double_lanes)]] = std::uint32_t;

  MCT_ALWAYS_INLINE static Register of(const DoubleLanes& x) {
    Register bits;
    std::memcpy(&bits, &x, sizeof(bits));
    return bits;
  }
  MCT_ALWAYS_INLINE static void store(const Register& bits, std::uint32_t* out) {
    const auto low = __builtin_convertvector(bits, Half);
    std::memcpy(out, &low, sizeof(low));
  }
};

/// Cuts elements, scaled to integers, into digits, and digits into pieces.
template <int N, int Group, int Digits>
MCT_ALWAYS_INLINE inline void write_pieces(DoubleLanes (&limb)[N], int place, std::int64_t at,
                                           Pieces<Group, Digits>& pieces) {
  using B = typename Bits::Register;
  B high[Digits];
  MCT_UNROLL
  for (int t = Digits - 1; t >= 0; --t) {
    const B bits = Bits::of(take_rounded(limb, DoubleLanes(piece_rounder(t))));
    Bits::store((bits & 0xfffU) | ((bits << 4) & 0xfff0000U), pieces.word[t][place] + at);
    high[t] = bits >> 24;
  }
  MCT_UNROLL
  for (int t = 0; t < Digits; t += 2) {
    B two = high[t] & 0xffffU;
    if (t + 1 < Digits) two |= high[t + 1] << 16;
    Bits::store(two, pieces.word[Digits + t / 2][place] + at);
  }
}

/// Elements of a panel beside each other: along its lines for words by depth, along the depth for
/// words by line. Zeros beyond the borders.
template <int N, int Group, int Digits>
class PanelCutter {
 public:
  explicit PanelCutter(const ResiduePanel& panel)
      : panel_(panel), along_depth_(panel.order == WordOrder::by_line) {}

  /// The register from element (line, depth) on.
  MCT_ALWAYS_INLINE void cut(std::int64_t line, std::int64_t depth, int place, std::int64_t at,
                             Pieces<Group, Digits>& pieces) const {
    using V = DoubleLanes;
    const auto& x = panel_.x;
    const std::int64_t stride = along_depth_ ? x.row_stride : x.column_stride;
    const std::int64_t there = along_depth_ ? (line < panel_.lines ? panel_.depth - depth : 0)
                                            : (depth < panel_.depth ? panel_.lines - line : 0);
    V limb[N];
    if (there <= 0) {
      for (int l = 0; l < N; ++l) limb[l] = V(0.0);
      write_pieces(limb, place, at, pieces);
      return;
    }
    const double* corner = address(line, depth);
    for (int l = 0; l < N; ++l)
      limb[l] = load(corner + l * x.plane, stride, std::min(there, double_lanes));
    for (const double* scale : panel_.scale) {
      const V factor = along_depth_ ? V(scale[line]) : load_lanes<V>(scale + line);
      for (int l = 0; l < N; ++l) limb[l] = limb[l] * factor;
    }
    write_pieces(limb, place, at, pieces);
  }

  /// Fetches what cut() will read.
  MCT_ALWAYS_INLINE void fetch(std::int64_t line, std::int64_t depth) const {
    for (int l = 0; l < N; ++l) __builtin_prefetch(address(line, depth) + l * panel_.x.plane);
  }

 private:
  MCT_ALWAYS_INLINE const double* address(std::int64_t line, std::int64_t depth) const {
    return panel_.x.data + depth * panel_.x.row_stride + line * panel_.x.column_stride;
  }
  MCT_ALWAYS_INLINE static DoubleLanes load(const double* p, std::int64_t stride,
                                            std::int64_t count) {
    if (stride == 1 && count == double_lanes) return load_lanes<DoubleLanes>(p);
    double gathered[std::size_t(double_lanes)] = {};
    for (std::int64_t j = 0; j < count; ++j) gathered[j] = p[j * stride];
    return load_lanes<DoubleLanes>(gathered);
  }

  const ResiduePanel& panel_;
  bool along_depth_;
};

/// The weights of a plan in registers.
template <int Digits>
struct PieceRegisters {
  Words word[std::size_t(linalg_detail::piece_words(Digits))];
  Words start;
  Floats inverse;
  Shorts modulus;

  MCT_ALWAYS_INLINE explicit PieceRegisters(const PieceWeights& w)
      : start(ResidueLanes<std::uint32_t>::all(w.start)),
        inverse(ResidueLanes<float>::all(w.inverse)),
        modulus(ResidueLanes<std::int16_t>::all(std::int16_t(w.modulus))) {
    for (int i = 0; i < linalg_detail::piece_words(Digits); ++i)
      word[i] = ResidueLanes<std::uint32_t>::all(std::uint32_t(w.word[i]));
  }

  /// Residues modulo P of the elements in two places, joined.
  template <int Group>
  MCT_ALWAYS_INLINE Shorts residues(const Pieces<Group, Digits>& pieces, int low, int high,
                                    std::int64_t at) const {
    Words sum[2] = {start, start};
    for (int i = 0; i < linalg_detail::piece_words(Digits); ++i) {
      sum[0] = add_products(sum[0], ResidueLanes<std::uint32_t>::load(pieces.word[i][low] + at),
                            word[i]);
      sum[1] = add_products(sum[1], ResidueLanes<std::uint32_t>::load(pieces.word[i][high] + at),
                            word[i]);
    }
    return residues_of_sums(sum[0], sum[1], inverse, modulus);
  }
};

/// A register of words, or the first `count` of it.
MCT_ALWAYS_INLINE inline void store_words(const Shorts& words, ResidueWord* out) {
  std::memcpy(out, &words, sizeof(words));
}
MCT_ALWAYS_INLINE inline void store_words(const Shorts& words, std::int64_t count,
                                          ResidueWord* out) {
  ResidueWord all[std::size_t(word_lanes)];
  store_words(words, all);
  std::copy(all, all + count, out);
}

/// Words of four bytes modulo one modulus, from residues modulo P: of the places 0 and 2, and of 1
/// and 3.
MCT_ALWAYS_INLINE inline Shorts bytes_of(Shorts even, Shorts odd, const ByteWeights& w,
                                         bool without_sign) {
  const auto middle = ResidueLanes<std::int16_t>::all(without_sign ? w.half_unsigned : w.half);
  const auto modulus = ResidueLanes<std::int16_t>::all(w.modulus);
  const auto residue = [&](Shorts r) {
    return r - shift_right(multiply_high(r, w.inverse) + middle, w.shift) * modulus;
  };
  using Bytes = ResidueLanes<std::uint8_t>::Register;
  auto bytes =
      (Bytes)((residue(even) & ResidueLanes<std::int16_t>::all(0xff)) | (residue(odd) << 8));
  if (without_sign) {  // 256 as a byte is 0
    const Bytes less = bytes - ResidueLanes<std::uint8_t>::all(std::uint8_t(w.modulus));
    bytes = less < bytes ? less : bytes;
  }
  return (Shorts)bytes;
}

/// Where words of all moduli go.
struct WordsOut {
  std::int64_t count;
  ResidueWord* first;
  std::int64_t modulus_stride;
};

/// Calls make(at) for every register of words, which writes them by `store`. The memory that the
/// next words of a modulus need is fetched.
template <class F>
MCT_ALWAYS_INLINE inline void for_each_register(std::int64_t count, const F& make) {
  std::int64_t at = 0;
  for (; at + word_lanes <= count; at += word_lanes)
    make(at, [&](const Shorts& words, ResidueWord* out) {
      __builtin_prefetch(out + at + count, 1);
      store_words(words, out + at);
    });
  if (at < count)
    make(at,
         [&](const Shorts& words, ResidueWord* out) { store_words(words, count - at, out + at); });
}

/// Words from pieces, of all moduli.
template <int Digits>
void write_words(const ResiduePlan& plan, const PieceWeights* weights, bool without_sign,
                 const Pieces<4, Digits>& pieces, WordsOut out) {
  for (int i = 0; i < plan.count; i += 2, ++weights, out.first += 2 * out.modulus_stride) {
    const PieceRegisters<Digits> registers(*weights);
    const bool alone = i + 1 == plan.count;
    const ByteWeights& first = plan.byte[i];
    const ByteWeights& second = plan.byte[alone ? i : i + 1];
    for_each_register(out.count, [&](std::int64_t at, const auto& store) {
      const Shorts even = registers.residues(pieces, 0, 2, at);
      const Shorts odd = registers.residues(pieces, 1, 3, at);
      store(bytes_of(even, odd, first, without_sign), out.first);
      if (!alone) store(bytes_of(even, odd, second, without_sign), out.first + out.modulus_stride);
    });
  }
}
template <int Digits>
void write_words(const ResiduePlan& plan, const PieceWeights* weights, bool,
                 const Pieces<2, Digits>& pieces, WordsOut out) {
  for (int i = 0; i < plan.count; ++i, ++weights, out.first += out.modulus_stride) {
    const PieceRegisters<Digits> registers(*weights);
    for_each_register(out.count, [&](std::int64_t at, const auto& store) {
      store(registers.residues(pieces, 0, 1, at), out.first);
    });
  }
}

/// Words of a panel, some at a time: some words of all lines, or a block of words of some lines.
template <int N, int Group, int Digits>
void pack_residues(const ResiduePlan& plan, const PieceWeights* weights,
                   const ResiduePanel& panel) {
  using linalg_detail::depth_of;
  using linalg_detail::words_by_line;
  Pieces<Group, Digits> pieces;
  const PanelCutter<N, Group, Digits> cutter(panel);
  const auto write = [&](std::int64_t count, std::int64_t first) {
    write_words(plan, weights, panel.without_sign, pieces,
                {count, panel.out + first, panel.modulus_stride});
  };
  if (panel.order == WordOrder::by_depth) {
    const std::int64_t step = std::max<std::int64_t>(words_at_once / panel.width, 1);
    for (std::int64_t first = 0; first < panel.words; first += step) {
      const std::int64_t count = std::min(step, panel.words - first);
      for (std::int64_t w = 0; w < count; ++w)
        for (int g = 0; g < Group; ++g)
          for (std::int64_t line = 0; line < panel.width; line += double_lanes) {
            cutter.fetch(line, depth_of(first + step + w, g, Group, panel.unit));
            cutter.cut(line, depth_of(first + w, g, Group, panel.unit), g, w * panel.width + line,
                       pieces);
          }
      write(count * panel.width, first * panel.width);
    }
    return;
  }
  constexpr std::int64_t step = 8;  // lines
  for (std::int64_t first = 0; first < panel.words; first += words_by_line)
    for (std::int64_t line = 0; line < panel.width; line += step) {
      const std::int64_t count = std::min(step, panel.width - line);
      for (std::int64_t j = 0; j < count; ++j)
        for (int g = 0; g < Group; ++g)
          for (std::int64_t w = 0; w < words_by_line; w += double_lanes) {
            const std::int64_t depth = depth_of(first + w, g, Group, panel.unit);
            cutter.fetch(line + step + j, depth);
            cutter.cut(line + j, depth, g, j * words_by_line + w, pieces);
          }
      write(count * words_by_line, first * panel.width + line * words_by_line);
    }
}

template <int N, int Group>
void pack_residues_of(const ResiduePlan& plan, const PieceWeights* weights,
                      const ResiduePanel& panel) {
  using namespace linalg_detail;
  with_digits<least_operand_digits, most_operand_digits>(plan.operand_digits, [&](auto digits) {
    pack_residues<N, Group, decltype(digits)::value>(plan, weights, panel);
  });
}

template <int N>
void residue_kernel(const ResiduePlan& plan, const PieceWeights* weights,
                    const ResiduePanel& panel) {
  if (plan.size == ResidueSize::pair) {
    pack_residues_of<N, 2>(plan, weights, panel);
  } else {
    pack_residues_of<N, 4>(plan, weights, panel);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
