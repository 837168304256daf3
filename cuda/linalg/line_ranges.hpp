// How large the numbers of the lines of a matrix are.
#pragma once

#include "cuda/linalg/read_tile.hpp"
#include "src/linalg/kernels/residue_numbers.hpp"

namespace mct::cuda {

using linalg_detail::LineRange;

/// The range of every row of x, as the host measures it: widest of its elements.
///
/// A block takes 32 rows: grid (rows / 32 rounded up).
template <int N>
struct LineRanges {
  static constexpr int threads = TileReader::threads, blocks_per_sm = 3;
  static constexpr int side = TileReader::side;

  MatrixView<const double> x;
  std::int64_t rows, depth;
  LineRange* ranges;

  template <class Team>
  struct Shared {
    typename Team::template Array<double, N * TileReader::size> tile;
    typename Team::template Array<std::int64_t, threads> largest, smallest, normalized;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const int line = team.rank() % side;
    const std::int64_t row = std::int64_t(team.block_x()) * side;
    LineRange range;
    for (std::int64_t k = 0; k < depth; k += side) {
      TileReader::read_all<N, 1>(team, x, row, k, rows, depth, shared.tile);
      team.barrier();
      for (int c = team.rank() / side; c < side; c += TileReader::at_once) {
        double limb[N];
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          limb[l] =
              shared.tile.template read<1>(l * TileReader::size + TileReader::place(line, c))[0];
        kernels::widen_range(range, limb);
      }
      team.barrier();
    }
    shared.largest.template write<1>(team.rank(), {{range.largest}});
    shared.smallest.template write<1>(team.rank(), {{range.smallest}});
    shared.normalized.template write<1>(team.rank(), {{range.normalized}});
    team.barrier();
    if (team.rank() >= side || row + line >= rows) return;
    for (int other = line + side; other < threads; other += side) {
      const std::int64_t largest = shared.largest.template read<1>(other)[0];
      const std::int64_t smallest = shared.smallest.template read<1>(other)[0];
      range.largest = largest > range.largest ? largest : range.largest;
      range.smallest = smallest < range.smallest ? smallest : range.smallest;
      if (shared.normalized.template read<1>(other)[0] == 0) range.normalized = 0;
    }
    store(team, ranges + row + line, range);
  }

 private:
  template <class Team>
  MCT_BLOCK static void store(Team& team, LineRange* to, const LineRange& range) {
    team.template store<1>(&to->largest, {{range.largest}});
    team.template store<1>(&to->smallest, {{range.smallest}});
    team.template store<1>(&to->normalized, {{range.normalized}});
  }
};

}  // namespace mct::cuda
