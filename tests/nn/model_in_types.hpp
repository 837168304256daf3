// One model with every kind of module, in any type: losses and gradients against double.
#pragma once

#include "tests/autograd/gradients.hpp"

namespace mct::test {
template <class T, int N, int A>
struct Model : nn::Module<T, N> {
  template <class Part, class... Arguments>
  std::shared_ptr<Part> part(const std::string& name, const Arguments&... arguments) {
    return this->register_module(name, std::make_shared<Part>(arguments...));
  }
  std::shared_ptr<nn::Embedding<T, N, A>> table = part<nn::Embedding<T, N, A>>("table", 6, 8, 1);
  std::shared_ptr<nn::LayerNorm<T, N, A>> norm = part<nn::LayerNorm<T, N, A>>("norm", Shape{8});
  std::shared_ptr<nn::MultiheadAttention<T, N, A>> attention =
      part<nn::MultiheadAttention<T, N, A>>("attention", 8, 2, 2,
                                            nn::AttentionOptions{true, 0.1, true});
  std::shared_ptr<nn::Sequential<T, N, A>> rest = part<nn::Sequential<T, N, A>>("rest");

  Model() {
    rest->template emplace<nn::Linear>(8, 8, 3);
    rest->template emplace<nn::GELU>();
    rest->template emplace<nn::Dropout>(0.2, 4);
    rest->template emplace<nn::Linear>(8, 5, 5);
  }

  Variable<T, 1> loss() {
    const auto words = Tensor<std::int64_t>::from_values({0, 5, 2, 3, 3, 1}, {2, 3});
    const auto labels = Tensor<std::int64_t>::from_values({4, -100, 0, 1, 2, 2}, {2, 3});
    const auto x = table->forward(words);
    const auto y = rest->forward(x + attention->causal(norm->forward(x)));
    const auto target = zeros<T>({2, 3, 5});
    const auto all = nn::cross_entropy(y.transpose(1, 2), labels) +
                     nn::mse_loss(sigmoid(y), target) +
                     nn::binary_cross_entropy_with_logits(y, target) +
                     nn::binary_cross_entropy(softmax(y, -1), target);
    return all.evaluate();
  }
};

/// The double model's parameters in this type, and what loss and gradients differ by.
template <class T, int N, int A>
void expect_as_in_double(double tolerance) {
  Model<double, 1, 1> reference;
  Model<T, N, A> model;
  nn::StateDict<T, N> state;
  for (const auto& [name, tensor] : reference.state_dict())
    state.emplace(name, convert<T, N>(tensor));
  model.load_state_dict(state);
  const auto expected = reference.loss();
  const auto loss = model.loss();
  EXPECT_NEAR(double(loss.item()), expected.item(), tolerance * expected.item());
  expected.backward();
  loss.backward();
  const auto truth = reference.named_parameters();
  const auto found = model.named_parameters();
  ASSERT_EQ(truth.size(), found.size());
  double largest = 0;
  for (const auto& [name, parameter] : truth)
    largest = std::max(largest, max(abs(parameter.grad())).item());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const auto difference = convert<double, 1>(found[i].second.grad()) - truth[i].second.grad();
    EXPECT_LT(max(abs(difference)).item(), 4 * tolerance * largest) << truth[i].first;
  }
}

}  // namespace mct::test
