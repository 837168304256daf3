// Modules: gradients in f64x2, values against the formulas, names, modes.
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

using Indices = Tensor<std::int64_t>;

/// gradcheck of module(x) by x and all parameters.
template <class Part, class X>
::testing::AssertionResult module_gradients_agree(Part& module, const X& x) {
  auto inputs = module.parameters();
  inputs.push_back(x);
  GradcheckOptions options;
  options.tolerance = 1e-20;
  const auto report = gradcheck([&](const auto&) { return module(x); }, inputs, options);
  if (report.passed) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << report.message();
}

TEST(ModuleGradients, WithActivationsOfExpansions) {
  nn::Linear<double, 2, 2, 2> linear(3, 2, 1);
  EXPECT_TRUE(module_gradients_agree(linear, input({4, 3}, 1)));
  EXPECT_TRUE(module_gradients_agree(linear, input({3}, 1)));
  nn::Linear<double, 2, 2, 2> unbiased(3, 2, 1, false);
  EXPECT_EQ(unbiased.parameters().size(), 1U);
  EXPECT_TRUE(module_gradients_agree(unbiased, input({2, 2, 3}, 1)));
  nn::LayerNorm<double, 2, 2, 2> norm({2, 3});
  EXPECT_TRUE(module_gradients_agree(norm, input({3, 2, 3}, 1)));
  nn::LayerNorm<double, 2, 2, 2> bare({3}, {1e-3, false, false});
  EXPECT_TRUE(bare.parameters().empty());
  EXPECT_TRUE(module_gradients_agree(bare, input({2, 3}, 1)));
  nn::MultiheadAttention<double, 2, 2, 2> attention(4, 2, 1);
  EXPECT_TRUE(module_gradients_agree(attention, input({3, 2, 4}, 1)));
  const auto x = input({3, 4}, 1);
  EXPECT_TRUE(gradients_agree([&](const auto& a) { return attention.causal(a); }, x));
  nn::Sequential<double, 2, 2, 2> all;
  all.emplace<nn::Linear>(3, 4, 1);
  all.emplace<nn::Tanh>();
  all.emplace<nn::LayerNorm>(Shape{4});
  all.emplace<nn::GELU>();
  all.emplace<nn::Linear>(4, 2, 2);
  all.emplace<nn::Sigmoid>();
  all.emplace<nn::Dropout>(0.5, 1);
  all.emplace<nn::Softmax>(-1);
  all.emplace<nn::LogSoftmax>(0);
  all.eval();
  EXPECT_TRUE(module_gradients_agree(all, input({2, 3}, 1)));
  nn::Sequential<double, 2, 2, 2> kinks(std::make_shared<nn::Linear<double, 2, 2, 2>>(3, 4, 1),
                                        std::make_shared<nn::ReLU<double, 2, 2, 2>>());
  EXPECT_TRUE(module_gradients_agree(kinks, input({2, 3}, 1)));
}

TEST(ModuleGradients, OfDropoutWithAFixedMask) {
  EXPECT_TRUE(gradients_agree([](const auto& a) { return square(nn::dropout(a, 0.4, 1, 2)); },
                              input({20}, 1)));
}

TEST(ModuleGradients, OfEmbedding) {
  nn::Embedding<double, 2, 2, 2> table(4, 3, 1);
  const auto index = Indices::from_values({3, 0, 3, 1}, {2, 2});
  EXPECT_TRUE(gradcheck([&](const auto&) { return square(table(index)); }, table.parameters()));
}

// a plain activation is the expansion's rounded after each product
TEST(Modules, PlainActivationsRoundTheExactOnes) {
  nn::Linear<float, 2> mixed(30, 20, 1);
  nn::Linear<float, 2, 2> full(30, 20, 1);
  const auto x = randn<float>({5, 30}, 2);
  const auto y = mixed(Variable<float>(x));
  const auto exact = full(Variable<float, 2>(with_components<2>(x)));
  EXPECT_TRUE(same(y.value(), exact.value().evaluate()));
  // gradients of plain components, of the leading components of the weights
  sum(square(y)).backward();
  sum(square(exact)).backward();
  EXPECT_LT(max(abs(mixed.weight().grad() - full.weight().grad())).item(), 1e-5F);
  nn::LayerNorm<float, 2> norm({20});
  nn::MultiheadAttention<float, 2> attention(20, 4, 1);
  const auto z = attention(norm(y.detach().unsqueeze(0)));
  EXPECT_EQ(z.shape(), (Shape{1, 5, 20}));
  sum(z).backward();
  EXPECT_TRUE(attention.parameters()[0].has_grad());
}

TEST(Modules, LinearIsTheFormula) {
  nn::Linear<double> layer(3, 2, 7);
  const auto w = layer.weight().value();
  const auto b = layer.bias().value();
  const auto x = randn<double>({4, 3}, 1);
  const auto y = layer(Variable<double>(x)).value();
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 2; ++j) {
      double expected = b.at({j});
      for (std::int64_t k = 0; k < 3; ++k) expected += x.at({i, k}) * w.at({j, k});
      EXPECT_NEAR(y.at({i, j}), expected, 1e-15);
    }
  EXPECT_THROW(layer(Variable<double>(zeros<double>({4, 2}))), ShapeError);
  EXPECT_THROW(nn::Linear<double>(0, 2, 1), DomainError);
}

TEST(Modules, LayerNormIsTheFormula) {
  nn::LayerNorm<double> layer({5});
  const auto x = randn<double>({2, 5}, 1);
  for (std::uint64_t i = 0; i < 2; ++i)
    nn::init::uniform_(layer.parameters()[i].value(), -1, 1, 5 + i);
  const auto y = layer(Variable<double>(x)).value();
  const auto weight = layer.parameters()[0].value();
  const auto bias = layer.parameters()[1].value();
  for (std::int64_t i = 0; i < 2; ++i) {
    const auto row = x.select(0, i);
    const double m = mean(row).item();
    const double variance = mean(square(row - m)).item();
    const auto expected = (row - m) / std::sqrt(variance + 1e-5) * weight + bias;
    EXPECT_LT(max(abs(y.select(0, i) - expected)).item(), 1e-14);
  }
  EXPECT_THROW(layer(Variable<double>(zeros<double>({4}))), ShapeError);
  EXPECT_THROW(nn::LayerNorm<double>(Shape{}), DomainError);
  EXPECT_EQ(layer(Variable<double>(zeros<double>({0, 5}))).shape(), (Shape{0, 5}));
}

TEST(Modules, EmbeddingAndPadding) {
  nn::Embedding<float> table(5, 3, 1, {2, true});
  EXPECT_EQ(max(abs(table.weight().value().select(0, 2))).item(), 0.0F);
  EXPECT_GT(max(abs(table.weight().value().select(0, 1))).item(), 0.0F);
  const auto y = table(Indices::from_values({2, 4, 4}));
  EXPECT_TRUE(same(y.value().select(0, 1), table.weight().value().select(0, 4)));
  sum(y).backward();
  const auto rows = table.weight().sparse_grad();
  EXPECT_EQ(rows.indices.values(), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(rows.rows.values(), (std::vector<float>{2, 2, 2}));
  EXPECT_THROW(table(Indices::from_values({5})), ShapeError);
  EXPECT_THROW(nn::Embedding<float>(5, 3, 1, {5, false}), DomainError);
}

TEST(Modules, DropoutKeepsTheMean) {
  nn::Dropout<float> layer(0.25, 3);
  const Variable<float> x(full<float>({100000}, 1), true);
  const auto y = layer(x);
  std::int64_t zeros_seen = 0;
  for (const float v : y.value().values()) {
    EXPECT_TRUE(v == 0 || v == float(1 / 0.75)) << v;
    zeros_seen += v == 0 ? 1 : 0;
  }
  EXPECT_NEAR(double(zeros_seen), 25000, 5 * std::sqrt(100000 * 0.25 * 0.75));
  sum(y).backward();
  EXPECT_TRUE(same(x.grad(), y.value()));
  // the next call has another mask, which the seed and the number of the call determine
  const auto next = layer(x).value();
  EXPECT_FALSE(same(next, y.value()));
  layer.set_calls(1);
  const int before = num_threads();
  for (const int threads : {1, 3, 8}) {
    set_num_threads(threads);
    layer.set_calls(1);
    EXPECT_TRUE(same(layer(x).value(), next));
  }
  set_num_threads(before);
  EXPECT_FALSE(same(nn::Dropout<float>(0.25, 4)(x).value(), y.value()));
  layer.eval();
  EXPECT_TRUE(same(layer(x).value(), x.value()));
  EXPECT_EQ(max(nn::Dropout<float>(1, 1)(x).value()).item(), 0.0F);
  EXPECT_THROW(nn::Dropout<float>(1.5, 1), DomainError);
  // the factor has all components
  const Variable<float, 2> two(full<float, 2>({64}, f32x2(1)));
  EXPECT_EQ(max((nn::Dropout<float, 2, 2>(0.25, 1)(two)).value()).item(), f32x2(1 / 0.75));
}

struct Block : nn::Layer<float> {
  using Linear = nn::Linear<float>;
  std::shared_ptr<Linear> first = register_module("first", std::make_shared<Linear>(4, 4, 1));
  Parameter scale = register_parameter("scale", full<float>({4}, 2));
  Activation forward(const Activation& x) override { return first->forward(x) * scale; }
};

TEST(Modules, IndicesOutsideAreShapeErrors) {
  nn::Sequential<float> all;
  EXPECT_NE(message_of<ShapeError>([&] { all[3]; }).find("Sequential: index 3 is not below 0"),
            std::string::npos);
  all.emplace<nn::Linear>(3, 4, 1);
  EXPECT_NE(all[0], nullptr);
  nn::ModuleList<nn::Linear<float>> list;
  list.append(std::make_shared<nn::Linear<float>>(2, 2, 1));
  EXPECT_NE(list[0], nullptr);
  EXPECT_NE(message_of<ShapeError>([&] { list[1]; }).find("ModuleList: index 1 is not below 1"),
            std::string::npos);
}

TEST(Modules, LayerNormRefusesAnEps) {
  for (const double eps : {-1.0, double(INFINITY), double(NAN)})
    EXPECT_NE(message_of<DomainError>([&] {
                nn::LayerNorm<float>({3}, {eps});
              }).find("LayerNorm: eps " + number_text(eps)),
              std::string::npos);
  EXPECT_NO_THROW(nn::LayerNorm<float>({3}, {0}));
}

struct Holder : nn::Module<float> {
  void hold(const std::string& name, const std::shared_ptr<Holder>& part) {
    this->register_module(name, part);
  }
};

TEST(Modules, AreNoPartsOfThemselves) {
  const auto outer = std::make_shared<Holder>();
  const auto inner = std::make_shared<Holder>();
  const std::string message = "' contains the module that would get it";
  EXPECT_EQ(message_of<DomainError>([&] { outer->hold("me", outer); }),
            "register_module: the module given for 'me" + message);
  outer->hold("middle", std::make_shared<Holder>());
  outer->hold("inner", inner);
  EXPECT_EQ(message_of<DomainError>([&] { inner->hold("back", outer); }),
            "register_module: the module given for 'back" + message);
  outer->hold("again", inner);
  EXPECT_TRUE(outer->parameters().empty());
}

TEST(Modules, NamesOfNestedParameters) {
  struct Model : nn::Module<float> {
    std::shared_ptr<nn::ModuleList<Block>> blocks =
        register_module("blocks", std::make_shared<nn::ModuleList<Block>>());
    std::shared_ptr<nn::Dropout<float>> drop =
        register_module("drop", std::make_shared<nn::Dropout<float>>(0.5, 1));
    Model() {
      const auto shared = std::make_shared<Block>();
      blocks->append(shared);
      blocks->append(std::make_shared<Block>());
      blocks->append(shared);
    }
    void take(const std::string& name) { register_parameter(name, zeros<float>({1})); }
  };
  Model model;
  std::vector<std::string> names;
  for (const auto& [name, parameter] : model.named_parameters()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"blocks.0.scale", "blocks.0.first.weight",
                                             "blocks.0.first.bias", "blocks.1.scale",
                                             "blocks.1.first.weight", "blocks.1.first.bias"}));
  EXPECT_EQ(model.num_parameters(), 2 * (4 + 16 + 4));
  EXPECT_EQ(model.state_dict().count("blocks.2.scale"), 1U) << "shared under each name";
  model.eval();
  EXPECT_FALSE(model.drop->is_training());
  EXPECT_FALSE((*model.blocks)[1]->first->is_training());
  model.train();
  EXPECT_TRUE(model.drop->is_training());
  EXPECT_THROW(model.take("blocks"), DomainError);
  EXPECT_THROW(model.take("a.b"), DomainError);
  // a parameter that is used twice gets both gradients
  const Variable<float> x(full<float>({1, 4}, 1));
  Block& block = *(*model.blocks)[0];
  sum(block(x) + block(x)).backward();
  const auto twice = block.scale.grad().clone();
  model.zero_grad();
  EXPECT_FALSE(block.scale.has_grad());
  sum(block(x)).backward();
  EXPECT_TRUE(same(twice, block.scale.grad() * 2));
}

}  // namespace
}  // namespace mct::test
