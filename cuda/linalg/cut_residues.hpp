// Expansions of doubles to residues of integers.
#pragma once

#include "cuda/linalg/read_tile.hpp"
#include "cuda/linalg/residue_tiles.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"

namespace mct::cuda {

/// Cuts every row of x, times the two factors of that row, to integers of Digits digits and writes
/// their residues modulo `count` moduli of at most 256; zeros beyond the borders of x.
///
/// weights: [modulus][digit], plan.left or plan.right of the host's ResiduePlan; its algorithm and
/// bits (residue_numbers.hpp). A block takes 32 rows and a slice: grid (4 tiles, slices).
template <int N, int Digits>
struct CutResidues {
  static constexpr int threads = TileReader::threads, blocks_per_sm = 2;
  static constexpr int side = TileReader::side;
  static constexpr int group = 4;  // residues of a word
  static constexpr int words = ResidueFactor::depth / group;
  static constexpr int halves = ResidueFactor::depth / side;

  MatrixView<const double> x;
  std::int64_t rows, depth;
  const double* scale[2];  // of every row, up to the last of the last tile
  const double* weights;
  const double* modulus;
  const double* inverse;
  int count;
  ResidueFactor to;

  template <class Team>
  struct Shared {
    typename Team::template Array<double, N * halves * TileReader::size> tile;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    const int slice = team.block_y();
    const std::int64_t k = std::int64_t(slice) * ResidueFactor::depth;
    for (int l = 0; l < N; ++l)
      for (int h = 0; h < halves; ++h)
        TileReader::read(team, x, l, row, k + h * side, rows, depth, shared.tile,
                         (l * halves + h) * TileReader::size);
    team.barrier();
    for (int word = team.rank(); word < side * words; word += threads) {
      const int line = word / words;  // of the block
      const double factor[2] = {team.template load<1>(scale[0] + row + line)[0],
                                team.template load<1>(scale[1] + row + line)[0]};
      double digit[group][Digits];
      MCT_UNROLL
      for (int g = 0; g < group; ++g)
        cut<Team>(shared, line, word % words * group + g, factor, digit[g]);
      write(team, int(row % ResidueFactor::tile) + line, int(row / ResidueFactor::tile), slice,
            word % words, digit);
    }
  }

 private:
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
    MCT_UNROLL
    for (int t = Digits - 1; t >= 0; --t)
      digit[t] = kernels::take_digit(limb, kernels::digit_rounder(t));
  }

  /// The residues of four neighbours, modulo one after the other.
  template <class Team>
  MCT_BLOCK void write(Team& team, int line, int tile, int slice, int word,
                       const double (&digit)[group][Digits]) const {
    const int place = ResidueFactor::piece(line, word / 4) + word % 4 * group;
    for (int i = 0; i < count; ++i) {
      kernels::ResidueWeights<Digits, double> r;
      MCT_UNROLL
      for (int t = 0; t < Digits; ++t)
        r.weight[t] = team.template load<1>(weights + i * Digits + t)[0];
      r.negative_modulus = -team.template load<1>(modulus + i)[0];
      r.inverse = team.template load<1>(inverse + i)[0];
      r.offset = 0;
      std::uint32_t bytes = 0;
      MCT_UNROLL
      for (int g = 0; g < group; ++g) {
        // two statements: the bits of a call's value end nvcc 13.0 with an internal error
        const double residue = r.residue(digit[g]);
        bytes |= std::uint32_t(__builtin_bit_cast(std::uint64_t, residue) & 0xffu) << (8 * g);
      }
      auto* const out =
          reinterpret_cast<std::uint32_t*>(to.data + to.begin(i, tile, slice) + place);
      team.template store<1>(out, {{bytes}});
    }
  }
};

}  // namespace mct::cuda
