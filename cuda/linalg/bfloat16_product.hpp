// Products of matrices of expansions of bfloat16 on a device, as the host sees them.
#pragma once

#include "cuda/device/stream_queue.hpp"
#include "cuda/linalg/line_tiles.hpp"
#include "cuda/linalg/multiply_bfloat16.hpp"
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

/// The rows of a matrix as tiles.
template <int N>
auto pack_bfloat16(const StreamQueue& queue, const MatrixView<const bfloat16>& x, std::int64_t rows,
                   std::int64_t depth) {
  using Tiles = LineTiles<bfloat16>;
  const std::int64_t tiles = Tiles::tiles_of(rows);
  const std::int64_t slices = Tiles::slices_of(depth);
  auto buffer = queue.allocate<bfloat16>(N * tiles * slices * Tiles::slice);
  queue.run(PackBfloat16<N>{x, rows, depth, {buffer.data(), int(tiles), int(slices)}},
            Grid{int(tiles * Tiles::tile / TileReader::side), int(slices)});
  return buffer;
}

/// c = a b of m x k and k x n matrices of N bfloat16 by the tensor cores; bound: MultiplyBfloat16.
template <int N, class Result>
void bfloat16_product(const StreamQueue& queue, std::int64_t m, std::int64_t n, std::int64_t k,
                      const MatrixView<const bfloat16>& a, const MatrixView<const bfloat16>& b,
                      const MatrixView<Result>& c) {
  if (m == 0 || n == 0) return;
  using Factor = LineTiles<const bfloat16>;
  auto left = pack_bfloat16<N>(queue, a, m, k);
  auto right = pack_bfloat16<N>(queue, b.transposed(), n, k);
  const auto slices = int(Factor::slices_of(k));
  const auto rows = int(Factor::tiles_of(m));
  const auto columns = int(Factor::tiles_of(n));
  queue.run(
      MultiplyBfloat16<N, Result>{
          {left.data(), rows, slices}, {right.data(), columns, slices}, c, m, n},
      blocks_for(std::int64_t(rows) * columns, 1));
}

}  // namespace mct::cuda

/// The programs of bfloat16_product, for who compiles them.
#define MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, N) \
  DO(PackBfloat16<N>)                        \
  DO(MultiplyBfloat16<N, float>)             \
  DO(MultiplyBfloat16<N, bfloat16>)
#define MCT_FOR_EACH_BFLOAT16_PRODUCT(DO) \
  MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, 2)    \
  MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, 3)
