// The rows of a batch follow their gradients.
#pragma once

#include "cuda/base/thread_number.hpp"
#include "cuda/embed/row_steps.hpp"
#include "cuda/embed/training_state.hpp"
#include "cuda/geometry/sort_rows.hpp"

namespace mct::cuda {

/// Adds the gradients of each row in the order of the batch and moves the row: the thread of its
/// first key does. No row has two, so there is nothing to race for, and no order but that of the
/// CPU.
///
/// Grid: (count / threads, rounded up).
template <class Place, bool adaptive>
struct MoveRows {
  static constexpr int threads = 128, blocks_per_sm = 1;

  const TrainingState* state;
  const RowKey* keys;  // sorted
  std::int64_t count;
  const double* gradients;  // [coordinates][plane]
  std::int64_t plane;
  double* points;
  embed_detail::Steps steps;  // the rate is the state's, eps that at radius 1
  std::int32_t* stayed;       // [blocks]: rows that would have left the numbers

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
  template <class Team>
  MCT_BLOCK RowKey key_at(Team& team, std::int64_t at) const {
    return team.template load<1>(keys + at)[0];
  }
  /// Moves the row whose keys begin here, if one does and can be moved.
  template <class Team>
  MCT_BLOCK bool stays(Team& team, std::int64_t at) const {
    RowKey key = key_at(team, at);
    const std::int32_t row = row_of(key);
    if (row < 0 || (at > 0 && row_of(key_at(team, at - 1)) == row)) return false;
    typename Place::Vector sum = gradient(team, key);
    for (++at; at < count; ++at) {
      key = key_at(team, at);
      if (row_of(key) != row) break;
      const auto more = gradient(team, key);
      MCT_UNROLL
      for (int c = 0; c < coordinates_in<Place>; ++c) sum[c] = sum[c] + more[c];
    }
    embed_detail::Steps now = steps;
    now.rate = team.template load<1>(&state->rate)[0];
    if (adaptive) now.moments.eps = steps.moments.eps * team.template load<1>(&state->radius)[0];
    return !move_row<Place, adaptive>(team, points, now, row, sum);
  }
  template <class Team>
  MCT_BLOCK typename Place::Vector gradient(Team& team, RowKey key) const {
    typename Place::Vector g;
    MCT_UNROLL
    for (int c = 0; c < coordinates_in<Place>; ++c)
      g[c] = team.template load<1>(gradients + c * plane + place_of(key))[0];
    return g;
  }
};

}  // namespace mct::cuda
