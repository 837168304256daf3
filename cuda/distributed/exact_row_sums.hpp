// Exact sums of rows, and of products of rows.
#pragma once

#include "cuda/base/pack.hpp"
#include "mctensor/distributed/device_sums.hpp"
#include "mctensor/expansion/arithmetic.hpp"
#include "src/distributed/kernels/exact_levels.hpp"

namespace mct::cuda {

/// A warp has a piece of a row: each lane adds every 32nd term to three doubles of its own, and
/// then the lanes exchange their doubles. All of this is exact, so the order does not matter. If
/// terms do not fit, the sum is marked.
///
/// Grid: (pieces / warps, rounded up).
struct ExactRowSums {
  static constexpr int threads = 128, blocks_per_sm = 4;
  static constexpr int warp = 32, warps = threads / warp;

  DeviceSums of;

  MCT_HD std::int64_t pieces() const { return (of.length + of.piece - 1) / of.piece; }

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t number = std::int64_t(team.block_x()) * warps + team.rank() / warp;
    const int lane = team.rank() % warp;
    const bool is_there = number < of.count * pieces();  // lanes without a piece exchange, too
    Sum sum;
    if (is_there) {
      const std::int64_t row = number / pieces();
      const std::int64_t first = number % pieces() * of.piece;
      const std::int64_t rest = of.length - first;
      const std::int64_t begin = row * of.length + first;
      const std::int64_t end = begin + (rest < of.piece ? rest : of.piece);
      MCT_ROLL
      for (std::int64_t i = begin + lane; i < end; i += warp) {
        const double x = team.template load<1>(of.x + i)[0];
        if (of.y == nullptr) {
          sum.add(x);
        } else {
          sum.add_product(x, team.template load<1>(of.y + i)[0]);
        }
      }
    }
    MCT_ROLL
    for (int step = warp / 2; step > 0; step /= 2) sum.add(exchanged(team, sum, step));
    if (is_there && lane == 0) give(team, number, sum);
  }

 private:
  struct Sum {
    double level[3] = {-0.0, -0.0, -0.0};  // adding this changes nothing, not even a sign
    double lost = 0;

    MCT_BLOCK void add(double x) {
      if (kernels::add_to_levels<3>(level[0], level[1], level[2], x) != 0) lost = 1;
    }
    /// A second number that is zero is not added: it could change the sign of a sum that is 0.
    MCT_BLOCK void add_product(double x, double y) {
      const HiLo<double> product = two_prod(x, y);
      add(product.hi);
      if (product.lo != 0) add(product.lo);
    }
    MCT_BLOCK void add(const Sum& other) {
      add(other.level[0]);
      if (other.level[1] != 0) add(other.level[1]);
      if (other.level[2] != 0) add(other.level[2]);
      if (other.lost != 0) lost = 1;
    }
    template <bool ToOdd>
    MCT_BLOCK double rounded() const {
      return kernels::rounded_sum<3, ToOdd>(level[0], level[1], level[2]);
    }
  };
  template <class Team>
  MCT_BLOCK static Sum exchanged(Team& team, const Sum& sum, int step) {
    Sum other;
    MCT_UNROLL
    for (int l = 0; l < 3; ++l) other.level[l] = team.shuffle_xor(sum.level[l], step);
    other.lost = team.shuffle_xor(sum.lost, step);
    return other;
  }

  template <class Team>
  MCT_BLOCK void give(Team& team, std::int64_t number, Sum& sum) const {
    if (of.result == SumResult::levels) {
      MCT_UNROLL
      for (int l = 0; l < 3; ++l)
        team.template store<1>(of.out + 3 * number + l,
                               {{l > 0 && sum.level[l] == 0 ? -0.0 : sum.level[l]}});
    } else {
      const double value = of.result == SumResult::nearest  ? sum.template rounded<false>()
                           : of.result == SumResult::to_odd ? sum.template rounded<true>()
                                                            : mean(sum);
      if (!(value - value == 0)) sum.lost = 1;
      team.template store<1>(of.out + number, {{value}});
    }
    team.store(of.left + number, Pack<std::uint8_t, 1>{{std::uint8_t(sum.lost != 0 ? 1 : 0)}});
  }
  MCT_BLOCK double mean(Sum& sum) const {
    const double head = sum.template rounded<false>();
    sum.add(-head);
    const auto pair = f64x2::from_limbs(head, sum.template rounded<false>());
    const f64x2 quotient = pair / f64x2(of.divisor);
    return of.result == SumResult::mean
               ? quotient.limb[0]
               : mct::detail::add_to_odd(quotient.limb[0], quotient.limb[1]);
  }
};

}  // namespace mct::cuda
