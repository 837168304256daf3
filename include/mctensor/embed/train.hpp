// Training an embedding of a hierarchy: neighbours come near, and others far.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string_view>

#include "mctensor/distributed/communicator.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::cuda {
class DeviceTraining;
}

namespace mct::embed {

/// How rows follow their gradients.
enum class Optimizer { rsgd, radam };

inline constexpr Names<Optimizer, 2> optimizer_names{
    {{Optimizer::rsgd, "rsgd"}, {Optimizer::radam, "radam"}}};
inline std::string_view name_of(Optimizer optimizer) { return optimizer_names.of(optimizer); }
/// The optimizer of this name. Throws DomainError, which names all, for another.
inline Optimizer optimizer_from(std::string_view name) {
  return optimizer_names.value("there is no optimizer", name);
}

struct TrainOptions {
  EmbeddingSpace space;
  Optimizer optimizer = Optimizer::rsgd;
  double lr = 1.7;  ///< of the mean loss of a batch; in Radam about the length of a step
  /// The highest rate, in those of lr, at least 1: behind the burn-in the rate rises from lr to it
  /// by the same amount each epoch, and falls back to lr during the cool-down. 1: it stays.
  double lr_peak = 1;
  double beta1 = 0.9;  ///< of Radam, as eps and beta2
  double beta2 = 0.999;
  double eps = 1e-8;
  std::int64_t batch = 32;  ///< edges of a step
  int negatives = 50;       ///< of an edge
  double sharpness = 0.3;   ///< of the softmax of minus the distances
  std::int64_t epochs = 1000;
  std::int64_t burn_in = 20;     ///< epochs at the beginning with a lower rate
  double burn_in_factor = 0.01;  ///< times the rate
  std::int64_t cool_down = 0;    ///< epochs at the end in which a rate that has risen falls to lr
  double init = 1e-4;            ///< coordinates begin within this of the origin's
  /// Steps longer than this, in units of the radius, are cut to it.
  double longest_step = std::numeric_limits<double>::infinity();
  /// log K <- log K - radius_lr K dL/dK after each step; 0: the radius stays. Points keep their
  /// place at radius 1, so that all distances follow.
  double radius_lr = 0;
  std::uint64_t seed = 0;

  /// Throws DomainError, which begins with `what`, naming the option that makes no sense.
  void check(const char* what = "training") const;
};

/// What an epoch was like.
struct EpochReport {
  double loss = 0;  ///< the mean of its examples
  std::int64_t examples = 0;
  std::int64_t stayed = 0;  ///< rows that did not move, because they would have left the numbers
};

/// Riemannian stochastic gradient descent, or Riemannian Adam, on
///
///   L(D) = - sum over (u, v) in D of log( e^(-t d(u, v)) / sum over w in {v} + N(u) of e^(-t d(u,
///   w)) )
///
/// (Yu 2024, eq. 3.1, with the minus sign that it lacks; Nickel, Kiela 2017), where N(u) are
/// `negatives` different nodes that are neither u nor the target of an edge from u, drawn anew each
/// time: uniformly, during the burn-in in proportion to the number of their edges to the power 3/4.
/// Where a graph has fewer such nodes, or 10 tries for each find fewer, those found come again. The
/// gradients of a row in a batch are added, and the row moves by the exponential map. In Radam the
/// rule is geometry::Radam's: one second moment a point (of a product, too), the first one goes
/// parallel along with the point, rows that are not in a batch stay as they are, and t counts the
/// updates of each row. Where a radius is learned, both moments are of gradients at radius 1, as if
/// it had always been that of the time. Edges come in
/// another order each epoch; a last batch that is smaller counts as any other. An edge's weight
/// multiplies its loss.
///
/// Results have the same bits for any number of threads, and on all processors with fma: random
/// numbers belong to an edge's place in its epoch (Philox), and each row is owned by one thread,
/// which adds its gradients in the order of the batch.
///
/// Several processes may train together, with the same bits again: each has the graph, takes a
/// piece of every batch, and moves the rows r with r % ranks == rank. What one finds for the rows
/// of another it sends there, and the owner adds it in the order of the batch.
///
/// On a GPU trains what cuda::device_trainer (embed/device_train.hpp) makes: a Trainer as well,
/// with the same bits and files.
///
/// Models: all of Embedding's, products of equal ones too. Points of the ball and the hyperboloid
/// in one component stop being told apart at distances of about 36 and 18 from the origin; those of
/// the others do not.
class Trainer {
 public:
  /// With `ranks` together with these processes, and the constructor, advance and collect are
  /// collective: all must call them alike. Throws DomainError for options that make no sense, a
  /// null pointer instead of a graph and a graph without edges, and on all ranks for options or
  /// graphs that differ between them. Any other error of one rank must end all
  /// (Communicator::abort).
  Trainer(std::shared_ptr<const Graph> graph, const TrainOptions& options,
          std::shared_ptr<distributed::Communicator> ranks = {});
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  const TrainOptions& options() const;
  const Graph& graph() const;
  /// Epochs that are done, and batches of the one that is not.
  std::int64_t epochs() const;
  std::int64_t batches() const;
  std::int64_t batches_in_epoch() const;
  /// All epochs are done.
  bool done() const;
  double radius() const;

  /// Trains for so many batches at most, not beyond the end of the epoch. True if it has ended:
  /// then `last_epoch` is its report. Throws DomainError, after which nothing else is of use but
  /// load(), if a radius that is learned is no longer positive and finite.
  bool advance(std::int64_t batches);
  const EpochReport& last_epoch() const;

  /// Brings the points that other processes move up to date: before embedding() and save().
  void collect();
  /// A copy of the points.
  Embedding embedding() const;

  /// Writes all that training goes on from, exactly, as one file that is replaced as a whole; any
  /// number of processes may go on. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads it: the same bits follow as if training had not stopped; of another number of epochs the
  /// rate goes on as a training of so many has it. Throws IoError, naming what differs, for a file
  /// of another graph or other options (but the number of epochs), and for numbers that no training
  /// leaves; then nothing has changed.
  void load(const std::filesystem::path& path);

 protected:
  struct State;
  explicit Trainer(std::unique_ptr<State> state);
  const State& state() const { return *state_; }
  State& state() { return *state_; }

 private:
  friend class BatchLoop;
  friend class cuda::DeviceTraining;
  std::unique_ptr<State> state_;
};

}  // namespace mct::embed
