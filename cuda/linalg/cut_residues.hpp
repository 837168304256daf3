// Expansions of doubles to residues of integers.
#pragma once

#include "cuda/linalg/read_tile.hpp"
#include "cuda/linalg/residue_tiles.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"

namespace mct::cuda {

/// Multiplies every row of x by the row's two factors, cuts the products to integers of Digits
/// digits and writes their residues modulo `count` moduli of at most 256; zeros beyond the borders
/// of x.
///
/// weights: [modulus][digit], plan.left or plan.right of the host's ResiduePlan. Algorithm and
/// residues are the host's (residue_numbers.hpp). A block takes 32 rows and a slice: grid (4 tiles,
/// slices).
template <int N, int Digits>
struct CutResidues {
  static constexpr int threads = TileReader::threads, blocks_per_sm = Digits > 4 ? 2 : 3;
  static constexpr int side = TileReader::side;
  static constexpr int group = 4;  // residues of a word
  static constexpr int words = ResidueFactor::depth / group;
  static constexpr int halves = ResidueFactor::depth / side;
  /// Numbers of a modulus in shared memory: its weights, 1 / p, p.
  static constexpr int numbers = (Digits + 3) / 2 * 2;

  MatrixView<const double> x;
  std::int64_t rows, depth;
  const double* scale[2];  // of every row up to the end of the last tile
  const double* weights;
  const double* modulus;
  const double* inverse;
  int count;
  ResidueFactor to;

  template <class Team>
  struct Shared {
    typename Team::template Array<double, N * halves * TileReader::size> tile;
    typename Team::template Array<double, linalg_detail::most_moduli * numbers> moduli;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    const int slice = team.block_y();
    const std::int64_t k = std::int64_t(slice) * ResidueFactor::depth;
    TileReader::read_all<N, halves>(team, x, row, k, rows, depth, shared.tile);
    MCT_ROLL
    for (int at = team.rank(); at < count * numbers; at += threads)
      shared.moduli.template write<1>(at, {{number_of(team, at / numbers, at % numbers)}});
    team.barrier();
    for (int word = team.rank(); word < side * words; word += threads) {
      const int line = word / words;  // of the block
      const double factor[2] = {team.template load<1>(scale[0] + row + line)[0],
                                team.template load<1>(scale[1] + row + line)[0]};
      double digit[group][Digits];
      MCT_UNROLL
      for (int g = 0; g < group; ++g)
        cut<Team>(shared, line, word % words * group + g, factor, digit[g]);
      write(team, shared, int(row % ResidueFactor::tile) + line, int(row / ResidueFactor::tile),
            slice, word % words, digit);
    }
  }

 private:
  /// A constant table; otherwise every thread would compute these numbers.
  struct Rounders {
    double of[Digits];
    MCT_HD constexpr Rounders() : of() {
      for (int t = 0; t < Digits; ++t) of[t] = kernels::digit_rounder(t);
    }
  };

  template <class Team>
  MCT_BLOCK void cut(const Shared<Team>& shared, int line, int k, const double (&factor)[2],
                     double (&digit)[Digits]) const {
    double limb[N];
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      const int place = (l * halves + k / side) * TileReader::size;
      limb[l] = shared.tile.template read<1>(place + TileReader::place(line, k % side))[0] *
                factor[0] * factor[1];
    }
    constexpr Rounders rounders;
    MCT_UNROLL
    for (int t = Digits - 1; t >= 0; --t) digit[t] = kernels::take_digit(limb, rounders.of[t]);
  }

  template <class Team>
  MCT_BLOCK double number_of(Team& team, int i, int at) const {
    const double* const from = at < Digits    ? weights + i * Digits + at
                               : at == Digits ? inverse + i
                                              : modulus + i;
    const double number = team.template load<1>(from)[0];
    // p is in the lowest bits of its word
    return at > Digits ? kernels::digit_rounder(0) + number : number;
  }

  MCT_HD static std::uint32_t low_word(double x) {
    return std::uint32_t(__builtin_bit_cast(std::uint64_t, x));
  }
  /// A residue in the lowest byte. The remainder is computed in integers, because the FP64 units
  /// are the bottleneck of this program.
  MCT_HD static std::uint32_t residue(const double (&digit)[Digits],
                                      const double (&number)[numbers]) {
    const double round = kernels::digit_rounder(0);
    double sum = round;  // plus an integer below 2^51
    MCT_UNROLL
    for (int t = 0; t < Digits; ++t) sum = kernels::multiply_add(digit[t], number[t], sum);
    const double quotient = kernels::multiply_add(sum - round, number[Digits], round);
    return low_word(sum) - low_word(quotient) * low_word(number[Digits + 1]);
  }

  /// Writes the residues of four neighbours, one modulus after the other.
  template <class Team>
  MCT_BLOCK void write(Team& team, const Shared<Team>& shared, int line, int tile, int slice,
                       int word, const double (&digit)[group][Digits]) const {
    auto* out = reinterpret_cast<std::uint32_t*>(to.data + to.begin(0, tile, slice) +
                                                 ResidueFactor::piece(line, word / 4)) +
                word % 4;
    const std::int64_t step = to.begin(1, 0, 0) / group;
    for (int i = 0; i < count; ++i, out += step) {
      double of_modulus[numbers];
      read_numbers(shared.moduli, i * numbers, of_modulus);
      std::uint32_t bytes = 0;
      MCT_UNROLL
      for (int g = 0; g < group; ++g) bytes |= (residue(digit[g], of_modulus) & 0xffu) << (8 * g);
      team.template store<1>(out, {{bytes}});
    }
  }
};

}  // namespace mct::cuda
