// Sums and means of rows, in the order of the CPU.
#pragma once

#include "cuda/tensor/planes.hpp"
#include "mctensor/expansion/accumulator.hpp"
#include "src/tensor/kernels/to_work.hpp"
#include "src/tensor/reduce_order.hpp"

namespace mct::cuda {

/// The operands of the programs below: `rows` rows of `length` elements, one after the other.
template <class T, int N>
struct SumOperands {
  DevicePlanes<const T, N> x;
  std::int64_t rows, length;
  DevicePlanes<T, N> out;  // a sum for each row
  bool is_mean;
  /// Whether all packs of neighbours of x are aligned: the length is then a multiple of a pack.
  bool wide;

  using Work = Expansion<double, tensor_detail::WorkFormat<T, N>::levels>;

  /// The number of pieces of a row, at least 1.
  MCT_HD std::int64_t pieces() const { return length == 0 ? 1 : tensor_detail::sum_pieces(length); }
  /// Writes the sum or mean of a row.
  template <class Team>
  MCT_BLOCK void finish(Team& team, std::int64_t row, const Work& total) const {
    const Expansion<T, N> value(is_mean ? total / Work(double(length)) : total);
    for (int l = 0; l < N; ++l)
      team.template store<1>(out.data + l * out.plane + row, {{value.limb[l]}});
  }
};

/// The sums of pieces of rows, of sum_piece elements each. A piece is summed in virtual lanes: lane
/// i takes every virtual_lanes-th element from i on, and carries after Accumulator's period. In the
/// end lane i and lane i + half of the remaining lanes are added, until one is left. This is the
/// CPU's order (src/tensor/kernels/sum_kernels.hpp), so that the bits are equal; error <=
/// accumulate_bound<K>(n) u^K of the magnitudes in the K doubles of WorkFormat.
///
/// A thread has as many neighbouring lanes as fit into 16 bytes, and loads a batch of elements
/// before it adds any. A group of threads has a piece. Results go to `out` if a row has one piece,
/// else to `parts`, for JoinSums.
///
/// Grid: (rows * pieces / groups, rounded up).
template <class T, int N>
struct PieceSums {
  static constexpr int threads = 256, blocks_per_sm = 3;
  using Operands = SumOperands<T, N>;
  using Work = typename Operands::Work;
  static constexpr int levels = Work::components;
  static constexpr int lanes = int(tensor_detail::virtual_lanes<levels>);
  static constexpr int own = widest<T>;           // lanes of a thread
  static constexpr int group = lanes / own;       // threads of a piece
  static constexpr int groups = threads / group;  // pieces of a block
  static_assert(lanes % own == 0 && 32 % group == 0);
  static constexpr int period = levels == 1 ? 4 : Accumulator<double, levels>::period;
  static constexpr int batch = levels == 1 && N == 1 ? 8 : 4;  // turns loaded at once
  static_assert(batch % period == 0);

  Operands operands;
  DevicePlanes<double, levels> parts;  // of piece p of row r: r * pieces + p

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t pieces = operands.pieces();
    const std::int64_t number = std::int64_t(team.block_x()) * groups + team.rank() / group;
    const bool is_there = number < operands.rows * pieces;  // lanes without a piece exchange, too
    const std::int64_t row = is_there ? number / pieces : 0;
    const std::int64_t first = number % pieces * tensor_detail::sum_piece;
    const std::int64_t count = is_there ? tensor_detail::piece_length(operands.length, first) : 0;
    const std::int64_t from = row * operands.length + first;
    const Lanes all =
        operands.wide ? sum<true>(team, from, int(count)) : sum<false>(team, from, int(count));
    const Work total = across(team, all);
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

  /// Loads this thread's part of `lanes` elements, which all exist.
  template <bool wide, class Team>
  MCT_BLOCK void load(Team& team, std::int64_t from, Pack<T, own> (&limbs)[N]) const {
    MCT_UNROLL
    for (int l = 0; l < N; ++l) {
      const T* const p = operands.x.data + l * operands.x.plane + from + team.rank() % group * own;
      if constexpr (wide) {
        limbs[l] = team.template load<own>(p);
      } else {
        MCT_UNROLL
        for (int e = 0; e < own; ++e) limbs[l][e] = team.template load<1>(p + e)[0];
      }
    }
  }
  MCT_BLOCK static void add(const Pack<T, own> (&limbs)[N], int e, Sum (&sums)[own]) {
    double x[N];
    MCT_UNROLL
    for (int l = 0; l < N; ++l) x[l] = double(limbs[l][e]);
    sums[e].add(kernels::to_work<tensor_detail::WorkFormat<T, N>::template limbs<N>>(x));
  }
  MCT_BLOCK static void carry(Sum (&sums)[own]) {
    if constexpr (levels > 1) {
      MCT_UNROLL
      for (int e = 0; e < own; ++e) sums[e].carry();
    }
  }
  /// Adds `turns` times `lanes` elements from `from` on.
  template <bool wide, int turns, class Team>
  MCT_BLOCK void add_turns(Team& team, std::int64_t from, Sum (&sums)[own]) const {
    Pack<T, own> limbs[turns][N];
    MCT_UNROLL
    for (int t = 0; t < turns; ++t) load<wide>(team, from + t * lanes, limbs[t]);
    MCT_UNROLL
    for (int t = 0; t < turns; ++t) {
      MCT_UNROLL
      for (int e = 0; e < own; ++e) add(limbs[t], e, sums);
      if (turns > 1 && (t + 1) % period == 0) carry(sums);
    }
  }

  struct Lanes {
    Work lane[own];
  };
  template <bool wide, class Team>
  MCT_BLOCK Lanes sum(Team& team, std::int64_t from, int count) const {
    Sum sums[own];
    int i = 0;
    for (; count - i >= batch * lanes; i += batch * lanes)
      add_turns<wide, batch>(team, from + i, sums);
    while (count - i >= lanes) {
      for (int t = 0; t < period && count - i >= lanes; ++t, i += lanes)
        add_turns<wide, 1>(team, from + i, sums);
      carry(sums);
    }
    if (i < count) {
      Pack<T, own> limbs[N];
      const int at = i + team.rank() % group * own;
      load_elements(team, operands.x, from + at, from + count, wide, limbs);
      MCT_UNROLL
      for (int e = 0; e < own; ++e)
        if (at + e < count) add(limbs, e, sums);
    }
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

/// Adds the pieces of each row one after the other, as the CPU does. A warp has a row. Its lanes
/// load the pieces and pass them to all lanes one after the other, because a row is a chain of
/// additions, and nothing else should slow it down. While a round of pieces is added, the next is
/// loaded.
///
/// Grid: (rows / rows_of_block, rounded up).
template <class T, int N>
struct JoinSums {
  static constexpr int threads = 64, blocks_per_sm = 4;
  static constexpr int warp = 32, rows_of_block = threads / warp;
  static constexpr int own = 4;  // pieces of a lane in a round
  using Operands = SumOperands<T, N>;
  using Work = typename Operands::Work;

  Operands operands;
  DevicePlanes<const double, Work::components> parts;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t row = std::int64_t(team.block_x()) * rows_of_block + team.rank() / warp;
    if (row >= operands.rows) return;
    const std::int64_t pieces = operands.pieces();
    bool is_special = false;
    Work total = join<false>(team, row * pieces, pieces, is_special);
    if (is_special) total = join<true>(team, row * pieces, pieces, is_special);
    if (team.rank() % warp == 0) operands.finish(team, row, total);
  }

 private:
  /// The sum of pieces from number `from` on. Without guards it has the bits of guarded additions,
  /// unless a sum was infinite, NaN or zero. In that case it sets `is_special`.
  template <bool guarded, class Team>
  MCT_BLOCK Work join(Team& team, std::int64_t from, std::int64_t pieces, bool& is_special) const {
    Work next[own];
    load(team, from, pieces, next);
    Work total = shown(team, next[0], 0);
    const auto add_shown = [&](const Work& x, int lane) {
      if constexpr (guarded) {
        total = total + shown(team, x, lane);
      } else {
        total = mct::detail::add_limbs(total, shown(team, x, lane));
        if constexpr (Work::components > 1) is_special |= total.limb[0] == 0;
      }
    };
    for (std::int64_t first = 0; first < pieces; first += own * warp) {
      Work now[own];
      MCT_UNROLL
      for (int q = 0; q < own; ++q) now[q] = next[q];
      const std::int64_t left = pieces - first;
      if (left > own * warp) load(team, from + first + own * warp, left - own * warp, next);
      MCT_ROLL
      for (int q = 0; q < own; ++q) {
        const int begin = first + q == 0 ? 1 : 0;
        const int end = left - q * warp < warp ? int(left - q * warp) : warp;
        if (end - begin == warp) {
          MCT_UNROLL
          for (int j = 0; j < warp; ++j) add_shown(now[0], j);
        } else {
          MCT_ROLL
          for (int j = begin; j < end; ++j) add_shown(now[0], j);
        }
        MCT_UNROLL
        for (int e = 0; e + 1 < own; ++e) now[e] = now[e + 1];
      }
    }
    // a sum that is not finite does not become finite again
    if constexpr (!guarded) is_special |= !isfinite(Expansion<double, 1>(total.limb[0]));
    return total;
  }

  /// Loads pieces from number `first` on; `count` pieces are left.
  template <class Team>
  MCT_BLOCK void load(Team& team, std::int64_t first, std::int64_t count, Work (&x)[own]) const {
    MCT_UNROLL
    for (int q = 0; q < own; ++q) {
      const int at = q * warp + team.rank() % warp;
      x[q] = Work(0.0);
      if (at >= count) continue;
      for (int l = 0; l < Work::components; ++l)
        x[q].limb[l] = team.template load<1>(parts.data + l * parts.plane + first + at)[0];
    }
  }
  /// The x of another lane.
  template <class Team>
  MCT_BLOCK static Work shown(Team& team, const Work& x, int lane) {
    Work y;
    for (int l = 0; l < Work::components; ++l) y.limb[l] = team.shuffle(x.limb[l], lane);
    return y;
  }
};

}  // namespace mct::cuda
