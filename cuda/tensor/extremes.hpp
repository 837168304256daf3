// The largest and the smallest elements of rows.
#pragma once

#include "cuda/tensor/planes.hpp"
#include "src/tensor/kernels/operations.hpp"
#include "src/tensor/reduce_order.hpp"

namespace mct::cuda {

/// x, or -x.
template <class T, int N>
MCT_BLOCK Expansion<T, N> signed_if(bool is_negative, const Expansion<T, N>& x) {
  return is_negative ? -x : x;
}

/// The largest element so far and its place. Of equal elements (zeros of two signs, NaN of
/// different bits) it is the first.
template <class T, int N>
struct Candidate {
  Expansion<T, N> x;
  std::int64_t place;

  /// The larger of two. comes_first(a, b) decides if they are equal.
  template <class Order>
  MCT_BLOCK static Candidate better(const Candidate& a, const Candidate& b,
                                    const Order& comes_first) {
    const bool is_a = kernels::is_maximum(a.x, b.x);
    const bool is_b = kernels::is_maximum(b.x, a.x);
    return (is_a && is_b ? comes_first(a.place, b.place) : is_a) ? a : b;
  }

  /// The extreme of a whole warp.
  template <class Team, class Order>
  MCT_BLOCK static Candidate of_warp(Team& team, Candidate c, const Order& comes_first) {
    MCT_ROLL
    for (int step = 16; step > 0; step /= 2) {
      Candidate other;
      MCT_UNROLL
      for (int l = 0; l < N; ++l) other.x.limb[l] = exchanged(team, c.x.limb[l], step);
      other.place = team.shuffle_xor(c.place, step);
      // place < 0: the lane had no element
      if (c.place < 0)
        c = other;
      else if (other.place >= 0)
        c = better(c, other, comes_first);
    }
    return c;
  }

 private:
  template <class Team>
  MCT_BLOCK static T exchanged(Team& team, const T& x, int step) {
    if constexpr (sizeof(T) == 2) {
      return T::from_bits(std::uint16_t(team.shuffle_xor(std::uint32_t(x.bits()), step)));
    } else {
      return team.shuffle_xor(x, step);
    }
  }
};

/// The CPU halves n elements until one is left: it compares element i with element i of the upper
/// half. This is the rank of element i in the order in which it prefers equal elements.
MCT_BLOCK int halving_rank(int i, int n) {
  int rank = 0;
  MCT_ROLL
  for (int bit = 1; n > 1; bit *= 2) {
    const int upper = (n + 1) / 2;
    if (i >= upper) {
      i -= upper;
      rank += bit;
    }
    n = upper;
  }
  return rank;
}

/// Extremes of pieces of rows (tensor_detail::sum_piece elements); a warp has a piece. They are
/// exact, and NaN if any element is NaN. Of equal elements the CPU's choice is taken, so that the
/// bits are equal. Results go to `out` if a row has one piece, else to `parts`, for JoinExtremes.
///
/// Grid: (rows * pieces / warps, rounded up).
template <class T, int N>
struct PieceExtremes {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int warps = threads / 32;
  static constexpr int width = widest<T>;

  DevicePlanes<const T, N> x;
  std::int64_t rows, length;
  DevicePlanes<T, N> out;
  DevicePlanes<T, N> parts;
  bool is_min;  // the largest of the negated elements, negated
  bool wide;    // whether all packs of neighbours are aligned

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    using Best = Candidate<T, N>;
    const std::int64_t pieces = tensor_detail::sum_pieces(length);
    const std::int64_t number = std::int64_t(team.block_x()) * warps + team.rank() / 32;
    if (number >= rows * pieces) return;
    const std::int64_t row = number / pieces;
    const std::int64_t first = number % pieces * tensor_detail::sum_piece;
    const int count = int(tensor_detail::piece_length(length, first));
    const std::int64_t from = row * length + first;
    const auto order = [&](std::int64_t a, std::int64_t b) {
      return halving_rank(int(a), count) < halving_rank(int(b), count);
    };
    Best best{{}, -1};
    for (int i = team.rank() % 32 * width; i < count; i += 32 * width) {
      Pack<T, width> limbs[N];
      load_elements(team, x, from + i, from + count, wide, limbs);
      MCT_ROLL
      for (int e = 0; e < width && i + e < count; ++e) {
        const Best next{signed_if(is_min, get_element(limbs, e)), i + e};
        best = best.place < 0 ? next : Best::better(best, next, order);
      }
    }
    best = Best::of_warp(team, best, order);
    if (team.rank() % 32 != 0) return;
    const auto& to = pieces == 1 ? out : parts;
    best.x = signed_if(is_min, best.x);
    for (int l = 0; l < N; ++l)
      team.template store<1>(to.data + l * to.plane + number, {{best.x.limb[l]}});
  }
};

/// Extremes of rows from the extremes of their pieces; the first of equal ones. A warp has a row.
///
/// Grid: (rows / warps, rounded up).
template <class T, int N>
struct JoinExtremes {
  static constexpr int threads = 256, blocks_per_sm = 4;
  static constexpr int warps = threads / 32;

  DevicePlanes<const T, N> parts;
  std::int64_t rows, pieces;
  DevicePlanes<T, N> out;
  bool is_min;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    using Best = Candidate<T, N>;
    const std::int64_t row = std::int64_t(team.block_x()) * warps + team.rank() / 32;
    if (row >= rows) return;
    const auto order = [](std::int64_t a, std::int64_t b) { return a < b; };
    Best best{{}, -1};
    for (std::int64_t p = team.rank() % 32; p < pieces; p += 32) {
      Best next{{}, p};
      for (int l = 0; l < N; ++l)
        next.x.limb[l] = team.template load<1>(parts.data + l * parts.plane + row * pieces + p)[0];
      next.x = signed_if(is_min, next.x);
      best = best.place < 0 ? next : Best::better(best, next, order);
    }
    best = Best::of_warp(team, best, order);
    if (team.rank() % 32 != 0) return;
    best.x = signed_if(is_min, best.x);
    for (int l = 0; l < N; ++l)
      team.template store<1>(out.data + l * out.plane + row, {{best.x.limb[l]}});
  }
};

}  // namespace mct::cuda
