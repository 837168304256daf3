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
#include "src/tensor/thread_pool.hpp"

namespace mct::embed {
namespace {

/// Pairs of points that are worth another thread: about 20 microseconds of work. A round of two
/// threads takes this long to begin and end if one of them sleeps.
constexpr std::int64_t pairs_of_a_thread = 768;

/// Pairs that are worth beginning and ending a team for, once in each run of batches: some
/// milliseconds of work on a machine that others use, too.
constexpr std::int64_t pairs_of_a_team = 50000;

/// Pairs of a piece. Pieces are short, so that others do not wait long for a thread that loses its
/// processor within a piece.
constexpr std::int64_t pairs_of_a_piece = 384;

}  // namespace

template <class T>
BatchLoop<T>::BatchLoop(Trainer::State& state)
    : state_(state),
      loss_(*state.loss),
      threads_(num_threads()),
      tangents_(tangents_of(state.options.space)),
      width_(loss_.width()) {
  const auto most = std::size_t(state.edges_of(0) * loss_.examples_of_edge());
  const std::size_t pairs = most * std::size_t(width_);
  rows_.resize(pairs);
  plane_ = padded_plane(std::int64_t(pairs));
  gradients_.resize(std::size_t(plane_ * tangents_));
  for (auto* each : {&shares_, &losses_, &slopes_}) each->resize(most);
  const auto threads =
      std::size_t(std::clamp<std::int64_t>(std::int64_t(pairs) / pairs_of_a_thread, 1, threads_));
  for (std::size_t t = 0; t < threads; ++t) owners_.emplace_back(state, tangents_);
  workers_ = int(threads);
  loss_.prepare(workers_);
}

template <class T>
void BatchLoop<T>::run(std::int64_t batches) {
  const ExactEnvironment exact;
  using Clock = std::chrono::steady_clock;
  const std::int64_t pairs = batches * std::int64_t(rows_.size());
  const bool may_pay = workers_ > 1 && pairs >= pairs_of_a_team;
  const bool by_team = may_pay && way_.by_team();
  const auto start = Clock::now();
  team_ = by_team ? workers_ : 1;
  const std::int64_t first = state_.batch;
  for (std::int64_t number = first; number < first + batches; ++number) run_batch(number);
  if (may_pay)
    way_.took(by_team, std::chrono::duration<double>(Clock::now() - start).count() / double(pairs));
  std::int64_t stayed = 0;
  for (Owner& owner : owners_) stayed += std::exchange(owner.stayed, std::int64_t(0));
  state_.stayed += state_.exchange ? state_.exchange->sum(stayed) : stayed;
}

template <class T>
void BatchLoop<T>::run_batch(std::int64_t number) {
  const Batch batch = batch_of(number);
  if (state_.exchange) {
    exchange_and_find_gradients(batch);
  } else {
    for_examples(batch, [&](std::int64_t begin, std::int64_t end, int thread) {
      draw_rows(batch, begin, end, thread);
      find_gradients(batch, begin, end, thread);
    });
    to_add_ = vectors_of(batch);
  }
  account(batch);
  tensor_detail::run_pieces(std::int64_t(owners_.size()), team_,
                            [&](std::int64_t owner, int) { move_rows(batch, int(owner)); });
}

template <class T>
typename BatchLoop<T>::Batch BatchLoop<T>::batch_of(std::int64_t number) const {
  const std::int64_t first = number * state_.options.batch;
  const std::int64_t edges = state_.edges_of(number);
  const std::int64_t count = edges * loss_.examples_of_edge();
  const auto [begin, end] = state_.exchange ? state_.exchange->part(count)
                                            : std::pair<std::int64_t, std::int64_t>(0, count);
  return {{*state_.graph, state_.order.data() + first, edges, first, std::uint32_t(state_.epoch),
           state_.burning(), std::exp(state_.log_radius)},
          number,
          count,
          begin,
          end};
}

template <class T>
template <class F>
void BatchLoop<T>::for_examples(const Batch& batch, const F& f) {
  const std::int64_t count = batch.end - batch.begin;
  const std::int64_t pieces =
      workers_ == 1 ? 1 : std::clamp<std::int64_t>(count * width_ / pairs_of_a_piece, 1, 64);
  tensor_detail::run_pieces(pieces, team_, [&](std::int64_t piece, int thread) {
    f(batch.begin + count * piece / pieces, batch.begin + count * (piece + 1) / pieces, thread);
  });
}

template <class T>
void BatchLoop<T>::exchange_and_find_gradients(const Batch& batch) {
  for_examples(batch, [&](std::int64_t begin, std::int64_t end, int thread) {
    draw_rows(batch, begin, end, thread);
  });
  const RowVectors<T> own = vectors_of(batch);
  state_.exchange->fetch(own.rows, own.count, state_.points);
  for_examples(batch, [&](std::int64_t begin, std::int64_t end, int thread) {
    find_gradients(batch, begin, end, thread);
  });
  to_add_ = state_.exchange->deliver(own, received_);
  state_.exchange->gather(batch.begin, batch.end, losses_);
  if (state_.options.radius_lr > 0) state_.exchange->gather(batch.begin, batch.end, slopes_);
}

template <class T>
RowVectors<T> BatchLoop<T>::vectors_of(const Batch& batch) const {
  const std::int64_t first = batch.begin * width_;
  return {rows_.data() + first, (batch.end - batch.begin) * width_, gradients_.data() + first,
          plane_};
}

template <class T>
void BatchLoop<T>::draw_rows(const Batch& batch, std::int64_t begin, std::int64_t end, int thread) {
  loss_.draw(batch.edges, begin, end, thread, rows_.data(), shares_.data());
}

template <class T>
void BatchLoop<T>::find_gradients(const Batch& batch, std::int64_t begin, std::int64_t end,
                                  int thread) {
  const Tensor<double>& points = state_.points;
  const EmbeddingSpace& space = state_.options.space;
  loss_.find_gradients(
      batch.edges, {points.data(), space.dimensions, int(points.size(1)), space.factors}, begin,
      end, thread, rows_.data(), shares_.data(),
      embed_detail::ExampleResults<T>{gradients_.data(), plane_, losses_.data(), slopes_.data()});
}

template <class T>
void BatchLoop<T>::move_rows(const Batch& batch, int number) {
  Owner& owner = owners_[std::size_t(number)];
  owner.sums.add(to_add_, number, int(owners_.size()));
  const auto& rows = owner.sums.rows();
  const auto count = std::int64_t(rows.size());
  const EmbeddingSpace& space = state_.options.space;
  const Tensor<double>& points = state_.points;
  auto steps = state_.steps_at<T>(batch.edges.radius);
  steps.count = count;
  steps.rows = rows.data();
  steps.vectors = owner.sums.sums();
  steps.plane = owner.sums.plane();
  owner.stayed +=
      count -
      std::get<embed_detail::TrainKernels<T>>(state_.kernels)
          .step({points.data(), space.dimensions, int(points.size(1)), space.factors}, steps);
  if (loss_.settles())
    for (const std::int32_t row : rows) loss_.settle(points.data() + row * points.size(1));
  if (space.storage != PointStorage::l_tiling) return;
  for (const std::int32_t row : rows)
    if (!keep_in_tiles(points.data() + row * points.size(1), state_.options))
      throw DomainError("training: a tile at node " + std::to_string(row) +
                        " has numbers that do not fit into " + std::to_string(space.components) +
                        " components");
}

template <class T>
void BatchLoop<T>::account(const Batch& batch) {
  double slope = 0;
  for (std::int64_t e = 0; e < batch.count; ++e) {
    state_.loss_sum += losses_[std::size_t(e)];
    slope += slopes_[std::size_t(e)];
  }
  state_.batch = batch.number + 1;
  state_.follow_slope(slope);
}

template class BatchLoop<float>;
template class BatchLoop<double>;

}  // namespace mct::embed
