// Products of matrices of expansions of bfloat16 on a device, as the host sees them.
#pragma once

#include "cuda/device/stream_queue.hpp"
#include "cuda/linalg/multiply_bfloat16.hpp"
#include "cuda/linalg/pack_bfloat16.hpp"

namespace mct::cuda {

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
