// What every kind of GPT run is made of.
#pragma once

#include <type_traits>

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

/// A cosine, at whose end the rate is a tenth of the highest.
inline optim::Schedule schedule_of(const GptOptions& options) {
  return {optim::Decay::cosine, options.warmup, options.steps, 0.1};
}

/// The mean loss of the characters of sequences.
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

}  // namespace mct::cli::train
