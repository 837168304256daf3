// Layers of products of spaces, and the linear layer on the hyperboloid.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/attention/layers/all.hpp"
#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/nn/losses.hpp"
#include "mctensor/optim/adam.hpp"
#include "tests/attention/fine_layers.hpp"
#include "tests/message_of.hpp"

namespace mct::nn {
namespace {

using geometry::Euclidean;
using geometry::Learnable;
using geometry::Lorentz;
using geometry::PoincareBall;
using geometry::Product;
using geometry::ProductPart;
using FineProduct = Product<PoincareBall<f64x2>, Lorentz<f64x2>, Euclidean<f64x2>>;

/// A ball of n dimensions, a hyperboloid of n and a plane of two.
FineProduct space_of(int n) {
  return FineProduct(ProductPart{PoincareBall<f64x2>(f64x2(1.3)), n},
                     ProductPart{Lorentz<f64x2>(f64x2(0.8)), n + 1, 0.5},
                     ProductPart{Euclidean<f64x2>(f64x2(1)), 2});
}

template <class M>
struct Network {
  Network(const M& from, const M& to)
      : linear(from, to, 1), norm(to, hyperbolic_detail::coordinates_of(to) - 1), mlr(to, 3, 2) {
    scatter(linear.bias(), 3);
    for (std::size_t i = 0; i < 3; ++i) scatter(mlr.bias(i), 4 + i);
  }
  Fine operator()(const Fine& x) { return mlr(norm(linear(x))); }

  HyperbolicLinear<M, 2> linear;
  HyperbolicBatchNorm<M, 2> norm;
  ProductMLR<M, 2> mlr;
};

TEST(ProductLayers, Gradients) {
  const auto from = space_of(2), to = space_of(1);
  Network<FineProduct> network(from, to);
  std::vector<Fine> inputs = {Fine(randn<double, 2>({2, 6}, 5), true)};
  for (const auto& p : network.linear.parameters()) inputs.push_back(p);
  for (const auto& p : network.mlr.parameters()) inputs.push_back(p);
  const auto report = gradcheck(
      [&](const std::vector<Fine>& x) { return network(from_tangent0(from, x[0])); }, inputs);
  EXPECT_TRUE(report) << report.message();
}

TEST(ProductLayers, LearnEveryRadius) {
  using L = Learnable<FineProduct, 2>;
  const Fine radius(FineTensor::from_values({1.3, 0.8, 1.0}, {3}), true);
  const L from(space_of(3), radius), to(space_of(2), radius);
  Network<L> network(from, to);
  const Fine v(randn<double, 2>({3, 8}, 5));
  const auto report =
      gradcheck([&](const std::vector<Fine>&) { return network(from_tangent0(from, v)); },
                std::vector<Fine>{radius});
  EXPECT_TRUE(report) << report.message();
  // the same numbers as of fixed radii
  Network<FineProduct> fixed(space_of(3), space_of(2));
  EXPECT_EQ(max(abs(network(from_tangent0(from, v)).value() -
                    fixed(from_tangent0(space_of(3), v)).value()))
                .item(),
            f64x2(0));
}

TEST(ProductLayers, OfOnePartAreTheLayersOfThePart) {
  using One = Product<Lorentz<double>>;
  using V = Variable<double>;
  const Lorentz<double> lorentz(0.8);
  const One product(ProductPart{lorentz, 4});
  HyperbolicLinear<One> linear(product, product, 1);
  HyperbolicLinear<Lorentz<double>> plain_linear(lorentz, 3, 3, 1);
  init::normal_(linear.bias().value(), 0, 1, 2);
  plain_linear.load_state_dict(linear.state_dict());
  ProductMLR<One> mlr(product, 5, 3);
  HyperbolicMLR<Lorentz<double>> plain_mlr(lorentz, 3, 5, 3);
  init::normal_(mlr.bias(0).value(), 0, 1, 4);
  plain_mlr.load_state_dict(
      StateDict<double, 1>{{"weight", mlr.weight(0).value()}, {"bias", mlr.bias(0).value()}});
  const V x(from_tangent0(lorentz, V(randn<double>({6, 3}, 5) * 3.0)).value());
  const auto y = plain_linear(x).value();
  // kernels of the part alone round otherwise
  EXPECT_LE(max(abs(linear(x).value() / y - 1.0)).item(), 1e-12);
  EXPECT_LE(max(abs(mlr(V(y)).value() - plain_mlr(V(y)).value())).item(), 1e-12);
}

TEST(ProductLayers, LogitsAreWeightedSumsOfTheParts) {
  const auto space = space_of(2);
  ProductMLR<FineProduct, 2> mlr(space, 3, 2);
  for (std::size_t i = 0; i < 3; ++i) scatter(mlr.bias(i), 4 + i);
  const Fine x(from_tangent0(space, Fine(randn<double, 2>({4, 6}, 5))).value());
  const auto ball = plane_logits(space.part<0>(), x.narrow(1, 0, 2), mlr.weight(0), mlr.bias(0));
  const auto lorentz = plane_logits(space.part<1>(), x.narrow(1, 2, 3), mlr.weight(1), mlr.bias(1));
  const auto z = mlr.weight(2);
  // |z| times the distance from the plane at r z / |z|
  const auto flat =
      matmul(x.narrow(1, 5, 2), z.t()) - hyperbolic_detail::lengths(z).squeeze(-1) * mlr.bias(2);
  EXPECT_LE(max(abs(mlr(x).value() - (ball + lorentz * 0.5 + flat).value())).item(), f64x2(1e-29));
}

TEST(ProductLayers, ANetworkLearnsWithItsRadii) {
  using P = Product<PoincareBall<double>, Lorentz<double>>;
  using L = Learnable<P>;
  using V = Variable<double>;
  const auto space = [](int n) {
    return P(ProductPart{PoincareBall<double>(1), n}, ProductPart{Lorentz<double>(1), n + 1});
  };
  const V radius(Tensor<double>::from_values({1.0, 1.0}, {2}), true);
  const L from(space(2), radius), to(space(3), radius);
  HyperbolicLinear<L> hidden(from, to, 1);
  ProductMLR<L> classify(to, 2, 2);
  // inside or outside of a distance, which no plane tells apart; some points 15 radii out
  const auto v = randn<double>({32, 4}, 3) * 2.0;
  v.set({0, 0}, 15.0);
  Tensor<std::int64_t> labels({32});
  for (std::int64_t i = 0; i < 32; ++i)
    labels.data()[i] = v.at({i, 0}) * v.at({i, 1}) > v.at({i, 2}) ? 1 : 0;
  std::vector<V> parameters = {radius};
  for (const auto& p : hidden.parameters()) parameters.push_back(p);
  for (const auto& p : classify.parameters()) parameters.push_back(p);
  optim::Adam<double> adam(parameters, {.lr = 0.02});
  double first = 0;
  double last = 0;
  for (int step = 0; step < 40; ++step) {
    const auto x = from_tangent0(from, V(v));
    const auto y = hyperbolic_activation(
        to, [](const auto& u) { return relu(u); }, hidden(x));
    const auto loss = cross_entropy(classify(y), labels);
    last = loss.value().item();
    ASSERT_TRUE(std::isfinite(last)) << step;
    if (step == 0) first = last;
    loss.backward();
    adam.step();
    adam.zero_grad();
  }
  EXPECT_LT(last, 0.7 * first);
  EXPECT_NE(radius.value().at({0}), 1.0);
  EXPECT_NE(radius.value().at({1}), radius.value().at({0}));
}

TEST(ProductLayers, Refuse) {
  const auto space = space_of(2);
  EXPECT_THROW((ProductMLR<FineProduct, 2>(space, 0, 1)), DomainError);
  const ProductMLR<FineProduct, 2> mlr(space, 2, 1);
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              mlr(Fine(FineTensor({4, 6})));
            }).find("points of shape (4, 6), expected 7 coordinates"),
            std::string::npos);
}

TEST(LorentzLinear, IsOnTheHyperboloidFarOutAndByTheFormula) {
  const Lorentz<f64x2> lorentz(f64x2(0.8));
  LorentzLinear<Lorentz<f64x2>, 2> layer(lorentz, 3, 2, 1);
  scatter(layer.bias(), 2);
  scatter(layer.scale(), 3);
  const Fine x(from_tangent0(lorentz, Fine(randn<double, 2>({8, 3}, 5) * f64x2(10))).value());
  const auto y = layer(x).value();
  const auto squares = sum(square(y.narrow(1, 1, 2)), {-1}) + f64x2(0.8) * f64x2(0.8);
  EXPECT_LE(max(abs(square(y.select(1, 0)) / squares - f64x2(1))).item(), f64x2(1e-30));
  // of one point in plain words
  const auto unit = x.value().select(0, 0) / f64x2(0.8);
  const auto z =
      matmul(layer.weight().value(), unit.unsqueeze(1)).squeeze(1) + layer.bias().value();
  const auto gate = sum(layer.gate().value() * unit).item();
  const f64x2 reach = f64x2(0.8) * exp(layer.scale().value().item()) / (f64x2(1) + exp(-gate));
  const auto expected = z * (reach / sqrt(sum(square(z)).item()));
  EXPECT_LE(max(abs(y.select(0, 0).narrow(0, 1, 2) - expected)).item(), f64x2(1e-28));
}

TEST(LorentzLinear, GradientsWithTheRadius) {
  using L = Learnable<Lorentz<f64x2>, 2>;
  const Fine radius(FineTensor::scalar(f64x2(1.3)), true);
  const L manifold(radius);
  LorentzLinear<L, 2> layer(manifold, 3, 2, 1);
  scatter(layer.bias(), 2);
  std::vector<Fine> inputs = {Fine(randn<double, 2>({3, 3}, 5), true), radius};
  for (const auto& p : layer.parameters()) inputs.push_back(p);
  const auto report = gradcheck(
      [&](const std::vector<Fine>& x) { return layer(from_tangent0(manifold, x[0])); }, inputs);
  EXPECT_TRUE(report) << report.message();
  EXPECT_THROW((LorentzLinear<L, 2>(manifold, 3, 0, 1)), DomainError);
  EXPECT_THROW(layer(Fine(FineTensor({2, 3}))), ShapeError);
}

TEST(HyperbolicBatchNormState, IsKeptWithTheParameters) {
  using V = Variable<double>;
  const PoincareBall<double> ball(1);
  HyperbolicBatchNorm<PoincareBall<double>> norm(ball, 2), other(ball, 2);
  const V x(from_tangent0(ball, V(randn<double>({20, 2}, 3) + 0.5)).value());
  for (int i = 0; i < 5; ++i) norm(x);
  const auto state = norm.state_dict();
  EXPECT_EQ(state.size(), 4U);
  EXPECT_EQ(norm.parameters().size(), 2U);
  ASSERT_EQ(norm.named_state().size(), 4U);
  EXPECT_FALSE(norm.named_state()[2].second.requires_grad());
  EXPECT_EQ(state.at("running_mean").values(), norm.running_mean().values());
  other.load_state_dict(state);
  norm.eval();
  other.eval();
  EXPECT_EQ(norm(x).value().values(), other(x).value().values());
  // files from before buffers were kept
  auto old = state;
  old.erase("running_mean");
  EXPECT_NE(testing::message_of<DomainError>([&] {
              other.load_state_dict(old);
            }).find("missing: running_mean"),
            std::string::npos);
  EXPECT_NO_THROW(other.load_state_dict(old, false));
}

}  // namespace
}  // namespace mct::nn
