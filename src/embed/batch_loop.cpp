// The batches of training, on all threads.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"

namespace mct::embed {
namespace {

/// Pairs of points that are worth another thread: some 20 microseconds of work, and as long a round
/// of two threads takes to begin and end where one of them sleeps.
constexpr std::int64_t pairs_of_a_thread = 768;

/// Pairs that are worth beginning and ending a team for, once in each run of batches: some
/// milliseconds of work on a machine that others use, too.
constexpr std::int64_t pairs_of_a_team = 50000;

/// Pairs of a piece, so that a thread that goes elsewhere within one is not waited for long.
constexpr std::int64_t pairs_of_a_piece = 384;

}  // namespace

BatchLoop::BatchLoop(Trainer::State& state)
    : state_(state),
      threads_(num_threads()),
      tangents_(tangents_of(state.options.space)),
      width_(2 + state.options.negatives) {
  const auto most = std::size_t(state.edges_of(0));
  const std::size_t pairs = most * std::size_t(width_);
  rows_.resize(pairs);
  plane_ = padded_plane(std::int64_t(pairs));
  gradients_.resize(std::size_t(plane_ * tangents_));
  for (auto* each : {&shares_, &losses_, &slopes_}) each->resize(most);
  const auto threads =
      std::size_t(std::clamp<std::int64_t>(std::int64_t(pairs) / pairs_of_a_thread, 1, threads_));
  for (std::size_t t = 0; t < threads; ++t) owners_.emplace_back(state, tangents_);
  scratch_.resize(threads);
}

void BatchLoop::run(std::int64_t batches) {
  const ExactEnvironment exact;
  using Clock = std::chrono::steady_clock;
  const std::int64_t pairs = batches * std::int64_t(rows_.size());
  const bool may_pay = scratch_.size() > 1 && pairs >= pairs_of_a_team;
  const bool by_team = may_pay && way_.by_team();
  const auto start = Clock::now();
  rounds_.run(by_team ? int(scratch_.size()) : 1, [&] {
    const std::int64_t first = state_.batch;
    for (std::int64_t number = first; number < first + batches; ++number) run_batch(number);
  });
  if (may_pay)
    way_.took(by_team, std::chrono::duration<double>(Clock::now() - start).count() / double(pairs));
  std::int64_t stayed = 0;
  for (Owner& owner : owners_) stayed += std::exchange(owner.stayed, std::int64_t(0));
  state_.stayed += state_.exchange ? state_.exchange->sum(stayed) : stayed;
}

void BatchLoop::run_batch(std::int64_t number) {
  const Batch batch = batch_of(number);
  if (state_.exchange) {
    exchange_and_find_gradients(batch);
  } else {
    for_examples(batch, [&](std::int64_t begin, std::int64_t end, int thread) {
      draw_rows(batch, scratch_[std::size_t(thread)], begin, end);
      find_gradients(batch, begin, end);
    });
    to_add_ = vectors_of(batch);
  }
  account(batch);
  rounds_.round(int(owners_.size()), [&](int owner, int) { move_rows(batch, owner); });
}

BatchLoop::Batch BatchLoop::batch_of(std::int64_t number) const {
  const std::int64_t count = state_.edges_of(number);
  const auto [begin, end] = state_.exchange ? state_.exchange->part(count)
                                            : std::pair<std::int64_t, std::int64_t>(0, count);
  return {number, count, begin, end, std::exp(state_.log_radius)};
}

template <class F>
void BatchLoop::for_examples(const Batch& batch, const F& f) {
  const std::int64_t count = batch.end - batch.begin;
  const std::int64_t pieces =
      scratch_.size() == 1 ? 1 : std::clamp<std::int64_t>(count * width_ / pairs_of_a_piece, 1, 64);
  rounds_.round(int(pieces), [&](int piece, int thread) {
    f(batch.begin + count * piece / pieces, batch.begin + count * (piece + 1) / pieces, thread);
  });
}

void BatchLoop::exchange_and_find_gradients(const Batch& batch) {
  for_examples(batch, [&](std::int64_t begin, std::int64_t end, int thread) {
    draw_rows(batch, scratch_[std::size_t(thread)], begin, end);
  });
  const RowVectors own = vectors_of(batch);
  state_.exchange->fetch(own.rows, own.count, state_.points);
  for_examples(
      batch, [&](std::int64_t begin, std::int64_t end, int) { find_gradients(batch, begin, end); });
  to_add_ = state_.exchange->deliver(own);
  state_.exchange->gather(batch.begin, batch.end, losses_);
  if (state_.options.radius_lr > 0) state_.exchange->gather(batch.begin, batch.end, slopes_);
}

RowVectors BatchLoop::vectors_of(const Batch& batch) const {
  const std::int64_t first = batch.begin * width_;
  return {rows_.data() + first, (batch.end - batch.begin) * width_, gradients_.data() + first,
          plane_};
}

void BatchLoop::draw_rows(const Batch& batch, Negatives::Scratch& scratch, std::int64_t begin,
                          std::int64_t end) {
  const Graph& graph = *state_.graph;
  const TrainOptions& options = state_.options;
  const std::uint32_t* order = state_.order.data() + batch.number * options.batch;
  // edges lie anywhere, and so does what is known of their sources: each is asked for before it is
  // needed
  const auto source = [&](std::int64_t e) { return graph.sources()[order[e]]; };
  const auto fetch = [&](std::int64_t e) {
    if (e + 12 < end) {
      __builtin_prefetch(graph.sources().data() + order[e + 12]);
      __builtin_prefetch(graph.targets().data() + order[e + 12]);
    }
    if (e + 8 < end) state_.negatives.fetch_begin(source(e + 8));
    if (e + 4 < end) state_.negatives.fetch_targets(source(e + 4));
  };
  for (std::int64_t e = begin; e < end; ++e) {
    fetch(e);
    const std::size_t edge = order[e];
    std::int32_t* rows = rows_.data() + e * width_;
    rows[0] = graph.sources()[edge];
    rows[1] = graph.targets()[edge];
    shares_[std::size_t(e)] = graph.weight(edge) / double(batch.count);
    state_.negatives.draw(rows[0], std::uint64_t(batch.number * options.batch + e),
                          std::uint32_t(state_.epoch), state_.burning(), options.negatives, scratch,
                          rows + 2);
  }
}

void BatchLoop::find_gradients(const Batch& batch, std::int64_t begin, std::int64_t end) {
  const TrainOptions& options = state_.options;
  const Tensor<double>& points = state_.points;
  state_.kernels.gradients(
      {points.data(), options.space.dimensions, int(points.size(1)), options.space.factors},
      {width_ - 1, rows_.data(), options.sharpness * batch.radius, shares_.data()}, begin, end,
      {gradients_.data(), plane_, losses_.data(), slopes_.data()});
}

void BatchLoop::move_rows(const Batch& batch, int number) {
  Owner& owner = owners_[std::size_t(number)];
  owner.sums.add(to_add_, number, int(owners_.size()));
  const auto& rows = owner.sums.rows();
  const auto count = std::int64_t(rows.size());
  const EmbeddingSpace& space = state_.options.space;
  const Tensor<double>& points = state_.points;
  embed_detail::Steps steps = state_.steps_at(batch.radius);
  steps.count = count;
  steps.rows = rows.data();
  steps.vectors = owner.sums.sums();
  steps.plane = owner.sums.plane();
  owner.stayed +=
      count - state_.kernels.step(
                  {points.data(), space.dimensions, int(points.size(1)), space.factors}, steps);
  if (space.model != Model::l_tiling) return;
  for (const std::int32_t row : rows)
    if (!keep_in_tiles(points.data() + row * points.size(1), space.components, space.factors))
      throw DomainError("training: a tile at node " + std::to_string(row) +
                        " has numbers that do not fit into " + std::to_string(space.components) +
                        " components");
}

void BatchLoop::account(const Batch& batch) {
  double slope = 0;
  for (std::int64_t e = 0; e < batch.count; ++e) {
    state_.loss_sum += losses_[std::size_t(e)];
    slope += slopes_[std::size_t(e)];
  }
  state_.batch = batch.number + 1;
  state_.follow_slope(slope);
}

}  // namespace mct::embed
