// The layers of the GPT and their initial values.
#include "apps/mct/train/gpt_model.hpp"

#include <cmath>
#include <string>

namespace mct::cli::train {

namespace {

/// GPT-2's 0.02 belongs to its width of 768.
double deviation_of(const GptShape& shape) { return 0.02 * std::sqrt(768.0 / double(shape.width)); }

template <class T>
void initialize(const nn::Linear<T>& layer, double deviation, std::uint64_t seed) {
  nn::init::normal_(layer.weight().value(), 0, deviation, seed);
  if (layer.bias().numel() > 0) nn::init::constant_(layer.bias().value(), 0);
}

/// x as a factor of attention's products in bfloat16; its gradient is rounded, too.
template <class T>
Variable<T> factor(const GptShape& shape, const Variable<T>& x) {
  if constexpr (std::is_same_v<T, float>)
    if (shape.bfloat16_products) return convert<float, 1>(convert<bfloat16, 1>(x));
  return x;
}
/// A linear layer. In a float model with bfloat16 products it multiplies bfloat16 tensors, with
/// sums in float that are rounded once; the bias is added in float.
template <class T>
Variable<T> product(const GptShape& shape, nn::Linear<T>& layer, const Variable<T>& x) {
  if constexpr (std::is_same_v<T, float>) {
    if (shape.bfloat16_products) {
      const auto rounded = convert<float, 1>(linear(
          convert<bfloat16, 1>(x), convert<bfloat16, 1>(layer.weight()), Variable<bfloat16>()));
      return layer.bias().numel() > 0 ? rounded + layer.bias() : rounded;
    }
  }
  return layer.forward(x);
}

}  // namespace

template <class T>
GptBlock<T>::GptBlock(const GptShape& shape, std::uint64_t seed) : shape_(shape) {
  const std::int64_t width = shape.width;
  const double deviation = deviation_of(shape);
  const double residual = deviation / std::sqrt(2 * double(shape.layers));
  const auto linear = [&](const char* name, std::int64_t in, std::int64_t out, double size,
                          std::uint64_t number) {
    auto layer = this->register_module(name, std::make_shared<nn::Linear<T>>(in, out, seed));
    initialize(*layer, size, nn::derive_seed(seed, number));
    return layer;
  };
  norm1_ = this->register_module("norm1", std::make_shared<nn::LayerNorm<T>>(Shape{width}));
  qkv_ = linear("qkv", width, 3 * width, deviation, 13);
  if (shape.comparison != attention::Comparison::dot_product)
    attention_ =
        this->register_module("attention", std::make_shared<attention::StreamingAttention<T>>(
                                               shape.comparison, shape.heads, shape.start));
  out_ = linear("out", width, width, residual, 12);
  norm2_ = this->register_module("norm2", std::make_shared<nn::LayerNorm<T>>(Shape{width}));
  up_ = linear("up", width, 4 * width, deviation, 10);
  down_ = linear("down", 4 * width, width, residual, 11);
}

template <class T>
Variable<T> GptBlock<T>::attend(const Variable<T>& x) {
  const std::int64_t batch = x.size(0);
  const std::int64_t length = x.size(1);
  const auto qkv = factor(shape_, product(shape_, *qkv_, x));
  const auto heads = [&](std::int64_t part) {
    return qkv.narrow(-1, part * shape_.width, shape_.width)
        .reshape({batch, length, shape_.heads, shape_.width / shape_.heads})
        .transpose(1, 2);
  };
  const auto joined =
      weigh(heads(0), heads(1), heads(2)).transpose(1, 2).reshape({batch, length, shape_.width});
  return product(shape_, *out_, joined);
}

template <class T>
Variable<T> GptBlock<T>::weigh(const Variable<T>& q, const Variable<T>& k, const Variable<T>& v) {
  if (attention_) {
    attention::Mask<T> causal;
    causal.causal = true;
    return attention_->attend(q, k, v, causal);
  }
  const std::int64_t length = q.size(-2);
  return nn::scaled_dot_product_attention(
      q, k, v, nn::causal_mask(length, length),
      [&](const Variable<T>& weights) { return factor(shape_, weights); });
}

template <class T>
Variable<T> GptBlock<T>::forward(const Variable<T>& x) {
  const auto middle = x + attend(norm1_->forward(x));
  return middle + product(shape_, *down_, gelu(product(shape_, *up_, norm2_->forward(middle))));
}

template <class T>
Gpt<T>::Gpt(const GptShape& shape, std::uint64_t seed) : shape_(shape) {
  tokens_ = this->register_module(
      "tokens", std::make_shared<nn::Embedding<T>>(shape.vocabulary, shape.width, seed));
  const double deviation = deviation_of(shape);
  nn::init::normal_(tokens_->weight().value(), 0, deviation, nn::derive_seed(seed, 1));
  Tensor<T> positions({shape.context, shape.width});
  nn::init::normal_(positions, 0, deviation, nn::derive_seed(seed, 2));
  positions_ = this->register_parameter("positions", positions);
  for (std::int64_t i = 0; i < shape.layers; ++i)
    blocks_.push_back(this->register_module(
        "block" + std::to_string(i),
        std::make_shared<GptBlock<T>>(shape, nn::derive_seed(seed, 100 + std::uint64_t(i)))));
  norm_ = this->register_module("norm", std::make_shared<nn::LayerNorm<T>>(Shape{shape.width}));
  head_ = this->register_module(
      "head", std::make_shared<nn::Linear<T>>(shape.width, shape.vocabulary, seed, false));
  initialize(*head_, deviation, nn::derive_seed(seed, 3));
}

template <class T>
Variable<T> Gpt<T>::forward(const std::vector<std::int64_t>& inputs) {
  const auto batch = std::int64_t(inputs.size()) / shape_.context;
  const auto index = Tensor<std::int64_t>::from_values(inputs, {batch, shape_.context});
  auto x = tokens_->forward(index) + positions_;
  for (const auto& layer : blocks_) x = layer->forward(x);
  return product(shape_, *head_, norm_->forward(x)).reshape({-1, shape_.vocabulary});
}

template class Gpt<float>;
template class Gpt<bfloat16>;

}  // namespace mct::cli::train
