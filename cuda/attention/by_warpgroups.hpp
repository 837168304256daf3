// The products of forward attention by the matrix instructions of a warpgroup, which devices of
// compute capability 9.0 have.
#pragma once

#include "cuda/attention/pair_tile.hpp"
#include "cuda/base/matrix_descriptor.hpp"

namespace mct::cuda {

/// A warpgroup has 64 queries. Its products are asynchronous: the weights of a block of keys are
/// multiplied by values while the weights of the next block are computed. So these products lag
/// behind by one block. Meanwhile the other warpgroups of the thread block compute, too. Source of
/// the order: Shah et al. 2024 (FlashAttention-3), section 3.2.
template <class S, int D, class T>
struct ByWarpgroups {
  static_assert(parts_of<T> == 1);
  static constexpr bool lags = true;
  static constexpr int warpgroups = D == 64 ? 3 : 2;
  static constexpr int warps = 4 * warpgroups, blocks_per_sm = 1;
  static constexpr int strips = 1;
  static constexpr int together = 64;
  static constexpr int queries = together * warpgroups;
  static constexpr int keys = D == 64 && S::from_distance ? 96 : 128;
  static constexpr int alignment = swizzled_bytes;
  static constexpr int depth = 16;  // of an instruction's sum
  using QueryTile = TilePanels<D, queries>;
  using KeyTile = TilePanels<D, keys>;
  using Pair = PairTile<S, D, 1, strips, keys, true, QueryTile, KeyTile>;

  static constexpr int panel_columns = 64;
  static constexpr int panels = D / panel_columns;
  MCT_HD static constexpr int bytes(int elements) { return elements * int(sizeof(bfloat16)); }
  // After the values is a panel of ones, for the sums of the rounded weights.
  static constexpr int more = depth * panel_columns;

  struct Sums {
    float values[strips][D / 8 + 1][4] = {};

    MCT_BLOCK float* weights(int strip) { return values[strip][D / 8]; }
  };
  /// Rounded weights as left fragments.
  struct Weights {
    std::uint32_t fragments[keys / depth][4];

    MCT_BLOCK void round(const typename Pair::Pairs& weights) {
      MCT_UNROLL
      for (int k = 0; k < keys / depth; ++k)
        to_left_fragment(weights[0][2 * k], weights[0][2 * k + 1], fragments[k]);
    }
  };

  template <class Team, class Values>
  static MCT_BLOCK void write_ones(Team& team, Values& v, int behind) {
    constexpr int chunk = KeyTile::chunk;
    Pack<bfloat16, chunk> ones;
    MCT_UNROLL
    for (int k = 0; k < chunk; ++k) ones[k] = bfloat16::from_bits(0x3f80);
    if (team.rank() < more / chunk) v.template write<chunk>(behind + chunk * team.rank(), ones);
  }

  /// Starts a group of products: the warpgroup's queries times a block of keys.
  template <class Team, class Queries, class Keys>
  static MCT_BLOCK void start_scores(Team& team, int warpgroup, const Queries& x, const Keys& y,
                                     int stage, typename Pair::Pairs& scores) {
    const auto of_x = team.describe(x, warpgroup * together * panel_columns, 0, swizzled_bytes);
    const auto of_y = team.describe(y, stage * keys * D, 0, swizzled_bytes);
    MCT_UNROLL
    for (int step = 0; step < D / depth; ++step) {
      const int panel = step * depth / panel_columns;
      const int within = bytes(step * depth % panel_columns);
      team.template start_product<keys / 8>(
          scores[0], of_x.moved(bytes(panel * QueryTile::panel) + within),
          of_y.moved(bytes(panel * KeyTile::panel) + within), step > 0);
    }
    team.commit_products();
  }
  /// Starts a group of products: sums += weights times the values of a block of keys.
  template <class Team, class Values>
  static MCT_BLOCK void start_sums(Team& team, const Weights& weights, const Values& v, int stage,
                                   int ones, Sums& sums) {
    constexpr int last = (panels - 1) * KeyTile::panel;
    const int from = stage * keys * D;
    const auto of_v = team.describe(v, from, bytes(ones - from - last), swizzled_bytes);
    MCT_UNROLL
    for (int k = 0; k < keys / depth; ++k) MCT_UNROLL
    for (int p = 0; p < panels; ++p) {
      const int at = bytes(p * KeyTile::panel + k * depth * panel_columns);
      float(*const to)[4] = sums.values[0] + p * (panel_columns / 8);
      if (p + 1 < panels) {
        team.template start_product<8>(to, weights.fragments[k], of_v.moved(at), true);
      } else {  // with a column of ones
        const int nearer = bytes(k * depth * panel_columns);
        team.template start_product<9>(to, weights.fragments[k], of_v.moved(at, -nearer), true);
      }
    }
    team.commit_products();
  }
};

}  // namespace mct::cuda
