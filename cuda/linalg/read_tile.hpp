// Reads squares of a matrix into shared memory, for any order of the matrix in memory.
#pragma once

#include "cuda/base/pack.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// Reads 32 x 32 elements at a time. Neighbouring threads read neighbouring elements, if the rows
/// or the columns of the matrix are contiguous.
struct TileReader {
  static constexpr int threads = 256;
  static constexpr int side = 32;
  static constexpr int at_once = threads / side;
  static constexpr int pitch = side + 1;  // elements of a column lie in different banks
  static constexpr int size = side * pitch;

  static constexpr int turns = side / at_once;

  /// Where element (i, k) of a tile is. Columns are permuted, so that threads with four neighbours
  /// each do not read the same few banks.
  MCT_HD static constexpr int place(int i, int k) { return i * pitch + k % 4 * (side / 4) + k / 4; }

  /// Writes limb l of the elements from (row, k) on to an array, from place `first` on. Elements
  /// beyond `rows` and `depth` are zeros.
  template <class Team, class Array, class T>
  MCT_BLOCK static void read(Team& team, const MatrixView<const T>& from, int l, std::int64_t row,
                             std::int64_t k, std::int64_t rows, std::int64_t depth, Array& to,
                             int first) {
    T x[turns];
    load(team, from, l, row, k, rows, depth, x);
    write(team, from, to, first, x);
  }

  /// The same for all of N limbs and for `Across` squares side by side, in the order limb, square.
  /// All loads are started before the first is waited for.
  template <int N, int Across, class Team, class Array, class T>
  MCT_BLOCK static void read_all(Team& team, const MatrixView<const T>& from, std::int64_t row,
                                 std::int64_t k, std::int64_t rows, std::int64_t depth, Array& to) {
    T x[N * Across][turns];
    MCT_UNROLL
    for (int e = 0; e < N * Across; ++e)
      load(team, from, e / Across, row, k + e % Across * side, rows, depth, x[e]);
    MCT_UNROLL
    for (int e = 0; e < N * Across; ++e) write(team, from, to, e * size, x[e]);
  }

 private:
  /// The element of a square that a thread moves in a turn.
  struct Element {
    int row, column;
  };
  template <class Team, class T>
  MCT_BLOCK static Element element(Team& team, const MatrixView<const T>& from, int turn) {
    const int lane = team.rank() % side;
    const int other = team.rank() / side + turn * at_once;
    const bool along_rows = from.column_stride == 1;
    return {along_rows ? other : lane, along_rows ? lane : other};
  }
  template <class Team, class T>
  MCT_BLOCK static void load(Team& team, const MatrixView<const T>& from, int l, std::int64_t row,
                             std::int64_t k, std::int64_t rows, std::int64_t depth, T (&x)[turns]) {
    MCT_UNROLL
    for (int j = 0; j < turns; ++j) {
      const Element e = element(team, from, j);
      x[j] = T(0);
      if (row + e.row < rows && k + e.column < depth) {
        const std::int64_t offset =
            l * from.plane + (row + e.row) * from.row_stride + (k + e.column) * from.column_stride;
        x[j] = team.template load<1>(from.data + offset)[0];
      }
    }
  }
  template <class Team, class Array, class T>
  MCT_BLOCK static void write(Team& team, const MatrixView<const T>& from, Array& to, int first,
                              const T (&x)[turns]) {
    MCT_UNROLL
    for (int j = 0; j < turns; ++j) {
      const Element e = element(team, from, j);
      to.template write<1>(first + place(e.row, e.column), {{x[j]}});
    }
  }
};

}  // namespace mct::cuda
