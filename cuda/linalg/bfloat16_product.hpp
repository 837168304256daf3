// Products of matrices of expansions of bfloat16 on a device, as the host sees them.
#pragma once

#include "cuda/device/stream_queue.hpp"
#include "cuda/linalg/line_tiles.hpp"
#include "cuda/linalg/read_tile.hpp"
#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/convert.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// c = a b for expansions of N bfloat16, summed in float. Results are floats (Result float) or are
/// rounded to N bfloat16.
///
/// Matrix instructions add the products of limbs i and j with i + j < N (3 for N = 2 and 6 for
/// N = 3) over 16 depths, the smallest first. Then this is added to the sum of the depths before.
/// Error of an element, relative to the sum of the products' magnitudes: the dropped products are
/// K u^N, K = 3 for N = 2 and 4 for N = 3 (u = 2^-8); floats add (k / 16 + 20 N (N + 1)) 2^-24: a
/// rounding for every 16 depths, and N (N + 1) / 2 instructions, each of which cuts off up to 17
/// terms at 2^-24 of the largest, or less (tensor_core.hpp of the simulator). So N = 3 is as
/// accurate as a product of floats.
///
/// A block makes a tile of 128 x 128, and a warp 32 x 64 of it, while stages - 1 slices are being
/// copied. Grid: (tiles of a times tiles of b), in the order of TileOrder.
template <int N, class Result>
struct MultiplyBfloat16 {
  static constexpr int threads = 256, blocks_per_sm = 1;
  static constexpr int stages = N == 2 ? 4 : 3;
  static constexpr int band = 12;    // rows of blocks: 132 blocks run at the same time, 12 x 11
  static constexpr int rows = 2;     // of 16 rows, of a warp
  static constexpr int columns = 8;  // of 8 columns, of a warp
  static constexpr int limbs = std::is_same_v<Result, float> ? 1 : N;
  using Factor = LineTiles<const bfloat16>;

  Factor a, b;
  MatrixView<Result> c;
  std::int64_t m, n;

  template <class Team>
  struct Shared {
    typename Team::template Array<bfloat16, stages * N * Factor::slice> a, b;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const TileOrder tile = TileOrder::of(team.block_x(), a.tiles, b.tiles, band);
    const int first = team.rank() * widest<bfloat16>;  // of the elements that this thread copies
    const bfloat16* const from_a = a.data + a.begin(0, tile.row, 0) + first;
    const bfloat16* const from_b = b.data + b.begin(0, tile.column, 0) + first;
    float sum[rows][columns][4] = {};
    for (int s = 0; s < stages - 1; ++s) fetch(team, shared, from_a, from_b, s, s);
    int stage = 0;  // of slice s
    for (int s = 0; s < a.slices; ++s) {
      team.template wait<stages - 2>();
      team.barrier();  // all copies are there, and all threads have read the slice before
      multiply(team, shared, stage, 0, sum);
      // after the first multiplications, so that they do not wait for it
      fetch(team, shared, from_a, from_b, s + stages - 1, stage == 0 ? stages - 1 : stage - 1);
      MCT_UNROLL
      for (int step = 1; step < steps; ++step) multiply(team, shared, stage, step, sum);
      stage = stage + 1 == stages ? 0 : stage + 1;
    }
    MCT_UNROLL
    for (int e = 0; e < rows * columns * 4; ++e)
      store(team, tile, e / (4 * columns), e / 4 % columns, e % 4,
            sum[e / (4 * columns)][e / 4 % columns][e % 4]);
  }

 private:
  static constexpr int steps = Factor::depth / 16;

  /// Starts to copy slice s of both factors; after the last slice it writes zeros, which are not
  /// read.
  template <class Team>
  MCT_BLOCK void fetch(Team& team, Shared<Team>& shared, const bfloat16* from_a,
                       const bfloat16* from_b, int s, int stage) const {
    const bool exists = s < a.slices;
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      const bfloat16* const of_a = from_a + a.begin(l, 0, s);
      const bfloat16* const of_b = from_b + b.begin(l, 0, s);
      const int to = (stage * N + l) * Factor::slice + team.rank() * widest<bfloat16>;
      MCT_UNROLL
      for (int i = 0; i < Factor::slice; i += threads * widest<bfloat16>) {
        team.copy_async(shared.a, to + i, of_a + i, exists);
        team.copy_async(shared.b, to + i, of_b + i, exists);
      }
    }
    team.commit();
  }

  template <class Team>
  MCT_BLOCK static int first_row(Team& team) {
    return team.rank() / 64 * (16 * rows);
  }
  template <class Team>
  MCT_BLOCK static int first_column(Team& team) {
    return team.rank() / 32 % 2 * (8 * columns);
  }

  /// A step of 16 depths of the slice of a stage.
  template <class Team>
  MCT_BLOCK static void multiply(Team& team, const Shared<Team>& shared, int stage, int step,
                                 float (&sum)[rows][columns][4]) {
    // the lines whose addresses this lane gives to matrix loads: 16 rows of a by two pieces, and
    // twice 8 columns of b by two pieces. Lines that are 8 apart have the same order of pieces.
    const int lane = team.rank() % 32;
    const int row = first_row(team) + lane % 16;
    const int column = first_column(team) + lane % 8 + lane / 16 * 8;
    const int from = stage * N * Factor::slice;
    const int from_a = from + Factor::piece(row, 2 * step + lane / 16);
    const int from_b = from + Factor::piece(column, 2 * step + lane / 8 % 2);
    std::uint32_t left[N][rows][4];
    MCT_UNROLL
    for (int e = 0; e < N * rows; ++e) {
      const int place = e / rows * Factor::slice + e % rows * 16 * Factor::depth;
      team.load_matrix(shared.a, from_a + place, left[e / rows][e % rows]);
    }
    MCT_UNROLL
    for (int j = 0; j < columns; j += 2) {
      std::uint32_t right[N][4];
      MCT_UNROLL
      for (int l = 0; l < N; ++l)
        team.load_matrix(shared.b, from_b + l * Factor::slice + 8 * j * Factor::depth, right[l]);
      MCT_UNROLL
      for (int e = 0; e < 2 * rows; ++e)
        add_products(team, left, e / 2, right, e % 2, sum[e / 2][j + e % 2]);
    }
  }

  /// Adds the products of all limbs that count. They are added to each other first, the smallest
  /// first.
  template <class Team>
  MCT_BLOCK static void add_products(Team& team, const std::uint32_t (&left)[N][rows][4], int i,
                                     const std::uint32_t (&right)[N][4], int j, float (&sum)[4]) {
    float part[4] = {};
    MCT_UNROLL
    for (int order = N - 1; order >= 0; --order) {
      MCT_UNROLL
      for (int l = 0; l <= order; ++l) {
        const std::uint32_t b_of[2] = {right[order - l][2 * j], right[order - l][2 * j + 1]};
        team.multiply_bfloat16(part, left[l][i], b_of);
      }
    }
    MCT_UNROLL
    for (int e = 0; e < 4; ++e) sum[e] = sum[e] + part[e];
  }

  template <class Team>
  MCT_BLOCK void store(Team& team, const TileOrder& tile, int i, int j, int e, float value) const {
    const int lane = team.rank() % 32;
    const std::int64_t row =
        std::int64_t(tile.row) * Factor::tile + first_row(team) + 16 * i + lane / 4 + e / 2 * 8;
    const std::int64_t column = std::int64_t(tile.column) * Factor::tile + first_column(team) +
                                8 * j + lane % 4 * 2 + e % 2;
    if (row >= m || column >= n) return;
    Result* const to = c.data + row * c.row_stride + column * c.column_stride;
    if constexpr (limbs == 1) {
      team.template store<1>(to, {{value}});
    } else {
      const Expansion<bfloat16, N> x(value);
      MCT_UNROLL
      for (int l = 0; l < N; ++l) team.template store<1>(to + l * c.plane, {{x.limb[l]}});
    }
  }
};

}  // namespace mct::cuda

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

/// Packs the rows of a matrix in tiles.
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

/// The list of programs of bfloat16_product, for the source that compiles them.
#define MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, N) \
  DO(PackBfloat16<N>)                        \
  DO(MultiplyBfloat16<N, float>)             \
  DO(MultiplyBfloat16<N, bfloat16>)
#define MCT_FOR_EACH_BFLOAT16_PRODUCT(DO) \
  MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, 2)    \
  MCT_BFLOAT16_PRODUCT_PROGRAMS(DO, 3)
