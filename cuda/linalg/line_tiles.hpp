// Factors of products by matrix instructions: where their lines lie in the memory of a GPU.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/base/pack.hpp"

namespace mct::cuda {

/// Lines: the rows of the left or the columns of the right factor. They lie in tiles of 128 lines,
/// which are cut along the depth into slices of 64 bytes, one part (residues modulo one number, or
/// one limb) after the other: [part][tile][slice][line][byte]. A step of a product copies a slice
/// as one piece. The four pieces of 16 bytes of a line are permuted, so that the eight lines that a
/// matrix load reads at once lie in different banks.
template <class T>
struct LineTiles {
  static constexpr int tile = 128;
  static constexpr int bytes = 64;
  static constexpr int depth = bytes / int(sizeof(std::remove_const_t<T>));
  static constexpr int slice = tile * depth;

  T* data;
  int tiles;
  int slices;

  /// The element at which slice `s` of a tile begins.
  MCT_HD std::int64_t begin(int part, int t, int s) const {
    return ((std::int64_t(part) * tiles + t) * slices + s) * slice;
  }
  /// Where, within a slice, piece `piece` of 16 bytes of a line begins.
  MCT_HD static constexpr int piece(int line, int piece) {
    return line * depth + ((piece ^ (line >> 1)) & 3) * (depth / 4);
  }
  MCT_HD static constexpr std::int64_t tiles_of(std::int64_t lines) {
    return (lines + tile - 1) / tile;
  }
  MCT_HD static constexpr std::int64_t slices_of(std::int64_t count) {
    return (count + depth - 1) / depth;
  }
};

/// The tile of a product that a block makes. Tiles are numbered band of rows after band, and column
/// after column in a band. Blocks with successive numbers run at the same time, so their tiles are
/// nearly a square and need the fewest lines of both factors. These are read from memory once and
/// stay in the L2 cache.
struct TileOrder {
  int row, column;

  /// The tile of block `number` of rows x columns tiles, in bands of `band` rows.
  MCT_HD static TileOrder of(int number, int rows, int columns, int band) {
    const int first = number / (band * columns) * band;
    const int height = rows - first < band ? rows - first : band;
    const int in_band = number - first * columns;
    return {first + in_band % height, in_band / height};
  }
};

}  // namespace mct::cuda
