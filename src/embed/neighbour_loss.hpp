// The loss of embeddings: a node's neighbour is nearer than others.
#pragma once

#include <vector>

#include "mctensor/embed/train.hpp"
#include "src/embed/negatives.hpp"
#include "src/embed/training_loss.hpp"

namespace mct::embed {

/// An example is an edge's source, its target and negatives; see Trainer.
class NeighbourLoss final : public TrainingLoss {
 public:
  NeighbourLoss(const Graph& graph, const TrainOptions& options,
                const embed_detail::AnyKernels& kernels)
      : options_(options), kernels_(kernels), negatives_(graph, options.seed) {}

  const Negatives& negatives() const { return negatives_; }

  int width() const override { return 2 + options_.negatives; }
  void prepare(int threads) override { scratch_.resize(std::size_t(threads)); }
  void draw(const EdgeBatch& batch, std::int64_t begin, std::int64_t end, int thread,
            std::int32_t* rows, double* shares) override;
  void find_gradients(const EdgeBatch& batch, const embed_detail::PointTable<const double>& points,
                      std::int64_t begin, std::int64_t end, int thread, std::int32_t* rows,
                      const double* shares, const embed_detail::AnyResults& results) override;

 private:
  TrainOptions options_;
  embed_detail::AnyKernels kernels_;
  Negatives negatives_;
  std::vector<Negatives::Scratch> scratch_;  // of the threads
};

}  // namespace mct::embed
