// The state of a training between two batches.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "mctensor/embed/train.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/embed/description.hpp"
#include "src/embed/faster_way.hpp"
#include "src/embed/kernels/train_operands.hpp"
#include "src/embed/row_exchange.hpp"
#include "src/embed/row_sums.hpp"
#include "src/embed/training_loss.hpp"

namespace mct::embed {

/// Whether e^x is a positive and finite number: what a radius must be, and stay where it is
/// learned.
inline bool is_log_radius(double x) { return std::exp(x) > 0 && std::isfinite(std::exp(x)); }

/// Runs the batches of a Trainer's state: the CPU's threads, or a GPU (cuda/embed).
class BatchRunner {
 public:
  virtual ~BatchRunner() = default;
  /// Runs batches of the state's epoch, and counts them, their losses, and the rows that stayed.
  virtual void run(std::int64_t batches) = 0;
  /// True if the runner still fits the settings that it was made for; if not, the CPU's threads go
  /// on.
  virtual bool is_current() const { return true; }
  /// If points and moments are elsewhere, copies them to the state.
  virtual void fetch() {}
  /// Copies the state, which has been read from a file, to the runner's points and moments.
  virtual void reload() {}
};

struct Trainer::State {
  /// Without a loss of its own it is that of embeddings, NeighbourLoss.
  State(std::shared_ptr<const Graph> with, const TrainOptions& chosen,
        std::shared_ptr<distributed::Communicator> together_with,
        std::unique_ptr<TrainingLoss> own_loss = nullptr);
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State();

  std::int64_t batches_in_epoch() const;
  /// The edges of a batch of this epoch.
  std::int64_t edges_of(std::int64_t batch) const;
  bool burning() const { return epoch < options.burn_in; }
  /// Of this epoch.
  double rate() const;

  /// How rows move at this radius: all of Steps but the rows. The given gradients are gradients at
  /// radius 1: they are 1 / K times those, and so is a step in units of the radius; the first
  /// moment and the root of the second one change alike.
  template <class T>
  embed_detail::Steps<T> steps_at(double radius) const;
  /// The radius follows the derivative of a batch's loss by the sharpness, if it is learned.
  void follow_slope(double slope);
  /// Runs batches of this epoch.
  void run(std::int64_t batches);
  void end_epoch();
  /// The description of this training, for files.
  Description description() const;

  std::shared_ptr<const Graph> graph;
  TrainOptions options;
  std::shared_ptr<distributed::Communicator> ranks;  // none: this process is alone
  std::unique_ptr<RowExchange> exchange;             // with the others
  embed_detail::AnyKernels kernels;
  std::unique_ptr<TrainingLoss> loss;
  Tensor<double> points;   // [rows, numbers], at radius 1
  Tensor<double> moments;  // of Radam, as kernels have them: [rows, numbers], else without rows
  double log_radius;
  std::int64_t epoch = 0;
  std::int64_t batch = 0;            // of the epoch
  std::vector<std::uint32_t> order;  // of its edges; none: not yet
  double loss_sum = 0;               // of its examples
  std::int64_t stayed = 0;
  EpochReport report;
  std::unique_ptr<BatchRunner> runner;  // none: not yet
};

/// The memory to run batches in T, and the rounds of work that threads share.
template <class T>
class BatchLoop final : public BatchRunner {
 public:
  explicit BatchLoop(Trainer::State& state);
  void run(std::int64_t batches) override;
  /// It has as many threads as num_threads() asks for.
  bool is_current() const override { return threads_ == num_threads(); }

 private:
  /// The owner of a part of the rows. There are as many owners as threads, but any thread does the
  /// work of an owner.
  struct Owner {
    Owner(const Trainer::State& state, int tangents) : sums(state.points.size(0), tangents) {}

    RowSums<T> sums;
    std::int64_t stayed = 0;
  };
  /// A batch on its way.
  struct Batch {
    EdgeBatch edges;
    std::int64_t number, count;  // of examples
    std::int64_t begin, end;     // those of this process
  };

  void run_batch(std::int64_t number);
  Batch batch_of(std::int64_t number) const;
  /// f(begin, end, thread) for pieces of the examples of this process.
  template <class F>
  void for_examples(const Batch& batch, const F& f);
  void draw_rows(const Batch& batch, std::int64_t begin, std::int64_t end, int thread);
  void find_gradients(const Batch& batch, std::int64_t begin, std::int64_t end, int thread);
  void exchange_and_find_gradients(const Batch& batch);
  RowVectors<T> vectors_of(const Batch& batch) const;
  void move_rows(const Batch& batch, int owner);
  void account(const Batch& batch);

  Trainer::State& state_;
  TrainingLoss& loss_;
  int threads_;      // of the process
  int workers_ = 1;  // those that a batch is worth
  int team_ = 1;     // those that work on the present batches
  int tangents_, width_;
  std::int64_t plane_;  // numbers of a plane of gradients
  std::vector<Owner> owners_;
  FasterWay way_;
  std::vector<std::int32_t> rows_;  // [examples][width]
  std::vector<double> shares_, losses_, slopes_;
  std::vector<T> gradients_;
  RowVectors<T> to_add_{};   // of this process's rows
  std::vector<T> received_;  // their memory, if they come from others
};

}  // namespace mct::embed
