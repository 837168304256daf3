// Tiles of vectors in shared memory, and fragments of matrix instructions from them.
#pragma once

#include "cuda/attention/bfloat16_pair.hpp"
#include "cuda/attention/operands.hpp"

namespace mct::cuda {

/// Rows of D bfloat16 in chunks of 16 bytes. Chunk c of row r lies at place c xor (r mod 8), so
/// that the same chunk of eight rows lies in different banks, and so do eight chunks of a row.
template <int D>
struct TileRows {
  static_assert(D % 64 == 0);
  static constexpr int chunk = 8;
  static constexpr int chunks = D / chunk;
  static constexpr int step = D;  // row r + 8 begins 8 steps after row r

  MCT_HD static constexpr int place(int row, int c) { return row * D + ((c ^ (row & 7)) * chunk); }
};

/// The same for products of a warpgroup: 64 coordinates of all Rows, then the next 64, each in the
/// layout of MatrixDescriptor.
template <int D, int Rows>
struct TilePanels {
  using Panel = TileRows<64>;
  static constexpr int chunk = Panel::chunk;
  static constexpr int chunks = D / chunk;
  static constexpr int step = Panel::step;
  static constexpr int panel = Rows * step;

  MCT_HD static constexpr int place(int row, int c) {
    return c / Panel::chunks * panel + Panel::place(row, c % Panel::chunks);
  }
};

/// Starts to copy `Rows` vectors of a group, from number `first` on, to the tile at `to`. Missing
/// vectors and coordinates become zeros. rank: of the thread.
template <class Tile, int Rows, int Threads, class Team, class Array>
MCT_BLOCK void fetch_rows(Team& team, int rank, Array& tile, int to, const bfloat16* group,
                          int first, int count, int width) {
  constexpr int at_once = Threads / Tile::chunks;
  static_assert(Threads % Tile::chunks == 0 && at_once % 8 == 0);
  const int c = rank % Tile::chunks;
  const int r = rank / Tile::chunks;
  const int place = Tile::place(r, c);
  const bool inside = c * Tile::chunk < width;
  const bfloat16* const from = group + std::int64_t(first + r) * width + c * Tile::chunk;
  MCT_UNROLL
  for (int i = 0; i < Rows; i += at_once) {
    if (i + at_once > Rows && r + i >= Rows) break;
    const bool valid = inside && first + r + i < count;
    team.copy_async(tile, to + place + i * Tile::step, from + std::int64_t(i) * width, valid);
  }
}

/// Starts to copy the first `Planes` numbers of `Count` vectors, from vector `first` on.
template <int Count, int Planes, int Threads, class Team, class Array>
MCT_BLOCK void fetch_numbers(Team& team, int rank, Array& numbers, int to, const NumbersView& from,
                             int first) {
  constexpr int chunks = Count / 4;
  MCT_UNROLL
  for (int i = 0; i < Planes * chunks; i += Threads) {
    const int plane = (i + rank) / chunks;
    const int at = (i + rank) % chunks * 4;
    if (plane < Planes)
      team.copy_async(numbers, to + plane * Count + at,
                      from.data +
                          (std::int64_t(team.block_y()) * from.planes + plane) * from.padded +
                          first + at);
  }
}

/// The place of chunk 2 step + c (c is 0 or 1) of row `row` + r of the tile at `to`; row is a
/// multiple of 8. `step` changes only bits that belong to the chunk alone, so one exclusive or
/// turns the place of step 0 into that of another step, and `row` becomes an offset in the
/// instruction.
template <int D>
MCT_BLOCK int place_of_step(int to, int row, int r, int c, int step) {
  return ((to + TileRows<D>::place(r, c)) ^ (2 * TileRows<D>::chunk * step)) + row * D;
}
/// Fragments of the left factor: rows [row, row + 16), coordinates [16 step, 16 step + 16).
template <int D, class Team, class Array>
MCT_BLOCK void left_fragment(Team& team, const Array& tile, int to, int row, int step,
                             std::uint32_t (&a)[4]) {
  const int lane = team.rank() % 32;
  team.load_matrix(tile, place_of_step<D>(to, row, lane % 16, lane / 16, step), a);
}
/// Fragments of the right factor, whose columns are rows of the tile, at coordinates [16 step,
/// 16 step + 16). b[0] and b[1] have rows [row, row + 8), b[2] and b[3] the next eight.
template <int D, class Team, class Array>
MCT_BLOCK void right_fragments(Team& team, const Array& tile, int to, int row, int step,
                               std::uint32_t (&b)[4]) {
  const int lane = team.rank() % 32;
  team.load_matrix(tile, place_of_step<D>(to, row, lane % 8 + lane / 16 * 8, lane / 8 % 2, step),
                   b);
}
/// Fragments of the right factor, whose rows are rows [row, row + 16) of the tile. b[0] and b[1]
/// have coordinates [16 step, 16 step + 8), b[2] and b[3] the next eight.
template <int D, class Team, class Array>
MCT_BLOCK void right_fragments_of_rows(Team& team, const Array& tile, int to, int row, int step,
                                       std::uint32_t (&b)[4]) {
  const int lane = team.rank() % 32;
  team.template load_matrix<true>(tile, place_of_step<D>(to, row, lane % 16, lane / 16, step), b);
}

/// d[0], d[1] += a times the two halves of b.
template <class Team>
MCT_BLOCK void multiply_both(Team& team, float (&d0)[4], float (&d1)[4],
                             const std::uint32_t (&a)[4], const std::uint32_t (&b)[4]) {
  const std::uint32_t first[2] = {b[0], b[1]};
  const std::uint32_t second[2] = {b[2], b[3]};
  team.multiply_bfloat16(d0, a, first);
  team.multiply_bfloat16(d1, a, second);
}

/// Rounds 16 columns of sums to the left factor of the next product: a left fragment has the layout
/// of the accumulators of two neighbouring tiles of 8 columns.
MCT_BLOCK void to_left_fragment(const float (&d0)[4], const float (&d1)[4], std::uint32_t (&a)[4]) {
  a[0] = round_to_pair(d0[0], d0[1]);
  a[1] = round_to_pair(d0[2], d0[3]);
  a[2] = round_to_pair(d1[0], d1[1]);
  a[3] = round_to_pair(d1[2], d1[3]);
}
/// The rounding errors of to_left_fragment.
MCT_BLOCK void rest_of_left_fragment(const float (&d0)[4], const float (&d1)[4],
                                     const std::uint32_t (&a)[4], std::uint32_t (&rest)[4]) {
  const auto of = [](const float* d, std::uint32_t pair) {
    return round_to_pair(d[0] - low_of_pair(pair), d[1] - high_of_pair(pair));
  };
  rest[0] = of(d0, a[0]);
  rest[1] = of(d0 + 2, a[1]);
  rest[2] = of(d1, a[2]);
  rest[3] = of(d1 + 2, a[3]);
}

/// Stores two neighbours of a result; they are rounded if T is bfloat16.
template <class T, class Team>
MCT_BLOCK void store_pair(Team& team, T* to, float x, float y) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    const std::uint32_t pair = round_to_pair(x, y);
    team.template store<2>(to, {{bfloat16::from_bits(std::uint16_t(pair)),
                                 bfloat16::from_bits(std::uint16_t(pair >> 16))}});
  } else {
    team.template store<2>(to, {{x, y}});
  }
}

}  // namespace mct::cuda
