// Brings a factor of a matrix product into the order in which tiles are read.
#pragma once

#include "cuda/linalg/matrix_view.hpp"
#include "cuda/linalg/packed_factor.hpp"

namespace mct::cuda {

/// Packs a matrix whose rows lie along the edges of the tiles: A itself, of B the transpose.
///
/// A block takes 32 x 32 elements of all limbs: grid (2 tiles, slices / 4 rounded up). Where the
/// matrix lies row after row, it passes through shared memory, so that both sides are read and
/// written by neighbours.
template <class T, int N>
struct PackFactor {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int side = 32, at_once = threads / side;
  static_assert(PackedFactor<T, N>::tile % side == 0 && side % PackedFactor<T, N>::depth == 0);

  DeviceMatrix<const T> from;
  std::int64_t rows, depth;
  PackedFactor<T, N> to;

  template <class Team>
  struct Shared {
    typename Team::template Array<T, side*(side + 1)> tile;  // one more: no two in a bank
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const int lane = team.rank() % side;
    const int first = team.rank() / side;
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    const std::int64_t k = std::int64_t(team.block_y()) * side;
    const std::int64_t end = std::int64_t(to.slices) * PackedFactor<T, N>::depth;
    const bool along_rows = from.column_stride == 1;
    for (int l = 0; l < N; ++l) {
      for (int j = first; j < side; j += at_once) {
        const int r = along_rows ? j : lane;  // within the tile
        const int c = along_rows ? lane : j;
        const T x = element(team, l, row + r, k + c);
        shared.tile.template write<1>(r * (side + 1) + c, {{x}});
      }
      team.barrier();
      for (int c = first; c < side; c += at_once) {
        const Pack<T, 1> x = shared.tile.template read<1>(lane * (side + 1) + c);
        if (k + c < end) team.template store<1>(to.data + to.place(l, row + lane, k + c), x);
      }
      team.barrier();
    }
  }

 private:
  template <class Team>
  MCT_BLOCK T element(Team& team, int l, std::int64_t i, std::int64_t k) const {
    if (i >= rows || k >= depth) return T(0);
    const T* p = from.data + l * from.plane + i * from.row_stride + k * from.column_stride;
    return team.template load<1>(p)[0];
  }
};

}  // namespace mct::cuda
