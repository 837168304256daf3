// Moves the rows of a batch along their gradients.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/embed/training_launch.hpp"
#include "cuda/geometry/team_row.hpp"
#include "src/embed/kernels/row_step.hpp"

namespace mct::cuda {

/// A row that is moved, with the interface that kernels::StepRows needs.
template <class Place, class Team>
class MovingRow {
 public:
  using Gradient = typename Place::Vector;
  static constexpr int used = 1;

  MCT_BLOCK MovingRow(Team& team, double* points, double* moments, std::int64_t row,
                      const Gradient& gradient)
      : team_(team), points_(points), moments_(moments), row_(row), gradient_(gradient) {}

  MCT_BLOCK double vector(int i) const { return gradient_[i]; }
  MCT_BLOCK TeamRow<Team, double> points(int offset) const {
    return {team_, points_ + row_ * numbers_in<Place> + offset};
  }
  MCT_BLOCK TeamRow<Team, double> moments() const {
    return {team_, moments_ + row_ * (coordinates_in<Place> + embed_detail::Moments::more)};
  }

 private:
  Team& team_;
  double *points_, *moments_;
  std::int64_t row_;
  const Gradient& gradient_;
};

/// Moves a row. False if it would have become infinite or NaN, and so stays.
template <class Place, bool adaptive, class Team>
MCT_BLOCK bool move_row(Team& team, double* points, const embed_detail::Steps<double>& steps,
                        std::int64_t row, const typename Place::Vector& gradient) {
  const embed_detail::PointTable<double> table{points, dimensions_in<Place>, numbers_in<Place>, 1};
  const MovingRow<Place, Team> moving(team, points, steps.moments.data, row, gradient);
  kernels::StepBuffers<Place> buffers(coordinates_in<Place>);
  return kernels::follow_in_lanes<Place, adaptive>(table, steps, buffers, moving) > 0;
}

/// The thread of a row's first key adds the row's gradients in the order of the batch and moves the
/// row. No other thread moves this row, so there is no race, and the order is that of the CPU.
///
/// Grid: (count / threads, rounded up).
template <class Place, bool adaptive>
struct MoveRows : MoveLaunch {
  static constexpr int threads = keys_of_move_block, blocks_per_sm = 1;

  template <class Team>
  struct Shared {
    typename Team::template Array<std::int32_t, threads> stayed;
  };

  template <class Team>
  MCT_BLOCK void operator()(Team& team, Shared<Team>& shared) const {
    const std::int64_t at = thread_number<threads>(team);
    shared.stayed.template write<1>(team.rank(), {{std::int32_t(at < count && stays(team, at))}});
    team.barrier();
    if (team.rank() != 0) return;
    std::int32_t sum = 0;
    for (int i = 0; i < threads; ++i) sum += shared.stayed.template read<1>(i)[0];
    team.template store<1>(stayed + team.block_x(), {{sum}});
  }

 private:
  /// Moves the row whose keys begin here, if there is one. True if that row stays.
  template <class Team>
  MCT_BLOCK bool stays(Team& team, std::int64_t at) const {
    RowKey key;
    if (!begins_row(team, keys, at, key)) return false;
    const auto sum = sum_of_row(team, keys, count, at, key,
                                [&](std::int64_t place) { return gradient(team, place); });
    embed_detail::Steps<double> now = steps;
    now.rate = team.template load<1>(&state->rate)[0];
    if (adaptive) now.moments.eps = steps.moments.eps * team.template load<1>(&state->radius)[0];
    return !move_row<Place, adaptive>(team, points, now, row_of(key), sum);
  }
  template <class Team>
  MCT_BLOCK typename Place::Vector gradient(Team& team, std::int64_t place) const {
    typename Place::Vector g;
    MCT_UNROLL
    for (int c = 0; c < coordinates_in<Place>; ++c)
      g[c] = team.template load<1>(gradients + c * plane + place)[0];
    return g;
  }
};

}  // namespace mct::cuda
