// A factor of a matrix product in the order in which tiles are read, and its packing.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "cuda/linalg/read_tile.hpp"

namespace mct::cuda {

/// Elements (i, k) of N limbs; i goes along the edge of a tile, k along the inner dimension. The
/// slice of `depth` steps that a tile needs at once is one piece of memory, in the order limb, k,
/// i, so that its copy is linear. Beyond the borders of the matrix are zeros, so that a product
/// needs no tests of borders.
template <class T, int N>
struct PackedFactor {
  static constexpr int tile = 64;
  static constexpr int depth = 8;
  static constexpr int slice = N * depth * tile;

  T* data;
  int slices;  // of one tile: the inner dimension over depth, rounded up

  /// Where limb l of element (i, k) is.
  MCT_HD std::int64_t place(int l, std::int64_t i, std::int64_t k) const {
    return (i / tile * slices + k / depth) * slice + (l * depth + k % depth) * tile + i % tile;
  }
  /// Tiles for `count` elements.
  MCT_HD static constexpr std::int64_t tiles(std::int64_t count) {
    return (count + tile - 1) / tile;
  }
  /// Slices for an inner dimension of `count`.
  MCT_HD static constexpr std::int64_t slices_of(std::int64_t count) {
    return (count + depth - 1) / depth;
  }
};

/// Packs a matrix whose rows lie along the edges of the tiles: A, or the transpose of B.
///
/// A block takes 32 x 32 elements of all limbs: grid (2 tiles, slices / 4 rounded up).
template <class T, int N>
struct PackFactor {
  static constexpr int threads = TileReader::threads, blocks_per_sm = 4;
  static constexpr int side = TileReader::side;
  static_assert(PackedFactor<T, N>::tile % side == 0 && side % PackedFactor<T, N>::depth == 0);

  MatrixView<const T> from;
  std::int64_t rows, depth;
  PackedFactor<T, N> to;

  template <class Team>
  struct Shared {
    typename Team::template Array<T, TileReader::size> tile;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const int lane = team.rank() % side;
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    const std::int64_t k = std::int64_t(team.block_y()) * side;
    const std::int64_t end = std::int64_t(to.slices) * PackedFactor<T, N>::depth;
    for (int l = 0; l < N; ++l) {
      TileReader::read(team, from, l, row, k, rows, depth, shared.tile, 0);
      team.barrier();
      for (int c = team.rank() / side; c < side; c += TileReader::at_once) {
        const auto x = shared.tile.template read<1>(TileReader::place(lane, c));
        if (k + c < end) team.template store<1>(to.data + to.place(l, row + lane, k + c), x);
      }
      team.barrier();
    }
  }
};

}  // namespace mct::cuda
