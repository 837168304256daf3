// A small GPT: pre-norm transformer blocks over characters.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/nn/all.hpp"

namespace mct::cli::train {

struct GptShape {
  std::int64_t vocabulary = 0;
  std::int64_t context = 64;
  std::int64_t width = 128;
  std::int64_t heads = 4;
  std::int64_t layers = 5;
  /// For a model in float: factors, results and gradients of matrix products are rounded to
  /// bfloat16, and sums are in float. Otherwise everything is in float.
  bool bfloat16_products = true;
  /// How queries and keys are compared.
  attention::Comparison comparison = attention::Comparison::dot_product;
  attention::Start start;  // of the comparison's temperature and radius
};

/// Causal attention and a perceptron with GELU; each adds its result to its input.
template <class T>
class GptBlock : public nn::Layer<T> {
 public:
  GptBlock(const GptShape& shape, std::uint64_t seed);
  Variable<T> forward(const Variable<T>& x) override;

 private:
  Variable<T> attend(const Variable<T>& x);
  Variable<T> weigh(const Variable<T>& q, const Variable<T>& k, const Variable<T>& v);

  GptShape shape_;
  std::shared_ptr<nn::LayerNorm<T>> norm1_, norm2_;
  std::shared_ptr<nn::Linear<T>> qkv_, out_, up_, down_;
  std::shared_ptr<attention::StreamingAttention<T>> attention_;  // null: the scaled dot product
};

/// Weights are normal with GPT-2's deviation of 0.02, times sqrt(768 / width). Weights that add to
/// the residual stream are divided by sqrt(2 layers). The output layer is not tied to the
/// embedding.
///
/// T: the type of weights and activations, float or bfloat16.
template <class T>
class Gpt : public nn::Module<T> {
 public:
  Gpt(const GptShape& shape, std::uint64_t seed);
  /// Logits (batch context, vocabulary) of the sequences of a batch, one after the other.
  Variable<T> forward(const std::vector<std::int64_t>& inputs);

 private:
  GptShape shape_;
  std::shared_ptr<nn::Embedding<T>> tokens_;
  Variable<T> positions_;
  std::vector<std::shared_ptr<GptBlock<T>>> blocks_;
  std::shared_ptr<nn::LayerNorm<T>> norm_;
  std::shared_ptr<nn::Linear<T>> head_;
};

extern template class Gpt<float>;
extern template class Gpt<bfloat16>;

}  // namespace mct::cli::train
