// A language model whose error is known exactly: an order-2 Markov source of 32 symbols.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "apps/mct/train/strategy_arm.hpp"
#include "mctensor/nn/all.hpp"

namespace mct::cli::train {

/// The distribution of the next symbol for each of the 32^2 pairs of symbols before it, from a
/// random network with `width` hidden units and logits of standard deviation `spread`.
class MarkovTeacher {
 public:
  static constexpr std::int64_t symbols = 32;
  static constexpr std::int64_t contexts = symbols * symbols;

  explicit MarkovTeacher(std::uint64_t seed, std::int64_t width = 128, double spread = 2);

  /// p[context * symbols + symbol], context = first * symbols + second.
  const std::vector<double>& probabilities() const { return probabilities_; }
  /// The mean over all contexts of the Kullback-Leibler divergence of q (laid out like
  /// probabilities()) from the teacher, in nats.
  double divergence(const std::vector<double>& q) const;
  /// The next symbol for u uniform in [0, 1).
  std::int64_t sample(std::int64_t context, double u) const;

 private:
  std::vector<double> probabilities_;
};

/// The student: embeddings of 16 numbers for both symbols (512 parameters), side by side through a
/// LayerNorm (64), Linear 32 to 64 (2112), GELU, Linear 64 to 32 (2080): 4768 parameters.
class MarkovStudent : public nn::Module<float> {
 public:
  explicit MarkovStudent(std::uint64_t seed);
  /// Logits (n, 32) of contexts (n).
  Variable<float> forward(const std::vector<std::int64_t>& contexts);
  /// The student's distributions, in double.
  std::vector<double> probabilities();

 private:
  std::shared_ptr<nn::Embedding<float>> embedding_;
  std::shared_ptr<nn::LayerNorm<float>> norm_;
  std::shared_ptr<nn::Linear<float>> hidden_;
  std::shared_ptr<nn::Linear<float>> out_;
};

struct MarkovOptions {
  std::int64_t steps = 6000;
  std::int64_t batch = 64;
  std::int64_t warmup = 200;
  double lr = 1e-3;
  double beta2 = 0.999;
  std::uint64_t seed = 1;
};

struct MarkovResult {
  double divergence = 0;
  /// Means over all steps: per cent of lost updates of theta and of v, relative descent quality.
  double lost = 0;
  double lost_v = 0;
  double descent_quality = 0;
};

/// Trains a student with bfloat16 parameters. Teacher, weights and samples depend on the seed.
MarkovResult train_markov(const StrategyArm& arm, const MarkovOptions& options,
                          const std::function<void(std::int64_t)>& progress);

}  // namespace mct::cli::train
