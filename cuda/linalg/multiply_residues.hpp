// Products of matrices of residues by the tensor cores for 8-bit integers.
#pragma once

#include <cmath>

#include "cuda/linalg/residue_tiles.hpp"

namespace mct::cuda {

/// Of two factors modulo each of the moduli: y = a b modulo p, within -p / 2 .. p / 2. Exact for
/// depths up to 2^16: a product of residues is at most 2^14.
///
/// A block makes a tile of 128 x 128 residues of one modulus, a warp 64 x 64 of them, in slices of
/// 64 depths, of which two are on their way while one is multiplied. Grid: (tiles of b, tiles of a,
/// moduli).
struct MultiplyResidues {
  static constexpr int threads = ResidueWords::threads, blocks_per_sm = 2;
  static constexpr int stages = 3;
  static constexpr std::int64_t largest_depth = 1 << 16;
  static constexpr int rows = ResidueWords::row_tiles;
  static constexpr int columns = ResidueWords::column_tiles;

  ResidueFactor a, b;
  const double* modulus;
  std::uint32_t* y;  // [modulus][tile of a][tile of b][word]

  /// Shared memory in units of two bytes, which matrix loads move.
  using Unit = std::uint16_t;
  static constexpr int slice = ResidueFactor::slice / int(sizeof(Unit));

  template <class Team>
  struct Shared {
    typename Team::template Array<Unit, stages * slice> a, b;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    std::int32_t sum[rows][columns][4] = {};
    for (int s = 0; s < stages - 1; ++s) fetch(team, shared, s);
    for (int s = 0; s < a.slices; ++s) {
      team.template wait<stages - 2>();
      team.barrier();  // what the others have copied is there, and they have read the slice before
      fetch(team, shared, s + stages - 1);
      multiply(team, shared, s % stages * slice, sum);
    }
    store(team, sum);
  }

 private:
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, int s) const {
    if (s < a.slices) {
      const std::int8_t* const from_a = a.data + a.begin(team.block_z(), team.block_y(), s);
      const std::int8_t* const from_b = b.data + b.begin(team.block_z(), team.block_x(), s);
      const int to = s % stages * slice;
      MCT_UNROLL
      for (int i = 0; i < slice; i += threads * widest<Unit>) {
        const int at = i + team.rank() * widest<Unit>;
        team.copy_async(shared.a, to + at, reinterpret_cast<const Unit*>(from_a) + at, true);
        team.copy_async(shared.b, to + at, reinterpret_cast<const Unit*>(from_b) + at, true);
      }
    }
    team.commit();
  }

  /// Where 16 bytes of a line of a slice begin.
  MCT_HD static constexpr int place(int line, int piece) {
    return ResidueFactor::piece(line, piece) / int(sizeof(Unit));
  }

  template <class Team>
  MCT_BLOCK void multiply(Team& team, const Shared<Team>& shared, int from,
                          std::int32_t (&sum)[rows][columns][4]) const {
    const int lane = team.rank() % 32;
    // the lines that this lane names to matrix loads: of a 16 rows by two pieces, of b 8 columns by
    // two pieces twice
    const int row = team.rank() / 64 * 64 + lane % 16;
    const int column = team.rank() / 32 % 2 * 64 + lane % 8 + lane / 16 * 8;
    MCT_UNROLL
    for (int step = 0; step < ResidueFactor::depth / 32; ++step) {
      std::uint32_t left[rows][4];
      MCT_UNROLL
      for (int i = 0; i < rows; ++i)
        team.load_matrix(shared.a, from + place(row + 16 * i, 2 * step + lane / 16), left[i]);
      MCT_UNROLL
      for (int j = 0; j < columns; j += 2) {
        std::uint32_t both[4];
        team.load_matrix(shared.b, from + place(column + 8 * j, 2 * step + lane / 8 % 2), both);
        const std::uint32_t right[2][2] = {{both[0], both[1]}, {both[2], both[3]}};
        MCT_UNROLL
        for (int e = 0; e < 2 * rows; ++e)
          team.multiply_bytes(sum[e / 2][j + e % 2], left[e / 2], right[e % 2]);
      }
    }
  }

  /// x modulo p, twice: the first quotient is as near as a float is.
  MCT_HD static std::int32_t centred(std::int32_t x, std::int32_t p, float inverse) {
    x -= std::int32_t(rintf(float(x) * inverse)) * p;
    return x - std::int32_t(rintf(float(x) * inverse)) * p;
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, const std::int32_t (&sum)[rows][columns][4]) const {
    const auto p = std::int32_t(team.template load<1>(modulus + team.block_z())[0]);
    const float inverse = 1.0F / float(p);
    const std::int64_t tile =
        (std::int64_t(team.block_z()) * a.tiles + team.block_y()) * b.tiles + team.block_x();
    MCT_UNROLL
    for (int e = 0; e < rows * columns; e += 4) {
      Pack<std::uint32_t, 4> words;
      MCT_UNROLL
      for (int w = 0; w < 4; ++w) {
        words[w] = 0;
        MCT_UNROLL
        for (int c = 0; c < 4; ++c) {
          const std::int32_t r = centred(sum[(e + w) / columns][(e + w) % columns][c], p, inverse);
          words[w] |= (std::uint32_t(r) & 0xffu) << (8 * c);
        }
      }
      const int place = ResidueWords::place(team.rank(), e / columns, e % columns);
      team.store(y + tile * ResidueWords::of_tile + place, words);
    }
  }
};

}  // namespace mct::cuda
