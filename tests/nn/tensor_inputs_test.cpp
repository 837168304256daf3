// Layers take tensors as they take variables.
#include <gtest/gtest.h>

#include "mctensor/mctensor.hpp"

namespace mct::test {
namespace {

template <class T, int N, int A>
void expect_the_same() {
  nn::Sequential<T, N, A> model;
  model.template emplace<nn::Linear>(3, 4, 1);
  model.template emplace<nn::Tanh>();
  model.template emplace<nn::Linear>(4, 2, 2);
  const auto x = randn<T>({5, 3}, 3);
  const auto of_tensor = model(x);
  const auto of_variable = model(Variable<T, A>(with_components<A>(x)));
  for (int k = 0; k < A; ++k)
    EXPECT_EQ(of_tensor.value().plane(k).values(), of_variable.value().plane(k).values());
  // the parameters get gradients
  sum(of_tensor).backward();
  for (const auto& parameter : model.parameters()) EXPECT_TRUE(parameter.has_grad());
}

TEST(TensorInputs, AreConstants) {
  expect_the_same<float, 1, 1>();
  expect_the_same<float, 2, 1>();
  expect_the_same<float, 2, 2>();
}

TEST(TensorInputs, OfSeveralComponents) {
  nn::Linear<double, 2, 2> linear(3, 2, 1);
  const auto x = randn<double, 2>({4, 3}, 2);
  EXPECT_EQ(linear(x).value().plane(1).values(),
            linear(Variable<double, 2>(x)).value().plane(1).values());
  nn::MultiheadAttention<float> attention(4, 2, 1);
  const auto sequence = randn<float>({1, 3, 4}, 2);
  EXPECT_EQ(attention(sequence).value().values(),
            attention(Variable<float>(sequence)).value().values());
}

}  // namespace
}  // namespace mct::test
