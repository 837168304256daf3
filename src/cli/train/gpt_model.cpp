// The layers of the GPT and their initial values.
#include "src/cli/train/gpt_model.hpp"

#include <cmath>
#include <string>

namespace mct::cli::train {

namespace {

/// GPT-2's 0.02 belongs to its width of 768.
double deviation_of(const GptShape& shape) { return 0.02 * std::sqrt(768.0 / double(shape.width)); }

void initialize(const nn::Linear<float>& layer, double deviation, std::uint64_t seed) {
  nn::init::normal_(layer.weight().value(), 0, deviation, seed);
  if (layer.bias().numel() > 0) nn::init::constant_(layer.bias().value(), 0);
}

}  // namespace

GptBlock::GptBlock(const GptShape& shape, std::uint64_t seed) {
  const std::int64_t width = shape.width;
  nn::AttentionOptions options;
  options.batch_first = true;
  norm1_ = register_module("norm1", std::make_shared<nn::LayerNorm<float>>(Shape{width}));
  attention_ = register_module("attention", std::make_shared<nn::MultiheadAttention<float>>(
                                                width, shape.heads, seed, options));
  norm2_ = register_module("norm2", std::make_shared<nn::LayerNorm<float>>(Shape{width}));
  up_ = register_module("up", std::make_shared<nn::Linear<float>>(width, 4 * width, seed));
  down_ = register_module("down", std::make_shared<nn::Linear<float>>(4 * width, width, seed));

  const double deviation = deviation_of(shape);
  const double residual = deviation / std::sqrt(2 * double(shape.layers));
  initialize(*up_, deviation, nn::derive_seed(seed, 10));
  initialize(*down_, residual, nn::derive_seed(seed, 11));
  for (const auto& [name, parameter] : attention_->named_parameters())
    if (parameter.dim() == 2)
      nn::init::normal_(parameter.value(), 0, name == "out_proj.weight" ? residual : deviation,
                        nn::derive_seed(seed, name == "out_proj.weight" ? 12 : 13));
}

Variable<float> GptBlock::forward(const Variable<float>& x) {
  const auto middle = x + attention_->causal(norm1_->forward(x));
  return middle + down_->forward(gelu(up_->forward(norm2_->forward(middle))));
}

Gpt::Gpt(const GptShape& shape, std::uint64_t seed) : shape_(shape) {
  tokens_ = register_module(
      "tokens", std::make_shared<nn::Embedding<float>>(shape.vocabulary, shape.width, seed));
  const double deviation = deviation_of(shape);
  nn::init::normal_(tokens_->weight().value(), 0, deviation, nn::derive_seed(seed, 1));
  Tensor<float> positions({shape.context, shape.width});
  nn::init::normal_(positions, 0, deviation, nn::derive_seed(seed, 2));
  positions_ = register_parameter("positions", positions);
  for (std::int64_t i = 0; i < shape.layers; ++i)
    blocks_.push_back(register_module(
        "block" + std::to_string(i),
        std::make_shared<GptBlock>(shape, nn::derive_seed(seed, 100 + std::uint64_t(i)))));
  norm_ = register_module("norm", std::make_shared<nn::LayerNorm<float>>(Shape{shape.width}));
  head_ = register_module(
      "head", std::make_shared<nn::Linear<float>>(shape.width, shape.vocabulary, seed, false));
  initialize(*head_, deviation, nn::derive_seed(seed, 3));
}

Variable<float> Gpt::forward(const std::vector<std::int64_t>& inputs) {
  const auto batch = std::int64_t(inputs.size()) / shape_.context;
  const auto index = Tensor<std::int64_t>::from_values(inputs, {batch, shape_.context});
  auto x = tokens_->forward(index) + positions_;
  for (const auto& block : blocks_) x = block->forward(x);
  return head_->forward(norm_->forward(x)).reshape({-1, shape_.vocabulary});
}

}  // namespace mct::cli::train
