// A square of a matrix in shared memory, whichever way the matrix lies.
#pragma once

#include "cuda/base/pack.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

using linalg_detail::MatrixView;

/// 32 x 32 elements at a time, read by neighbours where the rows or the columns of the matrix lie
/// together.
struct TileReader {
  static constexpr int threads = 256;
  static constexpr int side = 32;
  static constexpr int at_once = threads / side;
  static constexpr int pitch = side + 1;  // no two of a column in one bank
  static constexpr int size = side * pitch;

  /// Where element (i, k) of a tile is.
  MCT_HD static constexpr int place(int i, int k) { return i * pitch + k; }

  /// Writes limb l of the elements from (row, k) on, zeros beyond `rows` and `depth`, from place
  /// `first` of an array on.
  template <class Team, class Array, class T>
  MCT_BLOCK static void read(Team& team, const MatrixView<const T>& from, int l, std::int64_t row,
                             std::int64_t k, std::int64_t rows, std::int64_t depth, Array& to,
                             int first) {
    const bool along_rows = from.column_stride == 1;
    const int lane = team.rank() % side;
    for (int j = team.rank() / side; j < side; j += at_once) {
      const int r = along_rows ? j : lane;
      const int c = along_rows ? lane : j;
      T x(0);
      if (row + r < rows && k + c < depth) {
        const std::int64_t offset =
            l * from.plane + (row + r) * from.row_stride + (k + c) * from.column_stride;
        x = team.template load<1>(from.data + offset)[0];
      }
      to.template write<1>(first + place(r, c), {{x}});
    }
  }
};

}  // namespace mct::cuda
