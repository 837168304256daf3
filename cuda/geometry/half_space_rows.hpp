// Rows of points of multi-component half-spaces on a GPU, for any number of coordinates. A thread
// has one row.
#pragma once

#include <cstdint>

#include "cuda/base/thread_number.hpp"
#include "cuda/geometry/team_row.hpp"
#include "cuda/tensor/planes.hpp"
#include "src/geometry/kernels/halfspace_row_steps.hpp"

namespace mct::cuda {

template <int M, class Team, class P>
MCT_BLOCK auto half_space_row(Team& team, const DevicePlanes<P, M>& points, std::int64_t row,
                              int n) {
  using Row = TeamRow<Team, P>;
  return kernels::RowLanes<double, M, Row>(Row(team, points.data + row * n), points.plane);
}

/// out[i] = K d(p[i], q[i]), with the bits of geometry::half_space_dist.
///
/// Grid: (count / threads, rounded up), also for HalfSpaceRowExpmap.
template <int M>
struct HalfSpaceRowDist {
  static constexpr int threads = 128, blocks_per_sm = 1;

  DevicePlanes<const double, M> p, q;
  std::int64_t count;
  int n;
  double radius;
  double* out;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t i = thread_number<threads>(team);
    if (i >= count) return;
    const double d = kernels::row_distance<double>(half_space_row(team, p, i, n),
                                                   half_space_row(team, q, i, n), n);
    team.template store<1>(out + i, {{radius == 1 ? d : d * radius}});
  }
};

/// Moves every row by its frame vector: geometry::half_space_expmap_.
template <int M>
struct HalfSpaceRowExpmap {
  static constexpr int threads = 128, blocks_per_sm = 1;

  DevicePlanes<double, M> points;
  const double* frame;  // [count][n]
  std::int64_t count;
  int n;
  bool long_height;

  template <class Team>
  MCT_BLOCK void operator()(Team& team, NoShared&) const {
    const std::int64_t i = thread_number<threads>(team);
    if (i >= count) return;
    const TeamRow<Team, const double> vector(team, frame + i * n);
    kernels::move_row<double>(half_space_row(team, points, i, n), n, long_height,
                              [&](int c) { return vector.load(c); });
  }
};

/// The list of programs for all numbers of components, for the source that compiles them.
#define MCT_FOR_EACH_HALF_SPACE_ROWS(DO) \
  DO(HalfSpaceRowDist<1>)                \
  DO(HalfSpaceRowDist<2>)                \
  DO(HalfSpaceRowDist<3>)                \
  DO(HalfSpaceRowDist<4>)                \
  DO(HalfSpaceRowExpmap<1>)              \
  DO(HalfSpaceRowExpmap<2>)              \
  DO(HalfSpaceRowExpmap<3>)              \
  DO(HalfSpaceRowExpmap<4>)

}  // namespace mct::cuda
