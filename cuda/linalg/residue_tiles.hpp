// Where the residues of products through integers lie in the memory of a GPU.
#pragma once

#include "cuda/linalg/line_tiles.hpp"

namespace mct::cuda {

/// Reads `count` numbers (an even number) of an array in shared memory, from number `first` on.
template <int count, class Array>
MCT_BLOCK void read_numbers(const Array& from, int first, double (&to)[count]) {
  MCT_UNROLL
  for (int e = 0; e < count; e += 2) {
    const auto pair = from.template read<2>(first + e);
    to[e] = pair[0];
    to[e + 1] = pair[1];
  }
}

/// Residues of the lines of a factor, one modulus after the other.
using ResidueFactor = LineTiles<std::int8_t>;

/// Residues of a product, in the order in which the threads that make them hold them. A word has
/// four elements, (row, column), (row, column + 1) and the same columns of row + 8, as in a
/// fragment of a matrix instruction.
struct ResidueWords {
  static constexpr int threads = 128;     // that make a tile
  static constexpr int row_tiles = 4;     // of 16 rows, of a warp
  static constexpr int column_tiles = 8;  // of 8 columns
  static constexpr int of_thread = row_tiles * column_tiles;
  static constexpr int of_tile = threads * of_thread;

  /// The place of the word of fragment (i, j). Four successive words of a thread lie together.
  MCT_HD static constexpr int place(int thread, int i, int j) {
    const int e = i * column_tiles + j;
    return (e / 4 * threads + thread) * 4 + e % 4;
  }
  /// The first row and column, within its tile, of a word.
  MCT_HD static constexpr int row(int word) {
    const int thread = word / 4 % threads;
    const int i = (word / (4 * threads) * 4 + word % 4) / column_tiles;
    return thread / 64 * 64 + i * 16 + thread % 32 / 4;
  }
  MCT_HD static constexpr int column(int word) {
    const int thread = word / 4 % threads;
    const int j = (word / (4 * threads) * 4 + word % 4) % column_tiles;
    return thread / 32 % 2 * 64 + j * 8 + thread % 4 * 2;
  }
};

}  // namespace mct::cuda
