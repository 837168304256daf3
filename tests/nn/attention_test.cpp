// Attention: against the formula, head by head; masks; shapes.
#include "mctensor/attention/streaming_attention.hpp"
#include "tests/autograd/gradients.hpp"

namespace mct::test {
namespace {

/// The formula for one sequence, with explicit loops: x (L, E), keys and values from y (S, E).
Tensor<double> by_the_formula(nn::MultiheadAttention<double>& layer, const Tensor<double>& x,
                              const Tensor<double>& y, std::int64_t heads, bool causal) {
  const auto state = layer.state_dict();
  const std::int64_t e = x.size(1);
  const std::int64_t d = e / heads;
  const auto projected = [&](const Tensor<double>& from, std::int64_t part) {
    const auto w = state.at("in_proj_weight").narrow(0, part * e, e);
    return matmul(from, w.t()) + state.at("in_proj_bias").narrow(0, part * e, e);
  };
  const auto q = projected(x, 0);
  const auto k = projected(y, 1);
  const auto v = projected(y, 2);
  Tensor<double> joined({x.size(0), e});
  for (std::int64_t h = 0; h < heads; ++h)
    for (std::int64_t i = 0; i < x.size(0); ++i) {
      const std::int64_t seen = causal ? i + 1 : y.size(0);
      std::vector<double> weights;
      double total = 0;
      for (std::int64_t j = 0; j < seen; ++j) {
        double score = 0;
        for (std::int64_t c = h * d; c < (h + 1) * d; ++c) score += q.at({i, c}) * k.at({j, c});
        weights.push_back(std::exp(score / std::sqrt(double(d))));
        total += weights.back();
      }
      for (std::int64_t c = h * d; c < (h + 1) * d; ++c) {
        double value = 0;
        for (std::int64_t j = 0; j < seen; ++j)
          value += weights[std::size_t(j)] / total * v.at({j, c});
        joined.set({i, c}, value);
      }
    }
  return matmul(joined, state.at("out_proj.weight").t()) + state.at("out_proj.bias");
}

/// Biases start at zero, where an error would not show.
void randomize(nn::MultiheadAttention<double>& layer) {
  std::uint64_t seed = 20;
  for (const auto& parameter : layer.parameters())
    nn::init::uniform_(parameter.value(), -1, 1, seed++);
}

TEST(Attention, IsTheFormula) {
  nn::MultiheadAttention<double> layer(6, 3, 1, {true, 0, true});
  randomize(layer);
  const auto x = randn<double>({2, 4, 6}, 1);
  const auto y = randn<double>({2, 5, 6}, 2);
  const auto self = layer(Variable<double>(x)).value();
  const auto causal = layer.causal(Variable<double>(x)).value();
  const Variable<double> memory(y);
  const auto cross = layer.attend(Variable<double>(x), memory, memory, {}).value();
  for (std::int64_t b = 0; b < 2; ++b) {
    const auto distance = [&](const Tensor<double>& result, const Tensor<double>& from, bool mask) {
      const auto expected = by_the_formula(layer, x.select(0, b), from.select(0, b), 3, mask);
      return max(abs(result.select(0, b) - expected)).item();
    };
    EXPECT_LT(distance(self, x, false), 1e-14);
    EXPECT_LT(distance(causal, x, true), 1e-14);
    EXPECT_LT(distance(cross, y, false), 1e-14);
  }
}

TEST(Attention, OrderOfDimensionsAndSingleSequences) {
  nn::MultiheadAttention<double> by_batch(4, 2, 1, {true, 0, true});
  nn::MultiheadAttention<double> by_length(4, 2, 1);
  const auto x = randn<double>({3, 5, 4}, 1);
  const auto y = by_batch(Variable<double>(x)).value();
  EXPECT_TRUE(same(by_length(Variable<double>(x.transpose(0, 1))).value().transpose(0, 1), y));
  const auto one = by_length(Variable<double>(x.select(0, 1)));
  EXPECT_EQ(one.shape(), (Shape{5, 4}));
  EXPECT_LT(max(abs(one.value() - y.select(0, 1))).item(), 1e-15);
  EXPECT_LT(max(abs(by_length.causal(Variable<double>(x.select(0, 1))).value() -
                    by_batch.causal(Variable<double>(x)).value().select(0, 1)))
                .item(),
            1e-15);
  EXPECT_THROW(by_batch(Variable<double>(zeros<double>({3, 5, 6}))), ShapeError);
  EXPECT_THROW(by_batch(Variable<double>(zeros<double>({4}))), ShapeError);
  EXPECT_THROW(nn::MultiheadAttention<double>(4, 3, 1), DomainError);
  const Variable<double> three(zeros<double>({3, 5, 4}));
  const Variable<double> single(zeros<double>({1, 5, 4}));
  const Variable<double> alone(zeros<double>({5, 4}));
  EXPECT_THROW(by_batch.attend(three, single, single, {}), ShapeError);
  EXPECT_THROW(by_batch.attend(three, three, single, {}), ShapeError);
  EXPECT_THROW(by_batch.attend(three, alone, alone, {}), ShapeError);
}

TEST(Attention, HiddenPositionsHaveNoInfluence) {
  nn::MultiheadAttention<double> layer(4, 2, 1);
  randomize(layer);
  const auto x = randn<double>({5, 4}, 1);
  const Variable<double> v(x, true);
  auto hidden = Tensor<bool>({5});
  hidden.set({3}, true);
  const auto y = layer.attend(v, v, v, hidden);
  const auto changed = x.clone();
  changed.select(0, 3).fill_(7);
  const Variable<double> other(changed);
  const auto z = layer.attend(v, other, other, hidden);
  EXPECT_TRUE(same(y.value(), z.value()));
  // causal: the first result depends on the first position alone
  sum(layer.causal(v).select(0, 0)).backward();
  EXPECT_GT(max(abs(v.grad().select(0, 0))).item(), 0);
  EXPECT_EQ(max(abs(v.grad().narrow(0, 1, 4))).item(), 0);
}

TEST(Attention, InitialValuesAndNames) {
  nn::MultiheadAttention<double> layer(16, 4, 1);
  std::vector<std::string> names;
  for (const auto& [name, parameter] : layer.named_parameters()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"in_proj_weight", "in_proj_bias", "out_proj.weight",
                                             "out_proj.bias"}));
  const auto state = layer.state_dict();
  EXPECT_EQ(state.at("in_proj_weight").shape(), (Shape{48, 16}));
  EXPECT_EQ(max(abs(state.at("in_proj_bias"))).item(), 0);
  EXPECT_EQ(max(abs(state.at("out_proj.bias"))).item(), 0);
  EXPECT_LE(max(abs(state.at("in_proj_weight"))).item(), std::sqrt(6.0 / (48 + 16)));
  nn::MultiheadAttention<double> bare(16, 4, 1, {false, 0, false});
  EXPECT_EQ(bare.parameters().size(), 2U);
}

TEST(Attention, DropoutInTrainingOnly) {
  nn::MultiheadAttention<float> layer(8, 2, 1, {true, 0.5, true});
  const Variable<float> x(randn<float>({2, 6, 8}, 1));
  const auto first = layer(x).value();
  EXPECT_FALSE(same(layer(x).value(), first)) << "another mask";
  EXPECT_EQ(layer.weight_dropout().calls(), 2U);
  layer.weight_dropout().set_calls(0);  // as from a checkpoint
  EXPECT_TRUE(same(layer(x).value(), first));
  layer.eval();
  const auto quiet = layer(x).value();
  EXPECT_TRUE(same(layer(x).value(), quiet));
  EXPECT_FALSE(same(first, quiet));
}

/// With probability 1 every weight is 0, and so are the gradients, whatever weighs the values.
TEST(Attention, DropoutOfEverything) {
  for (const bool streams : {false, true}) {
    SCOPED_TRACE(streams);
    nn::MultiheadAttention<float> layer(4, 2, 1, {true, 1, true});
    if (streams)
      layer.set_rule(std::make_shared<attention::StreamingAttention<float>>(
          attention::Comparison::dot_product, 2));
    const Variable<float> x(randn<float>({2, 70, 4}, 1), true);
    const auto y = layer(x);
    EXPECT_EQ(max(abs(y.value())).item(), 0);  // out_proj.bias is 0 at first
    sum(y * randn<float>({2, 70, 4}, 2)).backward();
    EXPECT_EQ(max(abs(x.grad())).item(), 0);
    layer.eval();
    EXPECT_GT(max(abs(layer(x).value())).item(), 0);
  }
}

template <class V>
void expect_zeros_without_keys() {
  const V q(typename V::Value({2, 3}), true);
  const V nothing(typename V::Value({0, 3}), true);
  const auto y = nn::scaled_dot_product_attention(q, nothing, nothing);
  EXPECT_EQ(y.shape(), (Shape{2, 3}));
  EXPECT_EQ(double(max(abs(y.value().evaluate())).item()), 0);
  sum(y).backward();
  EXPECT_EQ(double(max(abs(q.grad())).item()), 0);
  EXPECT_EQ(nothing.grad().shape(), (Shape{0, 3}));
}

TEST(Attention, WithoutKeysIsZero) {
  expect_zeros_without_keys<Variable<float>>();
  expect_zeros_without_keys<Variable<double, 2>>();
}

TEST(Attention, GradientsOfTheFunction) {
  const auto q = input({2, 3, 2}, 1);
  const auto k = input({2, 4, 2}, 2);
  const auto v = input({4, 3}, 3);
  EXPECT_TRUE(gradients_agree(
      [](const auto& a, const auto& b, const auto& c) {
        return nn::scaled_dot_product_attention(a, b, c, nn::causal_mask(3, 4));
      },
      q, k, v));
}

}  // namespace
}  // namespace mct::test
