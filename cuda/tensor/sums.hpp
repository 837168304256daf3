// Sums and means of rows, in the order of the CPU.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/tensor/planes.hpp"
#include "mctensor/expansion/accumulator.hpp"
#include "src/tensor/kernels/to_work.hpp"
#include "src/tensor/reduce_order.hpp"

namespace mct::cuda {

/// What the programs below have in common: `rows` rows of `length` elements, one after the other.
template <class T, int N>
struct SumOperands {
  DevicePlanes<const T, N> x;
  std::int64_t rows, length;
  DevicePlanes<T, N> out;  // a sum for each row
  bool is_mean;
  /// Whether all packs of neighbours are aligned: those of x, and so the length.
  bool wide;

  using Work = Expansion<double, tensor_detail::WorkFormat<T, N>::levels>;

  /// Of a row: at least one.
  MCT_HD std::int64_t pieces() const { return length == 0 ? 1 : tensor_detail::sum_pieces(length); }
  /// Writes the sum or mean of a row.
  template <class Team>
  MCT_BLOCK void finish(Team& team, std::int64_t row, const Work& total) const {
    const Expansion<T, N> value(is_mean ? total / Work(double(length)) : total);
    for (int l = 0; l < N; ++l)
      team.template store<1>(out.data + l * out.plane + row, {{value.limb[l]}});
  }
};

/// The sums of pieces of rows: of sum_piece elements each, a piece in virtual lanes of which the
/// i-th takes every virtual_lanes-th element, carried after Accumulator's period, and in the end
/// lane i and lane i + half of what is left are added until one is left. This is the CPU's order
/// (src/tensor/kernels/sum_kernels.hpp), so that the bits are equal; error <=
/// accumulate_bound<K>(n) u^K of the magnitudes in the K doubles of WorkFormat.
///
/// A thread has as many neighbouring lanes as travel in 16 bytes; a group of threads has a piece. A
/// row of one piece is finished here, other pieces go to `parts`, for JoinSums.
///
/// Grid: (rows * pieces / groups, rounded up).
template <class T, int N>
struct PieceSums {
  static constexpr int threads = 256, blocks_per_sm = 4;
  using Operands = SumOperands<T, N>;
  using Work = typename Operands::Work;
  static constexpr int levels = Work::components;
  static constexpr int lanes = int(tensor_detail::virtual_lanes<levels>);
  static constexpr int own = widest<T>;           // lanes of a thread
  static constexpr int group = lanes / own;       // threads of a piece
  static constexpr int groups = threads / group;  // pieces of a block
  static_assert(lanes % own == 0 && 32 % group == 0);

  Operands operands;
  DevicePlanes<double, levels> parts;  // of piece p of row r: r * pieces + p

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t pieces = operands.pieces();
    const std::int64_t number = std::int64_t(team.block_x()) * groups + team.rank() / group;
    const bool is_there = number < operands.rows * pieces;  // all lanes of a warp exchange
    const std::int64_t row = is_there ? number / pieces : 0;
    const std::int64_t first = number % pieces * tensor_detail::sum_piece;
    const std::int64_t count = is_there ? tensor_detail::piece_length(operands.length, first) : 0;
    const Work total = across(team, sum(team, row * operands.length + first, int(count)));
    if (!is_there || team.rank() % group != 0) return;
    if (pieces == 1) {
      operands.finish(team, row, total);
      return;
    }
    for (int l = 0; l < levels; ++l)
      team.template store<1>(parts.data + l * parts.plane + number, {{total.limb[l]}});
  }

 private:
  using Sum = Accumulator<double, levels>;

  /// The lanes of this thread of a piece from element `from` on.
  template <bool is_whole, class Team>
  MCT_BLOCK void add(Team& team, std::int64_t from, int i, int count, Sum (&sums)[own]) const {
    Pack<T, own> limbs[N];
    const int at = i + team.rank() % group * own;
    load_elements(team, operands.x, from + at, from + count, operands.wide, limbs);
    MCT_UNROLL
    for (int e = 0; e < own; ++e) {
      if (!is_whole && at + e >= count) continue;
      double x[N];
      MCT_UNROLL
      for (int l = 0; l < N; ++l) x[l] = double(limbs[l][e]);
      sums[e].add(kernels::to_work<tensor_detail::WorkFormat<T, N>::template limbs<N>>(x));
    }
  }

  struct Lanes {
    Work lane[own];
  };
  template <class Team>
  MCT_BLOCK Lanes sum(Team& team, std::int64_t from, int count) const {
    Sum sums[own];
    int i = 0;
    while (count - i >= lanes) {
      MCT_UNROLL
      for (int s = 0; s < (levels == 1 ? 4 : Sum::period); ++s) {
        if (count - i < lanes) break;
        add<true>(team, from, i, count, sums);
        i += lanes;
      }
      if constexpr (levels > 1) {
        MCT_UNROLL
        for (int e = 0; e < own; ++e) sums[e].carry();
      }
    }
    if (i < count) add<false>(team, from, i, count, sums);
    Lanes result;
    MCT_UNROLL
    for (int e = 0; e < own; ++e) result.lane[e] = sums[e].result();
    return result;
  }

  /// The sum of the lanes of a group, in its first thread.
  template <class Team>
  MCT_BLOCK static Work across(Team& team, Lanes x) {
    MCT_UNROLL
    for (int step = group / 2; step > 0; step /= 2) {
      MCT_UNROLL
      for (int e = 0; e < own; ++e) {
        Work upper;
        MCT_UNROLL
        for (int l = 0; l < levels; ++l) upper.limb[l] = team.shuffle_xor(x.lane[e].limb[l], step);
        x.lane[e] = mct::add(x.lane[e], upper);
      }
    }
    MCT_UNROLL
    for (int half = own / 2; half > 0; half /= 2) {
      MCT_UNROLL
      for (int e = 0; e < half; ++e) x.lane[e] = mct::add(x.lane[e], x.lane[e + half]);
    }
    return x.lane[0];
  }
};

/// Adds the pieces of each row, one after the other as the CPU: a thread has a row.
///
/// Grid: (rows / threads, rounded up).
template <class T, int N>
struct JoinSums {
  static constexpr int threads = 64, blocks_per_sm = 4;
  using Operands = SumOperands<T, N>;
  using Work = typename Operands::Work;

  Operands operands;
  DevicePlanes<const double, Work::components> parts;

  template <class Team>
  struct Shared {};

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>&) const {
    const std::int64_t row = thread_number<threads>(team);
    if (row >= operands.rows) return;
    const std::int64_t pieces = operands.pieces();
    Work total = part(team, row * pieces);
    for (std::int64_t p = 1; p < pieces; ++p) total = total + part(team, row * pieces + p);
    operands.finish(team, row, total);
  }

 private:
  template <class Team>
  MCT_BLOCK Work part(Team& team, std::int64_t i) const {
    Work x;
    for (int l = 0; l < Work::components; ++l)
      x.limb[l] = team.template load<1>(parts.data + l * parts.plane + i)[0];
    return x;
  }
};

}  // namespace mct::cuda
