// Training of embeddings on a GPU: the steps of embed::Trainer, with its bits.
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/device/launch_graph.hpp"
#include "cuda/device/stream_queue.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/end_batch.hpp"
#include "cuda/embed/training_launch.hpp"
#include "cuda/geometry/start_sort.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/graph/graph.hpp"
#include "src/embed/neighbour_loss.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"

namespace mct::cuda {
namespace {

template <class T>
using Buffer = StreamQueue::Buffer<T>;

/// The graph of a training in a device's memory.
class TrainingGraph {
 public:
  TrainingGraph(const StreamQueue& queue, const embed::Graph& graph,
                const embed::Negatives& negatives)
      : nodes_(std::int64_t(graph.node_count())),
        sources_(queue.upload(graph.sources())),
        targets_(queue.upload(graph.targets())),
        begin_(queue.upload(std::vector<std::uint64_t>(negatives.targets().begins().begin(),
                                                       negatives.targets().begins().end()))),
        entries_(queue.upload(negatives.targets().entries())),
        keep_(queue.upload(negatives.by_count().keep())),
        other_(queue.upload(negatives.by_count().other())) {
    if (graph.has_weights()) weights_ = queue.upload(graph.weights());
  }

  DeviceGraph view() const {
    return {sources_.data(), targets_.data(), weights_ ? weights_->data() : nullptr,
            begin_.data(),   entries_.data(), keep_.data(),
            other_.data(),   nodes_};
  }

 private:
  std::int64_t nodes_;
  Buffer<std::int32_t> sources_, targets_;
  Buffer<std::uint64_t> begin_;
  Buffer<std::int32_t> entries_;
  Buffer<std::uint64_t> keep_;
  Buffer<std::int32_t> other_;
  std::optional<Buffer<double>> weights_;
};

TrainingSpace space_of(const embed::TrainOptions& options) {
  return {embed::trained_as(options.space.storage), options.space.components,
          options.space.dimensions};
}

std::vector<double> values_of(const Tensor<double>& x) { return {x.data(), x.data() + x.numel()}; }

}  // namespace

/// A step is one graph of launches: it draws examples, sorts the rows of the batch, computes losses
/// and gradients, adds each row's gradients in the order of the batch, moves the row, and adds the
/// losses.
class DeviceTraining final : public embed::BatchRunner {
 public:
  static embed::Trainer trainer(std::shared_ptr<const embed::Graph> graph,
                                const embed::TrainOptions& options, const Stream& stream) {
    auto state = std::make_unique<embed::Trainer::State>(std::move(graph), options, nullptr);
    state->runner = std::make_unique<DeviceTraining>(*state, stream);
    return embed::Trainer(std::move(state));
  }

  DeviceTraining(embed::Trainer::State& state, const Stream& stream)
      : state_(state),
        options_(state.options),
        space_(space_of(options_)),
        stream_(stream),
        queue_(stream),
        examples_(state.edges_of(0)),
        pairs_(examples_ * (2 + options_.negatives)),
        plane_(embed::padded_plane(pairs_)),
        blocks_(blocks_for(pairs_, keys_of_move_block).x),
        graph_(queue_, *state.graph,
               static_cast<const embed::NeighbourLoss&>(*state.loss).negatives()),
        where_(queue_.allocate<TrainingState>(1)),
        order_(queue_.allocate<std::uint32_t>(std::int64_t(state.graph->edge_count()))),
        rows_(queue_.allocate<std::int32_t>(pairs_)),
        shares_(queue_.allocate<double>(examples_)),
        keys_(queue_.allocate<RowKey>(pairs_)),
        other_keys_(queue_.allocate<RowKey>(pairs_)),
        gradients_(queue_.allocate<double>(plane_ * embed::tangents_of(options_.space))),
        losses_(queue_.allocate<double>(examples_)),
        slopes_(queue_.allocate<double>(learns_radius() ? examples_ : 0)),
        stayed_(queue_.allocate<std::int32_t>(blocks_)),
        points_(queue_.allocate<double>(state.points.numel())),
        moments_(queue_.allocate<double>(state.moments.numel())),
        step_(queue_, [this] { give_step(); }) {
    reload();
  }

  void run(std::int64_t batches) override {
    if (epoch_of_order_ != state_.epoch) queue_.write(order_.data(), state_.order);
    epoch_of_order_ = state_.epoch;
    // the CPU learns the radius, with its own exponential, so it needs the slope of every batch
    const std::int64_t at_once = learns_radius() ? 1 : batches;
    for (std::int64_t done = 0; done < batches; done += at_once) {
      queue_.write(where_.data(), {where()});
      for (std::int64_t i = 0; i < at_once; ++i) step_.run();
      is_ahead_ = true;
      account(queue_.download(where_.data(), 1)[0]);
    }
  }
  void fetch() override {
    if (!is_ahead_) return;
    fetch(state_.points, points_);
    fetch(state_.moments, moments_);
    is_ahead_ = false;
  }
  void reload() override {
    queue_.write(points_.data(), values_of(state_.points));
    queue_.write(moments_.data(), values_of(state_.moments));
    is_ahead_ = false;
  }

 private:
  bool is_adaptive() const { return options_.optimizer == embed::Optimizer::radam; }
  bool learns_radius() const { return options_.radius_lr > 0; }
  double radius() const { return std::exp(state_.log_radius); }

  void fetch(const Tensor<double>& to, const Buffer<double>& from) const {
    if (to.numel() == 0) return;
    copy(to.data(), from.data(), std::size_t(to.numel()) * sizeof(double), stream_);
  }
  TrainingState where() const {
    TrainingState now;
    now.seed = options_.seed;
    now.edges = std::int64_t(state_.graph->edge_count());
    now.batch = options_.batch;
    now.rate = state_.steps_at<double>(radius()).rate;
    now.epoch = std::uint32_t(state_.epoch);
    now.by_count = std::int32_t(state_.burning());
    now.radius = radius();
    now.number = state_.batch;
    now.loss_sum = state_.loss_sum;
    now.stayed = state_.stayed;
    return now;
  }

  /// Takes the results from the device.
  void account(const TrainingState& now) {
    state_.batch = now.number;
    state_.loss_sum = now.loss_sum;
    state_.stayed = now.stayed;
    state_.follow_slope(now.slope);
  }

  /// Gives the launches of a step to the queue.
  void give_step() const {
    queue_.run(DrawExamples{where_.data(), graph_.view(), order_.data(), options_.negatives,
                            rows_.data(), shares_.data()},
               {int(examples_)});
    const RowKey* keys =
        start_sort(rows_.data(), pairs_, keys_.data(), other_keys_.data(), stream_);
    const embed_detail::Examples examples{1 + options_.negatives, rows_.data(), options_.sharpness,
                                          shares_.data()};
    double* const slopes = learns_radius() ? slopes_.data() : nullptr;
    start_examples(space_,
                   {where_.data(),
                    points_.data(),
                    examples,
                    {gradients_.data(), plane_, losses_.data(), slopes},
                    examples_},
                   stream_);
    embed_detail::Steps<double> steps = state_.steps_at<double>(1);
    if (is_adaptive()) steps.moments.data = moments_.data();
    start_moves(space_,
                {where_.data(), keys, pairs_, gradients_.data(), plane_, points_.data(), steps,
                 stayed_.data()},
                stream_);
    queue_.run(EndBatch{where_.data(), losses_.data(), slopes, stayed_.data(), blocks_}, {1});
  }

  embed::Trainer::State& state_;
  const embed::TrainOptions& options_;
  TrainingSpace space_;
  Stream stream_;
  StreamQueue queue_;
  std::int64_t examples_, pairs_, plane_, blocks_;  // of a batch
  TrainingGraph graph_;
  Buffer<TrainingState> where_;
  Buffer<std::uint32_t> order_;
  std::int64_t epoch_of_order_ = -1;
  Buffer<std::int32_t> rows_;  // [examples][2 + negatives]
  Buffer<double> shares_;
  Buffer<RowKey> keys_, other_keys_;
  Buffer<double> gradients_, losses_, slopes_;
  Buffer<std::int32_t> stayed_;
  Buffer<double> points_, moments_;
  bool is_ahead_ = false;  // whether points and moments are newer than those of the state
  LaunchGraph step_;
};

embed::Trainer device_trainer(std::shared_ptr<const embed::Graph> graph,
                              const embed::TrainOptions& options, const Stream& stream) {
  check_device_training(options);
  return DeviceTraining::trainer(std::move(graph), options, stream);
}

#if !MCT_HAVE_CUDA
void start_examples(const TrainingSpace&, const ExampleLaunch&, const Stream&) { refuse_launch(); }
void start_moves(const TrainingSpace&, const MoveLaunch&, const Stream&) { refuse_launch(); }
#endif

}  // namespace mct::cuda
