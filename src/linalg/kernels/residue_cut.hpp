// Expansions of doubles to residues of integers.
#pragma once

#include <algorithm>
#include <cstring>

#include "src/linalg/kernels/residue_lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using linalg_detail::LineRange;
using linalg_detail::MatrixView;
using linalg_detail::ResiduePanel;
using linalg_detail::ResiduePlan;
using linalg_detail::ResidueWord;
using linalg_detail::WordOrder;

template <int N>
void widen_ranges(MatrixView<const double> x, std::int64_t depth, std::int64_t lines,
                  LineRange* ranges) {
  const auto widen = [&](LineRange& range, const double* p) {
    double limb[N];
    for (int l = 0; l < N; ++l) limb[l] = p[l * x.plane];
    widen_range(range, limb);
  };
  if (x.column_stride == 1) {
    for (std::int64_t k = 0; k < depth; ++k)
      for (std::int64_t j = 0; j < lines; ++j) widen(ranges[j], x.data + k * x.row_stride + j);
  } else {
    for (std::int64_t j = 0; j < lines; ++j) {
      LineRange range = ranges[j];
      for (std::int64_t k = 0; k < depth; ++k)
        widen(range, x.data + k * x.row_stride + j * x.column_stride);
      ranges[j] = range;
    }
  }
}

/// Digits of `depth` elements of neighbouring lines, [depth][digit] of registers.
template <int N>
void cut_to_digits(const ResiduePanel& panel, std::int64_t line, std::int64_t first,
                   std::int64_t depth, int digits, double* out) {
  using V = DoubleLanes;
  const auto& x = panel.x;
  const std::int64_t count = std::min(double_lanes, panel.lines - line);
  const bool beside = x.column_stride == 1 && count == double_lanes;
  double factors[2][std::size_t(double_lanes)] = {};
  for (int s = 0; s < 2; ++s)
    for (std::int64_t j = 0; j < count; ++j) factors[s][j] = panel.scale[s][line + j];
  const V scale[2] = {load_lanes<V>(factors[0]), load_lanes<V>(factors[1])};
  const double* corner = x.data + first * x.row_stride + line * x.column_stride;
  double gathered[std::size_t(double_lanes)] = {};
  for (std::int64_t k = 0; k < depth; ++k, corner += x.row_stride) {
    V limb[N];
    for (int l = 0; l < N; ++l) {
      const double* p = corner + l * x.plane;
      if (!beside) {
        for (std::int64_t j = 0; j < count; ++j) gathered[j] = p[j * x.column_stride];
        p = gathered;
      }
      limb[l] = load_lanes<V>(p) * scale[0] * scale[1];
    }
    for (int t = digits; t-- > 0;)
      store_lanes<V>(take_digit(limb, V(digit_rounder(t))), out + (k * digits + t) * double_lanes);
  }
}

template <int Digits>
using Residues = ResidueWeights<Digits, DoubleLanes>;

template <int Digits>
Residues<Digits> residues_of(const double* weights, double p, double one_over_p,
                             bool without_sign) {
  using V = DoubleLanes;
  Residues<Digits> r{{}, V(-p), V(one_over_p), V(without_sign ? -0.5 : 0.0)};
  for (int t = 0; t < Digits; ++t) r.weight[t] = V(weights[t]);
  return r;
}

/// `words` words of a register's worth of lines, from digits; out: [word][lane], a stride apart.
template <int Group, int Digits>
MCT_ALWAYS_INLINE inline void pack_words(const Residues<Digits>& residues, const double* digits,
                                         std::int64_t words, ResidueWord* out,
                                         std::int64_t stride) {
  constexpr int bits = 32 / Group;
  for (std::int64_t w = 0; w < words; ++w, out += stride) {
    std::int64_t residue[Group][std::size_t(double_lanes)];
    for (int g = 0; g < Group; ++g, digits += Digits * double_lanes) {
      DoubleLanes digit[Digits];
      for (int t = 0; t < Digits; ++t)
        digit[t] = load_lanes<DoubleLanes>(digits + t * double_lanes);
      const DoubleLanes r = residues.residue(digit);
      std::memcpy(residue[g], &r, sizeof(r));
    }
    ResidueWord word[std::size_t(double_lanes)];
    for (std::int64_t j = 0; j < double_lanes; ++j) {
      std::uint32_t sum = std::uint32_t(residue[Group - 1][j]) << (bits * (Group - 1));
      for (int g = 0; g + 1 < Group; ++g)
        sum |= (std::uint32_t(residue[g][j]) & ((1U << bits) - 1U)) << (bits * g);
      word[j] = ResidueWord(sum);
    }
    std::memcpy(out, word, sizeof(word));
  }
}

/// Where a word of a line lies.
MCT_ALWAYS_INLINE inline std::int64_t position(const ResiduePanel& panel, std::int64_t word,
                                               std::int64_t line) {
  return panel.order == WordOrder::by_depth ? word * panel.width + line
                                            : word / 16 * 16 * panel.width + line * 16 + word % 16;
}

/// Words of a piece of a panel: as many as have their digits in the first-level cache.
template <int N, int Group, int Digits>
void pack_residues(const ResiduePlan& plan, const double* weights, const ResiduePanel& panel) {
  constexpr std::int64_t step = 32;
  double digits[std::size_t(step * Group * Digits * double_lanes)];
  ResidueWord words[std::size_t(step * double_lanes)];
  for (std::int64_t line = 0; line < panel.width; line += double_lanes) {
    const std::int64_t lanes_used = std::min(double_lanes, panel.width - line);
    for (std::int64_t first = 0; first < panel.words; first += step) {
      const std::int64_t count = std::min(step, panel.words - first);
      const std::int64_t depth =
          line < panel.lines
              ? std::clamp<std::int64_t>(panel.depth - first * Group, 0, count * Group)
              : 0;
      if (depth > 0) cut_to_digits<N>(panel, line, first * Group, depth, Digits, digits);
      std::fill(digits + depth * Digits * double_lanes,
                digits + count * Group * Digits * double_lanes, 0.0);
      for (int i = 0; i < plan.count; ++i) {
        const auto residues =
            residues_of<Digits>(weights + std::ptrdiff_t(i) * Digits, plan.modulus[i],
                                plan.inverse[i], panel.without_sign);
        ResidueWord* out = panel.out + i * panel.modulus_stride;
        if (panel.order == WordOrder::by_depth && lanes_used == double_lanes) {
          pack_words<Group>(residues, digits, count, out + first * panel.width + line, panel.width);
          continue;
        }
        pack_words<Group>(residues, digits, count, words, double_lanes);
        for (std::int64_t w = 0; w < count; ++w)
          for (std::int64_t j = 0; j < lanes_used; ++j)
            out[position(panel, first + w, line + j)] = words[w * double_lanes + j];
      }
    }
  }
}

template <int N, int Group>
void pack_residues_of(const ResiduePlan& plan, const double* weights, const ResiduePanel& panel) {
  using namespace linalg_detail;
  with_digits<least_operand_digits, most_operand_digits>(plan.operand_digits, [&](auto digits) {
    pack_residues<N, Group, decltype(digits)::value>(plan, weights, panel);
  });
}

template <int N>
void residue_kernel(const ResiduePlan& plan, const double* weights, const ResiduePanel& panel) {
  if (plan.size == linalg_detail::ResidueSize::pair) {
    pack_residues_of<N, 2>(plan, weights, panel);
  } else {
    pack_residues_of<N, 4>(plan, weights, panel);
  }
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
