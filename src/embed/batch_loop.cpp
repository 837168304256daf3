// The batches of training, on all threads.
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/base/environment.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"
#if defined(_OPENMP)
#include <omp.h>
#endif

namespace mct::embed {
namespace {

/// Pairs of points that are worth another thread.
constexpr std::int64_t pairs_of_a_thread = 256;

/// Until all threads have come here.
void wait_for_all() {
#pragma omp barrier
}

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
      std::clamp<std::int64_t>(std::int64_t(pairs) / pairs_of_a_thread, 1, threads_);
  for (int t = 0; t < threads; ++t) workers_.push_back(std::make_unique<Worker>(state, tangents_));
}

void BatchLoop::run(std::int64_t batches) {
  batches_ = batches;
  const int wanted = int(workers_.size());
  if (wanted == 1) {
    work(0, 1);
  } else {
#if defined(_OPENMP)
#pragma omp parallel num_threads(wanted)
    work(omp_get_thread_num(), omp_get_num_threads());
#endif
  }
  failed_in_ = -1;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  std::int64_t stayed = 0;
  for (const auto& worker : workers_) stayed += std::exchange(worker->stayed, std::int64_t(0));
  state_.stayed += state_.exchange ? state_.exchange->sum(stayed) : stayed;
}

/// Runs what a thread does before it waits for the others; false if one of them has failed in this
/// phase. One that has failed in the next one, where others are not yet, is heard of there.
template <class F>
bool BatchLoop::together(std::int64_t phase, const F& f) {
  try {
    f();
  } catch (...) {
#pragma omp critical(mctensor_training_failure)
    failure_ = std::current_exception();
    failed_in_ = phase;
  }
  wait_for_all();
  return failed_in_ != phase;
}

void BatchLoop::work(int thread, int threads) {
  const ExactEnvironment exact;
  Worker& worker = *workers_[std::size_t(thread)];
  const std::int64_t first = state_.batch;
  std::int64_t phase = 0;
  for (std::int64_t number = first; number < first + batches_; ++number) {
    const Batch batch = batch_of(number);
    if (!find_own_gradients(batch, worker, thread, threads, phase)) return;
    if (!together(++phase, [&] {
          if (thread == 0) account(batch);
          move_rows(batch, worker, thread, threads);
        }))
      return;
  }
}

BatchLoop::Batch BatchLoop::batch_of(std::int64_t number) const {
  const std::int64_t count = state_.edges_of(number);
  const auto [begin, end] = state_.exchange ? state_.exchange->part(count)
                                            : std::pair<std::int64_t, std::int64_t>(0, count);
  return {number, count, begin, end, std::exp(state_.log_radius)};
}

/// The gradients that this process's rows will be moved by; false if a thread has failed.
bool BatchLoop::find_own_gradients(const Batch& batch, Worker& worker, int thread, int threads,
                                   std::int64_t& phase) {
  const std::int64_t count = batch.end - batch.begin;
  const std::int64_t begin = batch.begin + count * thread / threads;
  const std::int64_t end = batch.begin + count * (thread + 1) / threads;
  if (!state_.exchange)
    return together(++phase, [&] {
      draw_rows(batch, worker, begin, end);
      find_gradients(batch, begin, end);
      if (thread == 0) to_add_ = vectors_of(batch);
    });
  return together(++phase, [&] { draw_rows(batch, worker, begin, end); }) &&
         together(++phase,
                  [&] {
                    const RowVectors own = vectors_of(batch);
                    if (thread == 0) state_.exchange->fetch(own.rows, own.count, state_.points);
                  }) &&
         together(++phase, [&] { find_gradients(batch, begin, end); }) && together(++phase, [&] {
           if (thread == 0) send_gradients(batch);
         });
}

RowVectors BatchLoop::vectors_of(const Batch& batch) const {
  const std::int64_t first = batch.begin * width_;
  return {rows_.data() + first, (batch.end - batch.begin) * width_, gradients_.data() + first,
          plane_};
}

void BatchLoop::send_gradients(const Batch& batch) {
  to_add_ = state_.exchange->deliver(vectors_of(batch));
  state_.exchange->gather(batch.begin, batch.end, losses_);
  if (state_.options.radius_lr > 0) state_.exchange->gather(batch.begin, batch.end, slopes_);
}

void BatchLoop::draw_rows(const Batch& batch, Worker& worker, std::int64_t begin,
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
                          std::uint32_t(state_.epoch), state_.burning(), options.negatives,
                          worker.scratch, rows + 2);
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

embed_detail::Steps BatchLoop::steps_of(const Batch& batch, const RowSums& sums) const {
  const TrainOptions& options = state_.options;
  embed_detail::Steps steps{std::int64_t(sums.rows().size()),
                            sums.rows().data(),
                            sums.sums(),
                            sums.plane(),
                            -state_.rate() / (batch.radius * batch.radius),
                            options.longest_step,
                            {}};
  if (options.optimizer == Optimizer::radam) {
    // a gradient is 1 / K times that at radius 1, and so is a step in units of the radius; the
    // first moment and the root of the second one change alike
    steps.rate = -state_.rate() / batch.radius;
    steps.moments = {state_.moments.data(), options.beta1, options.beta2,
                     options.eps * batch.radius};
  }
  return steps;
}

void BatchLoop::move_rows(const Batch& batch, Worker& worker, int thread, int threads) {
  worker.sums.add(to_add_, thread, threads);
  const auto& rows = worker.sums.rows();
  const auto count = std::int64_t(rows.size());
  const EmbeddingSpace& space = state_.options.space;
  const Tensor<double>& points = state_.points;
  worker.stayed += count - state_.kernels.step({points.data(), space.dimensions,
                                                int(points.size(1)), space.factors},
                                               steps_of(batch, worker.sums));
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
  if (state_.options.radius_lr > 0 && std::isfinite(slope))
    state_.log_radius -= state_.options.radius_lr * batch.radius * state_.options.sharpness * slope;
}

}  // namespace mct::embed
