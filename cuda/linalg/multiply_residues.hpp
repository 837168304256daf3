// Products of matrices of residues by the tensor cores for 8-bit integers.
#pragma once

#include "cuda/linalg/residue_tiles.hpp"

namespace mct::cuda {

/// Multiplies two factors modulo each of the moduli: y = a b modulo p, within -p / 2 .. p / 2.
/// Exact for depths up to 2^16: a product of residues is at most 2^14.
///
/// A block makes a tile of 256 x 128 residues of one modulus, a warp 64 x 64 of them. It takes two
/// tiles of a, because a residue that a block loads from the L2 cache costs as much as 128
/// multiply-adds. Between two barriers it multiplies two slices of 64 depths, while the slices of
/// the next two turns are being copied. Grid: (blocks(), 1, moduli).
struct MultiplyResidues {
  static constexpr int tiles_of_a = 2;  // that a block makes
  static constexpr int threads = tiles_of_a * ResidueWords::threads, blocks_per_sm = 1;
  static constexpr int turn = 2;  // slices between two barriers
  static constexpr int stages = 3;
  static constexpr int band = 8;  // rows of blocks: 132 run at the same time, 2048 x 2112 residues
  static constexpr std::int64_t largest_depth = 1 << 16;
  static constexpr int rows = ResidueWords::row_tiles;
  static constexpr int columns = ResidueWords::column_tiles;

  ResidueFactor a, b;
  const double* modulus;
  std::uint32_t* y;  // [modulus][tile of a][tile of b][word]

  /// Shared memory in units of two bytes, which matrix loads move.
  using Unit = std::uint16_t;
  static constexpr int line = ResidueFactor::depth / int(sizeof(Unit));
  static constexpr int slice = ResidueFactor::tile * line;

  template <class Team>
  struct Shared {
    typename Team::template Array<Unit, stages * turn * tiles_of_a * slice> a;
    typename Team::template Array<Unit, stages * turn * slice> b;
  };

  /// The blocks of one modulus.
  int blocks() const { return rows_of_blocks() * b.tiles; }

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const TileOrder block = TileOrder::of(team.block_x(), rows_of_blocks(), b.tiles, band);
    Source from[tiles_of_a + 1];
    MCT_UNROLL
    for (int t = 0; t < tiles_of_a; ++t) from[t] = source(team, a, block.row * tiles_of_a + t);
    from[tiles_of_a] = source(team, b, block.column);

    std::int32_t sum[rows][columns][4] = {};
    for (int s = 0; s < stages - 1; ++s) fetch(team, shared, from, s * turn, s);
    int stage = 0;  // of slice s
    for (int s = 0; s < a.slices; s += turn) {
      team.template wait<stages - 2>();
      team.barrier();  // all copies are there, and all threads have read the slice before
      multiply(team, shared, stage, 0, sum);
      // after the first multiplications, so that they do not wait for it
      fetch(team, shared, from, s + (stages - 1) * turn, stage == 0 ? stages - 1 : stage - 1);
      MCT_UNROLL
      for (int i = 1; i < turn; ++i) multiply(team, shared, stage, i, sum);
      stage = stage + 1 == stages ? 0 : stage + 1;
    }
    const int tile = block.row * tiles_of_a + team.rank() / ResidueWords::threads;
    if (tile < a.tiles) store(team, tile, block.column, sum);
  }

 private:
  MCT_HD int rows_of_blocks() const { return (a.tiles + tiles_of_a - 1) / tiles_of_a; }

  /// The place from which this thread copies the slices of a tile.
  struct Source {
    const Unit* data;
    bool exists;
  };
  template <class Team>
  MCT_BLOCK static Source source(Team& team, const ResidueFactor& factor, int tile) {
    const std::int8_t* const data = factor.data + factor.begin(team.block_z(), tile, 0);
    return {reinterpret_cast<const Unit*>(data) + team.rank() * widest<Unit>, tile < factor.tiles};
  }

  /// Starts to copy the slices of a turn, from slice s on; missing slices become zeros.
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, const Source (&from)[tiles_of_a + 1],
                       int s, int stage) const {
    MCT_UNROLL
    for (int t = 0; t <= tiles_of_a; ++t) {
      const Unit* const data = from[t].data + std::int64_t(s) * slice;
      MCT_UNROLL
      for (int i = 0; i < turn * slice; i += threads * widest<Unit>) {
        const bool exists = from[t].exists && s + i / slice < a.slices;
        const int to = i + team.rank() * widest<Unit>;
        if (t < tiles_of_a) {
          team.copy_async(shared.a, (stage * tiles_of_a + t) * turn * slice + to, data + i, exists);
        } else {
          team.copy_async(shared.b, stage * turn * slice + to, data + i, exists);
        }
      }
    }
    team.commit();
  }

  /// Where 16 bytes of a line begin in a slice. Lines that are 8 apart have the same order of
  /// pieces.
  MCT_HD static constexpr int place(int number, int piece) {
    return ResidueFactor::piece(number, piece) / int(sizeof(Unit));
  }

  /// Multiplies one slice of a turn.
  template <class Team>
  MCT_BLOCK static void multiply(Team& team, const Shared<Team>& shared, int stage, int number,
                                 std::int32_t (&sum)[rows][columns][4]) {
    const int lane = team.rank() % 32;
    // the lines whose addresses this lane gives to matrix loads: 16 rows of a by two pieces, and
    // twice 8 columns of b by two pieces
    const int row = team.rank() / 64 % 2 * 64 + lane % 16;
    const int column = team.rank() / 32 % 2 * 64 + lane % 8 + lane / 16 * 8;
    const int of_tile = team.rank() / ResidueWords::threads;
    const int from_a = ((stage * tiles_of_a + of_tile) * turn + number) * slice;
    const int from_b = (stage * turn + number) * slice;
    MCT_UNROLL
    for (int step = 0; step < ResidueFactor::depth / 32; ++step) {
      const int at_a = from_a + place(row, 2 * step + lane / 16);
      const int at_b = from_b + place(column, 2 * step + lane / 8 % 2);
      std::uint32_t left[rows][4];
      MCT_UNROLL
      for (int i = 0; i < rows; ++i) team.load_matrix(shared.a, at_a + 16 * i * line, left[i]);
      MCT_UNROLL
      for (int j = 0; j < columns; j += 2) {
        std::uint32_t both[4];
        team.load_matrix(shared.b, at_b + 8 * j * line, both);
        const std::uint32_t right[2][2] = {{both[0], both[1]}, {both[2], both[3]}};
        MCT_UNROLL
        for (int e = 0; e < 2 * rows; ++e)
          team.multiply_bytes(sum[e / 2][j + e % 2], left[e / 2], right[e % 2]);
      }
    }
  }

  /// x modulo p. It reduces twice, because the first quotient is only as accurate as a float.
  MCT_HD static std::int32_t centred(std::int32_t x, std::int32_t p, float inverse) {
    x -= std::int32_t(rintf(float(x) * inverse)) * p;
    return x - std::int32_t(rintf(float(x) * inverse)) * p;
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, int row, int column,
                       const std::int32_t (&sum)[rows][columns][4]) const {
    const auto p = std::int32_t(team.template load<1>(modulus + team.block_z())[0]);
    const float inverse = 1.0F / float(p);
    const std::int64_t tile = (std::int64_t(team.block_z()) * a.tiles + row) * b.tiles + column;
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
      const int place =
          ResidueWords::place(team.rank() % ResidueWords::threads, e / columns, e % columns);
      team.store(y + tile * ResidueWords::of_tile + place, words);
    }
  }
};

}  // namespace mct::cuda
