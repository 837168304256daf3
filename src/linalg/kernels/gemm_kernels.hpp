// Register tiles of the matrix product: the innermost loop, all of whose accumulators stay in
// registers.
#pragma once

#include "mctensor/expansion/accumulator.hpp"
#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The rows of a tile, and the vectors in a row. A tile has as many accumulators as fit into the
/// registers beside the operands.
struct TileShape {
  int rows;
  int vectors;
};

template <int K>
constexpr TileShape tile_shape() {
#if defined(__AVX512F__) || defined(__aarch64__)
  // 32 registers
  return K == 1 ? TileShape{8, 3} : K == 2 ? TileShape{4, 2} : TileShape{2, K == 3 ? 2 : 1};
#else
  // 16 registers
  return K == 1 ? TileShape{4, 3} : K == 2 ? TileShape{2, 2} : TileShape{2, 1};
#endif
}

template <class V, int K, int LimbsA, int LimbsB, int Rows, int Vectors>
void multiply_tile(std::size_t k, const scalar_t<V>* a, const scalar_t<V>* b, scalar_t<V>* c) {
  constexpr int width = int(lanes<V>);
  Accumulator<V, K> sums[Rows][Vectors];
  scalar_t<V>* p = c;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Vectors; ++j)
      for (int l = 0; l < K; ++l, p += width) sums[i][j].level[l] = load_lanes<V>(p);

  constexpr std::size_t period = std::size_t(Accumulator<V, K>::period);
  while (k > 0) {
    const std::size_t steps = k < period ? k : period;
    k -= steps;
    for (std::size_t s = 0; s < steps; ++s) {
      Expansion<V, LimbsB> y[Vectors];
      for (int j = 0; j < Vectors; ++j)
        for (int l = 0; l < LimbsB; ++l)
          y[j].limb[l] = load_lanes<V>(b + (l * Vectors + j) * width);
#pragma GCC unroll 8
      for (int i = 0; i < Rows; ++i) {
        Expansion<V, LimbsA> x;
        for (int l = 0; l < LimbsA; ++l) x.limb[l] = V(a[l * Rows + i]);
#pragma GCC unroll 4
        for (int j = 0; j < Vectors; ++j) sums[i][j].add_product(x, y[j]);
      }
      a += LimbsA * Rows;
      b += LimbsB * Vectors * width;
    }
    if constexpr (K > 1)
      for (auto& row : sums)
        for (auto& sum : row) sum.carry();
  }

  p = c;
  for (int i = 0; i < Rows; ++i)
    for (int j = 0; j < Vectors; ++j)
      for (int l = 0; l < K; ++l, p += width) store_lanes<V>(sums[i][j].level[l], p);
}

template <class V, int K>
void normalize_levels(std::size_t count, scalar_t<V>* c) {
  if constexpr (K > 1) {
    for (std::size_t i = 0; i < count; ++i, c += K * lanes<V>) {
      Accumulator<V, K> sum;
      for (int l = 0; l < K; ++l) sum.level[l] = load_lanes<V>(c + std::size_t(l) * lanes<V>);
      const auto result = sum.result();
      for (int l = 0; l < K; ++l) store_lanes<V>(result.limb[l], c + std::size_t(l) * lanes<V>);
    }
  }
}

/// The vectors of a tile of a single row. There are more, so that as many accumulators work at the
/// same time.
template <int K>
constexpr int single_vectors = K < 3 ? 4 : 2;

/// The tile of the last columns. Only short sums have such a tile: with a panel of few columns the
/// padding would be much of the work.
template <class V, int K, int LimbsA, int LimbsB>
constexpr linalg_detail::TileKernel<scalar_t<V>> edge_tile() {
  constexpr TileShape shape = tile_shape<K>();
  if constexpr (K < 3 && shape.vectors > 1) {
    return {shape.rows, int(lanes<V>), int(lanes<V>),
            &multiply_tile<V, K, LimbsA, LimbsB, shape.rows, 1>};
  } else {
    return {};
  }
}

template <class V, int K, int LimbsA, int LimbsB>
constexpr linalg_detail::GemmTable<scalar_t<V>> make_gemm_table() {
  constexpr int width = int(lanes<V>);
  constexpr TileShape shape = tile_shape<K>();
  constexpr int single = single_vectors<K>;
  return {{shape.rows, shape.vectors * width, width,
           &multiply_tile<V, K, LimbsA, LimbsB, shape.rows, shape.vectors>},
          {1, single * width, width, &multiply_tile<V, K, LimbsA, LimbsB, 1, single>},
          edge_tile<V, K, LimbsA, LimbsB>(),
          &normalize_levels<V, K>};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
