// Models that learn, with plain gradient steps: every component type, and a small transformer.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

template <class T, int N>
void step(const nn::Module<T, N>& model, double rate) {
  for (const auto& p : model.parameters()) {
    if (p.has_grad()) sub_(p.value(), p.grad() * rate);
    p.zero_grad();
  }
}

/// A circle among points of a square: losses before and after training.
template <class T, int N, int A = 1>
std::pair<double, double> learn_a_circle(int steps, double rate) {
  const auto x = rand<T>({64, 2}, 1) * 2.0 - 1.0;
  auto labels = Tensor<std::int64_t>::uninitialized({64});
  for (std::int64_t i = 0; i < 64; ++i) {
    const auto a = double(x.at({i, 0}));
    const auto b = double(x.at({i, 1}));
    labels.data()[i] = a * a + b * b < 0.6 ? 1 : 0;
  }
  nn::Sequential<T, N, A> model;
  model.template emplace<nn::Linear>(2, 16, 1);
  model.template emplace<nn::Tanh>();
  model.template emplace<nn::Linear>(16, 2, 2);
  const Variable<T, A> inputs(tensor_detail::widen<T, A>(x));
  double first = 0;
  double last = 0;
  for (int i = 0; i < steps; ++i) {
    const auto loss = nn::cross_entropy(model(inputs), labels);
    last = double(loss.item());
    if (i == 0) first = last;
    loss.backward();
    step(model, rate);
  }
  return {first, last};
}

template <class T, int N, int A = 1>
void expect_learning() {
  const auto [first, last] = learn_a_circle<T, N, A>(150, 1);
  EXPECT_GT(first, 0.5);
  EXPECT_LT(last, 0.35 * first);
}

TEST(Training, Float) { expect_learning<float, 1>(); }
TEST(Training, Double) { expect_learning<double, 1>(); }
TEST(Training, F32x2) { expect_learning<float, 2>(); }
TEST(Training, F64x2AndF64x3WithLongActivations) {
  expect_learning<double, 2, 2>();
  expect_learning<double, 3, 3>();
}
TEST(Training, SixteenBitExpansions) {
  expect_learning<bfloat16, 2>();
  expect_learning<half, 2>();
}

// most small steps are lost in bfloat16 and kept in its expansions
TEST(Training, SmallStepsNeedComponents) {
  const auto plain = learn_a_circle<bfloat16, 1>(1000, 0.02);
  const auto two = learn_a_circle<bfloat16, 2>(1000, 0.02);
  const auto reference = learn_a_circle<double, 1>(1000, 0.02);
  const double gained = reference.first - reference.second;
  EXPECT_GT(gained, 0.02);
  EXPECT_NEAR(two.first - two.second, gained, 0.4 * gained);
  EXPECT_LT(plain.first - plain.second, 0.6 * gained);
}

/// Embedding, one block of attention and a linear layer with residuals, predicting the next number.
struct Transformer : nn::Module<float> {
  static constexpr std::int64_t width = 16;
  using Linear = nn::Linear<float>;
  std::shared_ptr<nn::Embedding<float>> tokens =
      register_module("tokens", std::make_shared<nn::Embedding<float>>(8, width, 1));
  std::shared_ptr<nn::Embedding<float>> places =
      register_module("places", std::make_shared<nn::Embedding<float>>(12, width, 2));
  std::shared_ptr<nn::LayerNorm<float>> norm =
      register_module("norm", std::make_shared<nn::LayerNorm<float>>(Shape{width}));
  std::shared_ptr<nn::MultiheadAttention<float>> attention =
      register_module("attention", std::make_shared<nn::MultiheadAttention<float>>(
                                       width, 2, 3, nn::AttentionOptions{true, 0, true}));
  std::shared_ptr<Linear> head =
      register_module("head", std::make_shared<Linear>(width, 8, 4, false));

  Variable<float> loss(const Tensor<std::int64_t>& sequences) {
    const std::int64_t length = sequences.size(1) - 1;
    const auto x =
        tokens->forward(sequences.narrow(1, 0, length)) + places->forward(arange(length));
    const auto y = x + attention->causal(norm->forward(x));
    return nn::cross_entropy(head->forward(y).transpose(1, 2),
                             sequences.narrow(1, 1, length).contiguous());
  }
};

/// The losses of some steps, and the parameters after them.
std::pair<std::vector<float>, Tensor<float>> train_transformer(int steps) {
  Transformer model;
  auto sequences = Tensor<std::int64_t>::uninitialized({8, 12});
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 12; ++j) sequences.set({i, j}, (i + 3 * j) % 8);
  std::vector<float> losses;
  for (int i = 0; i < steps; ++i) {
    const auto loss = model.loss(sequences);
    losses.push_back(loss.item());
    loss.backward();
    step(model, 0.5);
  }
  std::vector<Tensor<float>> all;
  for (const auto& p : model.parameters()) all.push_back(p.value().flatten());
  return {losses, cat(all)};
}

TEST(Training, Transformer) {
  const auto losses = train_transformer(60).first;
  EXPECT_GT(losses.front(), 1.5F);
  EXPECT_LT(losses.back(), 0.1F);
}

TEST(Training, TheSameBitsWithAnyNumberOfThreads) {
  const int before = num_threads();
  set_num_threads(1);
  const auto one = train_transformer(5);
  for (const int threads : {2, 5}) {
    set_num_threads(threads);
    const auto many = train_transformer(5);
    EXPECT_EQ(many.first, one.first);
    EXPECT_TRUE(same(many.second, one.second));
  }
  set_num_threads(before);
}

}  // namespace
}  // namespace mct::test
