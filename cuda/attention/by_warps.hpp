// The products of forward attention by the matrix instructions of a warp.
#pragma once

#include "cuda/attention/pair_tile.hpp"

namespace mct::cuda {

/// A warp has 16 `strips` queries. Its products are complete when the call returns.
template <class S, int D, class T>
struct ByWarps {
  static constexpr bool lags = false;
  static constexpr int parts = parts_of<T>;
  static constexpr int warps = 4, blocks_per_sm = 2;
  static constexpr int strips = parts == 1 ? 2 : 1;
  static constexpr int queries = 16 * strips * warps;
  static constexpr int keys = D * parts > 64 ? 32 : 64;
  static constexpr int together = 16 * strips;  // queries that see the same blocks of keys
  static constexpr int alignment = 16;
  static constexpr int more = 0;  // elements after the values
  using QueryTile = TileRows<D>;
  using KeyTile = TileRows<D>;
  using Pair = PairTile<S, D, parts, strips, keys, true>;

  /// The sums of a warp: of weighted values, and of the rounded weights (elements 0 and 2).
  struct Sums {
    float values[strips][D / 8][4] = {};
    float rounded[strips][4] = {};

    MCT_BLOCK float* weights(int strip) { return rounded[strip]; }
  };

  template <class Team, class Queries, class Keys>
  static MCT_BLOCK void multiply(Team& team, const Queries& x, const Keys& y, int stage,
                                 typename Pair::Pairs& scores) {
    Pair::multiply(team, x, Pair::warp_row(team), queries * D, y, stage * parts * keys * D,
                   keys * D, scores);
  }
  template <class Team, class Values>
  static MCT_BLOCK void add_weighted(Team& team, const typename Pair::Pairs& weights,
                                     const Values& v, int stage, Sums& sums) {
    Pair::template add_weighted<parts == 1>(team, weights, v, stage * parts * keys * D, keys * D,
                                            sums.values, sums.rounded);
  }
};

}  // namespace mct::cuda
