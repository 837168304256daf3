// Training of embeddings on a GPU: the steps of embed::Trainer, with its bits.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/device/launch_graph.hpp"
#include "cuda/embed/draw_examples.hpp"
#include "cuda/embed/example_gradients.hpp"
#include "cuda/embed/move_rows.hpp"
#include "mctensor/embed/train.hpp"
#include "src/embed/edge_order.hpp"
#include "src/embed/negatives.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/row_sums.hpp"

namespace mct::cuda {

/// A graph in the device's memory.
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
  template <class T>
  using Buffer = StreamQueue::Buffer<T>;

  std::int64_t nodes_;
  Buffer<std::int32_t> sources_, targets_;
  Buffer<std::uint64_t> begin_;
  Buffer<std::int32_t> entries_;
  Buffer<std::uint64_t> keep_;
  Buffer<std::int32_t> other_;
  std::optional<Buffer<double>> weights_;
};

/// Points of Place (HalfSpacePlace<2, 2, false, double> ...) follow their gradients by Radam if
/// adaptive, else by gradient descent. A step is one graph of launches: examples are drawn, the
/// rows of the batch sorted, losses and gradients found, each row's gradients added in the order of
/// the batch and the row moved, the losses added. Points and losses are those of embed::Trainer for
/// the same options, bit for bit: one factor, a radius that stays, fewer than 8 most_turns
/// negatives.
template <class Place, bool adaptive, int most_turns = 8>
class DeviceTraining {
 public:
  /// Throws DomainError for options that are for the CPU alone.
  DeviceTraining(const StreamQueue& queue, const embed::Graph& graph,
                 const embed::TrainOptions& options)
      : DeviceTraining(queue, graph, checked(options), Sizes(graph, options)) {}

  /// Runs the steps of an epoch.
  embed::EpochReport run_epoch(std::int64_t epoch) {
    const bool burning = epoch < options_.burn_in;
    const double rate = burning ? options_.lr * options_.burn_in_factor : options_.lr;
    TrainingState begin;
    begin.seed = options_.seed;
    begin.edges = sizes_.edges;
    begin.batch = options_.batch;
    // a gradient is 1 / K times that at radius 1, and so is a step in units of the radius; Radam's
    // moments change alike
    begin.rate = adaptive ? -rate / sizes_.radius : -rate / (sizes_.radius * sizes_.radius);
    begin.epoch = std::uint32_t(epoch);
    begin.by_count = std::int32_t(burning);
    queue_.write(state_.data(), {begin});
    queue_.write(order_.data(), embed::edge_order(std::size_t(sizes_.edges), options_.seed, epoch));
    const std::int64_t steps = (sizes_.edges + options_.batch - 1) / options_.batch;
    for (std::int64_t i = 0; i < steps; ++i) step_.run();
    const TrainingState end = queue_.download(state_.data(), 1)[0];
    return {end.loss_sum / double(sizes_.edges), sizes_.edges, end.stayed};
  }

  /// As Trainer's kernels have them: [rows][numbers], at radius 1.
  std::vector<double> points() const {
    return queue_.download(points_.data(), sizes_.nodes * numbers_in<Place>);
  }

 private:
  template <class T>
  using Buffer = StreamQueue::Buffer<T>;
  using Gradients = ExampleGradients<Place, most_turns>;
  using Move = MoveRows<Place, adaptive>;

  struct Sizes {
    Sizes(const embed::Graph& graph, const embed::TrainOptions& options)
        : edges(std::int64_t(graph.edge_count())),
          nodes(std::int64_t(graph.node_count())),
          examples(std::min(options.batch, edges)),
          pairs(examples * (2 + options.negatives)),
          plane(embed::padded_plane(pairs)),
          blocks((pairs + Move::threads - 1) / Move::threads),
          radius(std::exp(std::log(options.space.radius))) {}

    std::int64_t edges, nodes, examples, pairs, plane, blocks;
    double radius;
  };

  static embed::TrainOptions checked(const embed::TrainOptions& options) {
    options.check();
    const embed::EmbeddingSpace& space = options.space;
    const char* wrong = nullptr;
    if (space.components != Place::stored_components ||
        embed::tangents_of(space) != coordinates_in<Place> || space.factors != 1)
      wrong = "a space that this program is not for";
    if ((options.optimizer == embed::Optimizer::radam) != adaptive)
      wrong = "an optimizer that this program is not for";
    if (options.negatives + 1 > 8 * most_turns)
      wrong = "more negatives than a program has room for";
    if (options.radius_lr > 0) wrong = "a radius that is learned";
    if (wrong != nullptr) throw DomainError("training on a device: " + std::string(wrong));
    return options;
  }

  DeviceTraining(const StreamQueue& queue, const embed::Graph& graph,
                 const embed::TrainOptions& options, const Sizes& sizes)
      : queue_(queue),
        options_(options),
        sizes_(sizes),
        graph_(queue, graph, embed::Negatives(graph, options.seed)),
        state_(queue.allocate<TrainingState>(1)),
        order_(queue.allocate<std::uint32_t>(sizes.edges)),
        rows_(queue.allocate<std::int32_t>(sizes.pairs)),
        shares_(queue.allocate<double>(sizes.examples)),
        keys_(queue.allocate<RowKey>(sizes.pairs)),
        other_keys_(queue.allocate<RowKey>(sizes.pairs)),
        gradients_(queue.allocate<double>(sizes.plane * coordinates_in<Place>)),
        losses_(queue.allocate<double>(sizes.examples)),
        stayed_(queue.allocate<std::int32_t>(sizes.blocks)),
        points_(queue.upload(initial(options, sizes.nodes))),
        moments_(queue.upload(std::vector<double>(
            adaptive ? std::size_t(sizes.nodes * moments_of_row) : std::size_t(1)))),
        step_(queue, [this] { give_step(); }) {}

  static constexpr int moments_of_row = coordinates_in<Place> + embed_detail::Moments::more;

  static std::vector<double> initial(const embed::TrainOptions& options, std::int64_t nodes) {
    const auto points = embed::initial_points(options.space, nodes, options.init, options.seed);
    return {points.data(), points.data() + points.numel()};
  }

  /// The launches of a step.
  void give_step() const {
    queue_.run(DrawExamples{state_.data(), graph_.view(), order_.data(), options_.negatives,
                            rows_.data(), shares_.data()},
               {int(sizes_.examples)});
    const RowKey* keys = give_sort();
    const embed_detail::Examples examples{1 + options_.negatives, rows_.data(),
                                          options_.sharpness * sizes_.radius, shares_.data()};
    queue_.run(Gradients{points_.data(),
                         examples,
                         {gradients_.data(), sizes_.plane, losses_.data(), nullptr},
                         sizes_.examples},
               blocks_for(sizes_.examples, Gradients::of_block));
    embed_detail::Steps steps{};
    steps.longest = options_.longest_step;
    if (adaptive)
      steps.moments = {moments_.data(), options_.beta1, options_.beta2,
                       options_.eps * sizes_.radius};
    queue_.run(Move{state_.data(), keys, sizes_.pairs, gradients_.data(), sizes_.plane,
                    points_.data(), steps, stayed_.data()},
               {int(sizes_.blocks)});
    queue_.run(EndBatch{state_.data(), losses_.data(), stayed_.data(), sizes_.blocks}, {1});
  }
  /// Sorts the batch by rows. Where the sorted keys will be.
  const RowKey* give_sort() const {
    queue_.run(SortTiles{rows_.data(), sizes_.pairs, keys_.data()},
               blocks_for(sizes_.pairs, SortTiles::tile));
    RowKey* sorted = keys_.data();
    RowKey* other = other_keys_.data();
    for (std::int64_t run = SortTiles::tile; run < sizes_.pairs; run *= MergeRuns::ways) {
      queue_.run(MergeRuns{sorted, other, std::uint32_t(sizes_.pairs), std::uint32_t(run)},
                 blocks_for(sizes_.pairs, MergeRuns::threads));
      std::swap(sorted, other);
    }
    return sorted;
  }

  StreamQueue queue_;
  embed::TrainOptions options_;
  Sizes sizes_;
  TrainingGraph graph_;
  Buffer<TrainingState> state_;
  Buffer<std::uint32_t> order_;
  Buffer<std::int32_t> rows_;  // [examples][2 + negatives]
  Buffer<double> shares_;
  Buffer<RowKey> keys_, other_keys_;
  Buffer<double> gradients_, losses_;
  Buffer<std::int32_t> stayed_;
  Buffer<double> points_, moments_;
  LaunchGraph step_;
};

}  // namespace mct::cuda
