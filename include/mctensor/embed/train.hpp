// Trains an embedding of a hierarchy: neighbours move near each other, and other nodes move away.
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

/// The rule by which gradients move rows.
enum class Optimizer { rsgd, radam };

inline constexpr Names<Optimizer, 2> optimizer_names{
    {{Optimizer::rsgd, "rsgd"}, {Optimizer::radam, "radam"}}};
inline std::string_view name_of(Optimizer optimizer) { return optimizer_names.of(optimizer); }
/// The optimizer of this name. Throws DomainError, which lists all names, for any other name.
inline Optimizer optimizer_from(std::string_view name) {
  return optimizer_names.value("there is no optimizer", name);
}

/// The type in which training computes. In float32 the coordinates of points are floats, too (in
/// tilings, the coordinates within a tile). Files and evaluation hold them as doubles.
enum class Dtype { float64, float32 };

inline constexpr Names<Dtype, 2> dtype_names{
    {{Dtype::float64, "float64"}, {Dtype::float32, "float32"}}};
inline std::string_view name_of(Dtype dtype) { return dtype_names.of(dtype); }
/// The type of this name. Throws DomainError, which lists all names, for any other name.
inline Dtype dtype_from(std::string_view name) {
  return dtype_names.value("training has no dtype", name);
}

struct TrainOptions {
  EmbeddingSpace space;
  Dtype dtype = Dtype::float64;
  Optimizer optimizer = Optimizer::rsgd;
  double lr = 1.7;  ///< for the mean loss of a batch; with Radam about the length of a step
  /// The highest rate as a multiple of lr, at least 1. After the burn-in the rate rises from lr by
  /// the same amount each epoch, and falls back to lr during the cool-down. With 1 the rate stays
  /// at lr.
  double lr_peak = 1;
  double beta1 = 0.9;  ///< of Radam, like eps and beta2
  double beta2 = 0.999;
  double eps = 1e-8;
  std::int64_t batch = 32;  ///< edges in a step
  int negatives = 50;       ///< of each edge
  double sharpness = 0.3;   ///< of the softmax of minus the distances
  std::int64_t epochs = 1000;
  std::int64_t burn_in = 20;     ///< epochs at the beginning with a lower rate
  double burn_in_factor = 0.01;  ///< the lower rate as a multiple of lr
  std::int64_t cool_down = 0;    ///< epochs at the end, in which the rate falls to lr
  double init = 1e-4;            ///< coordinates begin at most this far from those of the origin
  /// Steps longer than this, in units of the radius, are shortened to it.
  double longest_step = std::numeric_limits<double>::infinity();
  /// After each step log K <- log K - radius_lr K dL/dK. With 0 the radius stays. Points are stored
  /// for radius 1, so all distances grow with the radius.
  double radius_lr = 0;
  std::uint64_t seed = 0;

  /// Throws DomainError for an invalid option. The message names the option and begins with `what`.
  void check(const char* what = "training") const;
};

struct EpochReport {
  double loss = 0;  ///< the mean over the examples of the epoch
  std::int64_t examples = 0;
  std::int64_t stayed = 0;  ///< rows that did not move, because they would have become infinite or
                            ///< NaN
};

/// Riemannian stochastic gradient descent, or Riemannian Adam, on the loss
///
///   L(D) = - sum over (u, v) in D of log(e^(-t d(u, v)) / S(u, v)),
///   S(u, v) = sum over w in {v} + N(u) of e^(-t d(u, w)).
///
/// Here t is the sharpness. N(u) stands for `negatives` different nodes that are neither u nor the
/// target of an edge from u. Source: Yu 2024, eq. 3.1, where the minus sign is missing; Nickel,
/// Kiela 2017. The nodes of N(u) are drawn anew for each example. The draw is uniform, except
/// during the burn-in, when the probability of a node is proportional to the number of its edges to
/// the power 3/4. At most 10 * `negatives` nodes are tried for an example. If too few of them are
/// suitable, the suitable ones are repeated. The gradients of a row in a batch are added, and the
/// row moves by the exponential map. Radam follows the rule of geometry::Radam: a point has one
/// second moment (also in a product), and its first moment is transported parallel with it. Rows
/// outside a batch stay as they are, and each row has its own count of updates. If a radius is
/// learned, both moments are moments of gradients at radius 1. Each epoch has another order of
/// edges. A smaller last batch counts like any other. The weight of an edge multiplies its loss.
///
/// Results have the same bits for any number of threads, and on all processors with fma. For this,
/// random numbers depend on an edge's place in its epoch (Philox), and one thread adds all
/// gradients of a row, in the order of the batch.
///
/// Several processes may train together, again with the same bits. Each process has the graph,
/// takes a piece of every batch, and owns the rows r with r % ranks == rank. It sends gradients of
/// other rows to their owners. The owner of a row adds its gradients in the order of the batch and
/// moves the row.
///
/// cuda::device_trainer (embed/device_train.hpp) makes a Trainer that runs on a GPU, with the same
/// bits and files.
///
/// Models: all models of Embedding, and products of equal models. In the ball and the hyperboloid,
/// points of one component that are near each other can no longer be told apart beyond a distance
/// of about 36 from the origin. Other models have no such limit. float32 exists for half-space,
/// ball, hyperboloid and both tilings with one component, and for xmc_half_space with one or two.
/// In float32, points stay within a distance of 43 from the origin (H-tiling: 36, L-tiling: 33,
/// hyperboloid: 18, ball: 15), and no step is longer than 16.
class Trainer {
 public:
  /// With `ranks` the trainer works together with these processes. The constructor, advance and
  /// collect are then collective: all ranks must call them with the same arguments. Throws
  /// DomainError for invalid options, a null graph and a graph without edges. All ranks throw
  /// DomainError if their options or graphs differ. Any other error of one rank must end all ranks
  /// (Communicator::abort).
  Trainer(std::shared_ptr<const Graph> graph, const TrainOptions& options,
          std::shared_ptr<distributed::Communicator> ranks = {});
  Trainer(Trainer&&) noexcept;
  Trainer& operator=(Trainer&&) noexcept;
  ~Trainer();

  const TrainOptions& options() const;
  const Graph& graph() const;
  /// The number of finished epochs, of finished batches of the present epoch, and of batches in an
  /// epoch.
  std::int64_t epochs() const;
  std::int64_t batches() const;
  std::int64_t batches_in_epoch() const;
  bool done() const;
  double radius() const;

  /// Trains for so many batches, at most to the end of the epoch. Returns true if the epoch has
  /// ended; last_epoch() is then its report. Throws DomainError if a learned radius is no longer
  /// positive and finite; after that only load() can be called.
  bool advance(std::int64_t batches);
  const EpochReport& last_epoch() const;

  /// Collects the points that other processes move. Call this function before embedding() and
  /// save().
  void collect();
  /// A copy of the points.
  Embedding embedding() const;

  /// Writes the whole exact state of the training to one file, which is replaced as a whole. Any
  /// number of processes may continue from the file. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads such a file. Training continues with the same bits as if it had not stopped. The number
  /// of epochs may differ; the rate then continues as in a training with the new number of epochs.
  /// Throws IoError for a file of another graph or other options, with the difference in the
  /// message, and for numbers that no training writes. After an error nothing has changed.
  void load(const std::filesystem::path& path);

 protected:
  struct State;
  explicit Trainer(std::unique_ptr<State> state);
  const State& state() const { return *state_; }
  State& state() { return *state_; }

 private:
  template <class T>
  friend class BatchLoop;
  friend class cuda::DeviceTraining;
  std::unique_ptr<State> state_;
};

}  // namespace mct::embed
