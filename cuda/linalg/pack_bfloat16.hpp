// Brings a matrix of expansions of bfloat16 into the order in which matrix instructions read it.
#pragma once

#include "cuda/linalg/line_tiles.hpp"
#include "cuda/linalg/read_tile.hpp"
#include "mctensor/eft/half.hpp"

namespace mct::cuda {

/// Packs the rows of x, limb after limb, zeros beyond its borders.
///
/// A block takes 32 rows and a slice of 32 depths: grid (4 tiles, slices).
template <int N>
struct PackBfloat16 {
  static constexpr int threads = TileReader::threads, blocks_per_sm = 4;
  static constexpr int side = TileReader::side;
  using Tiles = LineTiles<bfloat16>;
  static constexpr int group = widest<bfloat16>;
  static_assert(Tiles::depth == side);

  MatrixView<const bfloat16> x;
  std::int64_t rows, depth;
  Tiles to;

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, N * TileReader::size> tile;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    const int slice = team.block_y();
    for (int l = 0; l < N; ++l)
      TileReader::read(team, x, l, row, std::int64_t(slice) * side, rows, depth, shared.tile,
                       l * TileReader::size);
    team.barrier();
    constexpr int pieces = side / group;
    for (int at = team.rank(); at < N * side * pieces; at += threads) {
      const int l = at / (side * pieces);
      const int line = at / pieces % side;
      const int piece = at % pieces;
      Pack<bfloat16, group> values;
      MCT_UNROLL
      for (int k = 0; k < group; ++k)
        values[k] = shared.tile.template read<1>(l * TileReader::size +
                                                 TileReader::place(line, piece * group + k))[0];
      const auto tile = int(row / Tiles::tile);
      team.store(
          to.data + to.begin(l, tile, slice) + Tiles::piece(int(row % Tiles::tile) + line, piece),
          values);
    }
  }
};

}  // namespace mct::cuda
