// A factor of a matrix product in the order in which tiles are read.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// Elements (i, k) of N limbs, i along the edge of a tile, k along the inner dimension, zeros
/// beyond the borders of the matrix: the slice of `depth` steps that a tile needs at once is one
/// piece of memory, in the order limb, k, i. So a copy of it is linear, and a product needs no
/// tests of borders.
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

}  // namespace mct::cuda
