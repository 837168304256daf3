// Hooks of leaves: when they are called, and what they may do.
#include <gtest/gtest.h>

#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::test::grad_hook_cases {
namespace {

using V = Variable<double>;

V leaf(double x) { return V(Tensor<double>::from_values({x}), true); }

TEST(GradHook, IsCalledOnceWhenTheGradientIsComplete) {
  const V a = leaf(3);
  const V b = leaf(5);
  std::vector<double> seen;
  a.set_grad_hook([&] { seen.push_back(a.grad().item()); });
  // used by three operations, one of them twice
  (a * a * b + a).backward();
  EXPECT_EQ(seen, (std::vector<double>{31}));
  a.zero_grad();
  a.set_grad_hook(nullptr);
  (a * b).backward();
  EXPECT_EQ(seen.size(), 1u);
  EXPECT_EQ(a.grad().item(), 5);
}

/// Layers in turn, from the last: the gradient of one is gone before the next one is there.
TEST(GradHook, MayClearTheGradientAndWriteTheValue) {
  std::vector<V> weights{leaf(2), leaf(3), leaf(4)};
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < 3; ++i)
    weights[i].set_grad_hook([&, i] {
      for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(weights[k].has_grad(), k == i);
      order.push_back(i);
      sub_(weights[i].value(), weights[i].grad());
      weights[i].zero_grad();
    });
  const V x(Tensor<double>::from_values({1}));
  (((x * weights[0]) * weights[1]) * weights[2]).backward();
  EXPECT_EQ(order, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(weights[0].value().item(), 2 - 12);
  EXPECT_EQ(weights[1].value().item(), 3 - 8);
  EXPECT_EQ(weights[2].value().item(), 4 - 6);
}

TEST(GradHook, IsCalledInEveryPassOfARetainedGraphAndForTheRoot) {
  const V a = leaf(3);
  int calls = 0;
  a.set_grad_hook([&] { ++calls; });
  const V y = a * 2.0;
  y.backward(true);
  y.backward();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(a.grad().item(), 4);
  a.backward();
  EXPECT_EQ(calls, 3);
  EXPECT_THROW((a * 2.0).set_grad_hook([] {}), DomainError);
}

TEST(GradHook, MayThrow) {
  const V a = leaf(3);
  struct Stop {};
  a.set_grad_hook([] { throw Stop(); });
  const V b = leaf(1);
  EXPECT_THROW((b * (a * 2.0)).backward(), Stop);
  a.set_grad_hook(nullptr);
  a.zero_grad();
  (a * 2.0).backward();
  EXPECT_EQ(a.grad().item(), 2);
}

}  // namespace
}  // namespace mct::test::grad_hook_cases
