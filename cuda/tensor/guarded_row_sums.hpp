// Recomputes the sums of rows that came out infinite or NaN.
#pragma once

#include <limits>

#include "cuda/tensor/sums.hpp"

namespace mct::cuda {

/// A sum that is not finite becomes what IEEE 754 gives for the leading components, added one after
/// the other, as in the CPU's guarded sum. All threads look for special values among the elements.
/// If no partial sum can overflow, these decide; otherwise one thread adds all elements, which is
/// slow, but rare.
///
/// A block has `threads` rows. Grid: (rows / threads, rounded up).
template <class T, int N>
struct GuardedRowSums {
  static constexpr int threads = 256, blocks_per_sm = 4;
  using Operands = SumOperands<T, N>;
  using Work = typename Operands::Work;

  Operands operands;

  template <class Team>
  struct Shared {
    typename Team::template Array<int, threads> special, found;
    typename Team::template Array<double, threads> size;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t first = std::int64_t(team.block_x()) * threads;
    const std::int64_t mine = first + team.rank();
    int is_special = 0;
    if (mine < operands.rows)
      is_special =
          !isfinite(Expansion<T, 1>(team.template load<1>(operands.out.data + mine)[0])) ? 1 : 0;
    shared.special.template write<1>(team.rank(), {{is_special}});
    team.barrier();
    MCT_ROLL
    for (int r = 0; r < threads; ++r)
      if (shared.special.template read<1>(r)[0] != 0) sum_again(team, shared, first + r);
  }

 private:
  static constexpr int nan = 1, infinity = 2, negative_infinity = 4;

  template <class Team>
  MCT_BLOCK double leading(Team& team, std::int64_t i) const {
    return double(team.template load<1>(operands.x.data + i)[0]);
  }

  template <class Team>
  MCT_BLOCK void sum_again(Team& team, Shared<Team>& shared, std::int64_t row) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    int found = 0;
    double size = 0;
    for (std::int64_t i = team.rank(); i < operands.length; i += threads) {
      const double x = leading(team, row * operands.length + i);
      if (!(x == x)) {
        found |= nan;
      } else if (x == inf || x == -inf) {
        found |= x > 0 ? infinity : negative_infinity;
      } else {
        size += x < 0 ? -x : x;
      }
    }
    team.barrier();  // all have read the earlier values
    shared.found.template write<1>(team.rank(), {{found}});
    shared.size.template write<1>(team.rank(), {{size}});
    team.barrier();
    if (team.rank() != 0) return;
    for (int t = 1; t < threads; ++t) {
      found |= shared.found.template read<1>(t)[0];
      size += shared.size.template read<1>(t)[0];
    }
    finish(team, row, found, size);
  }

  template <class Team>
  MCT_BLOCK void finish(Team& team, std::int64_t row, int found, double size) const {
    constexpr double inf = std::numeric_limits<double>::infinity();
    constexpr bool can_overflow = std::is_same_v<T, double>;
    if (found == 0 && !can_overflow) return;  // only rounding to T has overflowed
    Work special{};
    if ((found & infinity) != 0) special = special + Work(inf);
    if ((found & negative_infinity) != 0) special = special + Work(-inf);
    if ((found & nan) != 0) special = special + Work(std::numeric_limits<double>::quiet_NaN());
    const bool is_nan = !(special.limb[0] == special.limb[0]);
    const bool is_settled = is_nan || (found != 0 && size < std::numeric_limits<double>::max() / 4);
    Work sum = special + Work{};
    if (!is_settled) sum = one_after_the_other(team, row);
    operands.finish(team, row, sum);
  }

  template <class Team>
  MCT_BLOCK Work one_after_the_other(Team& team, std::int64_t row) const {
    Work sum{};
    for (std::int64_t i = row * operands.length; i < (row + 1) * operands.length; ++i) {
      Expansion<T, N> x;
      for (int l = 0; l < N; ++l)
        x.limb[l] = team.template load<1>(operands.x.data + l * operands.x.plane + i)[0];
      sum = sum + Work(x);
    }
    return sum;
  }
};

}  // namespace mct::cuda
