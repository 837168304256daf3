// The examples of an edge, and the gradients of their loss.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "mctensor/graph/graph.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/embed/description.hpp"
#include "src/embed/kernels/train_operands.hpp"

namespace mct::embed {

/// Edges whose examples make one step.
struct EdgeBatch {
  const Graph& graph;
  const std::uint32_t* edges;  ///< their numbers
  std::int64_t count;
  std::int64_t first;  ///< the place of the first in the epoch
  std::uint32_t epoch;
  bool burning;
  double radius;
};

/// The loss of a training. An example is a list of rows of the points; the trainer adds the
/// gradients of each row and moves it. Several threads call `draw` and `find_gradients` at once,
/// for different examples.
class TrainingLoss {
 public:
  TrainingLoss() = default;
  TrainingLoss(const TrainingLoss&) = delete;
  TrainingLoss& operator=(const TrainingLoss&) = delete;
  virtual ~TrainingLoss() = default;

  /// Rows of an example.
  virtual int width() const = 0;
  /// They follow one another in a batch.
  virtual int examples_of_edge() const { return 1; }
  /// Before threads of these numbers below `threads` call anything.
  virtual void prepare(int threads) = 0;
  /// Rows (-1: none) of the examples from `begin` to `end`, and their shares in the loss.
  virtual void draw(const EdgeBatch& batch, std::int64_t begin, std::int64_t end, int thread,
                    std::int32_t* rows, double* shares) = 0;
  /// Losses of these examples and gradients by their rows. A row that has no gradient may become
  /// -1: then it stays where it is.
  virtual void find_gradients(const EdgeBatch& batch,
                              const embed_detail::PointTable<const double>& points,
                              std::int64_t begin, std::int64_t end, int thread, std::int32_t* rows,
                              const double* shares, const embed_detail::AnyResults& results) = 0;

  /// Whether points may come to places where the loss is not defined; `settle` leads them out.
  virtual bool settles() const { return false; }
  virtual void settle(double* /*point*/) const {}
  /// After so many epochs, of which this may be the last one.
  virtual void end_epoch(std::int64_t /*epochs*/, bool /*is_last*/,
                         const Tensor<double>& /*points*/, double /*radius*/) {}

  /// Adds the settings that the points of an epoch depend on, beside the options of every training.
  virtual void describe(Description& /*description*/) const {}
  /// Writes the state of the loss, beside the points.
  virtual void save(SafetensorsWriter& /*writer*/) const {}
  /// Reads the state. Throws IoError for invalid values. The returned function puts the state into
  /// place.
  virtual std::function<void()> load(const std::string& /*file*/,
                                     const SafetensorsReader& /*reader*/) {
    return [] {};
  }
};

}  // namespace mct::embed
