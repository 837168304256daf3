// The parts that every kind of GPT run has.
#pragma once

#include <type_traits>
#include <utility>

#include "apps/mct/train/gpt_run.hpp"
#include "apps/mct/train/gpt_train.hpp"
#include "mctensor/optim/schedule.hpp"

namespace mct::cli::train {

inline GptShape with_vocabulary(GptShape shape, const Corpus& corpus) {
  shape.vocabulary = corpus.vocabulary;
  return shape;
}

inline optim::AdamWOptions adamw_options(const StrategyArm& arm, const GptOptions& options) {
  optim::AdamWOptions adamw;
  adamw.beta2 = options.beta2;
  adamw.weight_decay = options.weight_decay;
  adamw.seed = options.seed;
  adamw.arithmetic = arm.arithmetic;
  adamw.metrics = true;
  return adamw;
}

/// A cosine; the last rate is a tenth of the highest rate.
inline optim::Schedule schedule_of(const GptOptions& options) {
  return {optim::Decay::cosine, options.warmup, options.steps, 0.1};
}

/// The mean loss over the characters of sequences.
template <class T>
Variable<float> loss_of(Gpt<T>& model, const Sequences& data) {
  const auto targets = Tensor<std::int64_t>::from_values(data.targets);
  const auto logits = model.forward(data.inputs);
  if constexpr (std::is_same_v<T, float>) {
    return nn::cross_entropy(logits, targets);
  } else {
    return nn::cross_entropy(convert<float, 1>(logits), targets);
  }
}

/// A model, its optimizer and its data.
template <class T, class Optimizer>
class ModelRun : public GptRun {
 public:
  /// `more`: arguments of the optimizer after its options.
  template <class... More>
  ModelRun(const Corpus& corpus, const StrategyArm& arm, const GptOptions& options, More&&... more)
      : corpus_(corpus),
        options_(options),
        model_(with_vocabulary(options.shape, corpus), nn::derive_seed(options.seed, 0)),
        optimizer_(model_.parameters(), arm.strategy, adamw_options(arm, options),
                   std::forward<More>(more)...),
        schedule_(schedule_of(options)) {}

  std::int64_t parameters() const override { return optimizer_.parameters(); }
  std::int64_t done() const override { return optimizer_.steps() + optimizer_.skipped_steps(); }
  std::int64_t skipped_steps() const override { return optimizer_.skipped_steps(); }
  optim::ParameterBytes bytes() const override { return optimizer_.bytes(); }

 protected:
  /// The sequences of the next step. Also sets the learning rate of that step.
  Sequences next_batch() {
    const std::int64_t number = done() + 1;
    optimizer_.options().schedule = schedule_.factor(number);
    optimizer_.options().lr = options_.lr * optimizer_.options().schedule;
    return training_batch(corpus_, options_.batch, options_.shape.context, options_.seed, number);
  }

  const Corpus& corpus_;
  const GptOptions& options_;
  Gpt<T> model_;
  Optimizer optimizer_;

 private:
  optim::Schedule schedule_;
};

}  // namespace mct::cli::train
