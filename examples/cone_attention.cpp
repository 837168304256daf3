// Attention that compares tokens by their lowest common ancestor in a hierarchy of cones, in place
// of the inner product: a layer of each learns to find the sibling of every leaf of a tree.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/optim/adam.hpp"
#include "mctensor/tensor/create.hpp"

int main() {
  using namespace mct;
  using attention::Comparison;
  using attention::StreamingAttention;
  constexpr std::int64_t tokens = 16, width = 8, heads = 2;

  // the leaves of a tree of depth 4; each is to find the mean of the pair that it belongs to
  const auto x = Variable<float>(randn<float>({1, tokens, width}, 1));
  Tensor<float> target({1, tokens, width});
  for (std::int64_t i = 0; i < tokens; ++i)
    for (std::int64_t c = 0; c < width; ++c)
      target(0, i, c) = (x.value()(0, i, c) + x.value()(0, i ^ 1, c)) / 2;

  float worst = 0;
  for (const Comparison comparison : {Comparison::dot_product, Comparison::penumbral}) {
    nn::MultiheadAttention<float> layer(width, heads, 2, {true, 0, true});
    layer.set_rule(std::make_shared<StreamingAttention<float>>(comparison, heads));
    auto options = optim::adamw_defaults();
    options.lr = 0.02;
    optim::AdamW<float> optimizer(layer.parameters(), options);
    float loss = 0;
    for (int step = 0; step < 300; ++step) {
      const auto error = mean(square(layer(x) - target));
      optimizer.zero_grad();
      error.backward();
      optimizer.step();
      loss = float(error.item());
    }
    worst = std::max(worst, loss);
    std::printf("%-12s loss %.4f\n", std::string(name_of(comparison)).c_str(), double(loss));
  }
  return worst < 0.01f ? 0 : 1;
}
