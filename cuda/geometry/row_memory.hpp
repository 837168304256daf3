// Points as rows of a matrix of expansions in global memory.
#pragma once

#include <cstdint>

#include "cuda/base/pack.hpp"
#include "mctensor/geometry/point.hpp"

namespace mct::cuda {

/// A number of N components of T, T itself for one.
template <class T, int N>
using PointNumber = typename std::conditional_t<N == 1, std::enable_if<true, T>,
                                                std::enable_if<true, Expansion<T, N>>>::type;

/// Limb l of coordinate c of row i is data[l plane + i n + c].
template <class T, int N, int n>
struct RowMemory {
  using Value = PointNumber<std::remove_const_t<T>, N>;
  using Point = geometry::Point<Value, n>;

  T* data;
  std::int64_t plane;

  template <class Team>
  MCT_BLOCK Point load(Team& team, std::int64_t row) const {
    Point x;
    MCT_UNROLL
    for (int c = 0; c < n; ++c) {
      if constexpr (N == 1) {
        x[c] = team.template load<1>(data + row * n + c)[0];
      } else {
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          x[c].limb[l] = team.template load<1>(data + l * plane + row * n + c)[0];
      }
    }
    return x;
  }
  template <class Team>
  MCT_BLOCK void store(Team& team, std::int64_t row, const Point& x) const {
    MCT_UNROLL
    for (int c = 0; c < n; ++c) {
      if constexpr (N == 1) {
        team.template store<1>(data + row * n + c, {{x[c]}});
      } else {
        MCT_UNROLL
        for (int l = 0; l < N; ++l)
          team.template store<1>(data + l * plane + row * n + c, {{x[c].limb[l]}});
      }
    }
  }
};

}  // namespace mct::cuda
