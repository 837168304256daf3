// Means, conversions and matrices on variables: gradcheck in f64x2 by points, weights, matrices and
// the radius, where points are equal, weights are zero, and dimensions are broadcast.
#include "mctensor/geometry/means/autograd_means.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/models.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

using X = Variable<double, 2, 2>;

X leaf(const Tensor<double, 2>& x) { return X(x.clone(), true); }
X numbers(const std::vector<double>& values) {
  std::vector<f64x2> wide(values.begin(), values.end());
  return X(Tensor<double, 2>::from_values(wide), true);
}
template <class F>
void check(const char* name, const F& f, const std::vector<X>& inputs) {
  const auto report = gradcheck(f, inputs);
  EXPECT_TRUE(report) << name << ": " << report.message();
}

template <template <class> class M>
void check_means() {
  const M<f64x2> m(f64x2(1.3));
  const X radius(Tensor<double, 2>::scalar(m.radius()), true);
  const X x = leaf(random_normal(m, {2, 3, 4}, 1, 0.5)), w = numbers({0.5, 2, 1.25});
  using L = Learnable<M<f64x2>, 2>;
  check("midpoint", [&](const auto& in) { return weighted_midpoint(m, in[0], in[1], 1); }, {x, w});
  check("frechet_mean", [&](const auto& in) { return frechet_mean(m, in[0], in[1], 1); }, {x, w});
  check("equal weights", [&](const auto& in) { return weighted_midpoint(m, in[0]); }, {x});
  check("midpoint by K",
        [&](const auto& in) { return weighted_midpoint(L(in[0]), x.value(), w.value(), 1); },
        {radius});
  // on surfaces the points would leave them as K changes
  if constexpr (!std::is_same_v<M<f64x2>, Sphere<f64x2>> &&
                !std::is_same_v<M<f64x2>, Hemisphere<f64x2>>)
    check("frechet_mean by K",
          [&](const auto& in) { return frechet_mean(L(in[0]), x.value(), w.value(), 1); },
          {radius});
}
TEST(MeansOnVariables, Ball) { check_means<PoincareBall>(); }
TEST(MeansOnVariables, HalfSpace) { check_means<HalfSpace>(); }
TEST(MeansOnVariables, Klein) { check_means<Klein>(); }
TEST(MeansOnVariables, Euclidean) { check_means<Euclidean>(); }

/// Where coordinates are more than the dimension, along moves within the surface.
template <template <class> class M>
void check_on_surface() {
  const M<f64x2> m(f64x2(1.3));
  const Tensor<double, 2> x = random_normal(m, {3, 4}, 1, 0.5);
  const X u = leaf(Tensor<double, 2>({3, 4})), w = numbers({0.5, 2, 1.25});
  const auto moved = [&](const X& v) { return m.expmap(x, m.proju(x, v)); };
  check("midpoint", [&](const auto& in) { return weighted_midpoint(m, moved(in[0]), in[1]); },
        {u, w});
  check("frechet_mean", [&](const auto& in) { return frechet_mean(m, moved(in[0]), in[1]); },
        {u, w});
}
TEST(MeansOnVariables, Lorentz) { check_on_surface<Lorentz>(); }
TEST(MeansOnVariables, Hemisphere) { check_on_surface<Hemisphere>(); }
TEST(MeansOnVariables, Sphere) { check_on_surface<Sphere>(); }

TEST(MeansOnVariables, Product) {
  const Product space(ProductPart{PoincareBall<f64x2>(f64x2(1.5)), 2},
                      ProductPart{Euclidean<f64x2>(), 2, 0.5});
  const X x = leaf(random_normal(space, {3, 4}, 1, 0.5)), w = numbers({0.5, 2, 1.25});
  check("midpoint", [&](const auto& in) { return weighted_midpoint(space, in[0], in[1]); }, {x, w});
}

/// A cluster far out (the mass is summed by pairs), equal points, and a weight of zero.
TEST(MeansOnVariables, ClustersAndZeroWeights) {
  const HalfSpace<f64x2> m(f64x2(1));
  const X near = leaf(Tensor<double, 2>::from_values(
      {f64x2(0.5), f64x2(1e-6), f64x2(0.5 + 1e-7), f64x2(1.1e-6)}, {2, 2}));
  const X w = numbers({0.5, 2});
  check("cluster", [&](const auto& in) { return weighted_midpoint(m, in[0] * 1.0, in[1]); },
        {near, w});
  const Variable<double> equal(Tensor<double>::from_values({0.1, 0.2, 0.1, 0.2, 0.1, 0.2}, {3, 2}),
                               true);
  const Variable<double> weights(Tensor<double>::from_values({1.0, 1.0, 0.0}), true);
  sum(weighted_midpoint(PoincareBall<double>(1), equal, weights)).backward();
  EXPECT_NEAR(equal.grad().at({0, 0}), 0.5, 1e-12);
  EXPECT_NEAR(equal.grad().at({2, 0}), 0, 1e-12);
  for (const double g : weights.grad().values()) EXPECT_NEAR(g, 0, 1e-12);
}

/// The values of tensors, whatever is a variable.
TEST(MeansOnVariables, WeightsHaveNoScale) {
  const PoincareBall<double> ball(1);
  const auto x = Tensor<double>{{0.1, 0.2}, {0.3, 0.2}, {-0.4, 0.1}};
  const auto gradient = [&](bool frechet, double size) {
    const Variable<double> weights(full<double>({3}, size), true);
    const auto mean =
        frechet ? frechet_mean(ball, x, weights) : weighted_midpoint(ball, x, weights);
    sum(mean).backward();
    return weights.grad() * size;
  };
  for (const bool frechet : {false, true}) {
    const auto of_ones = gradient(frechet, 1);
    for (const double size : {1e200, 1e-200, 1e-290})
      EXPECT_LE(max(abs(gradient(frechet, size) - of_ones)).item(), 1e-14) << size;
  }
}

TEST(MeansOnVariables, Values) {
  const PoincareBall<double> ball(1.3);
  const auto a = random_normal(ball, {4, 2}, 1);
  const auto w = Tensor<double>::from_values({1.0, 2.0, 0.5, 1.0});
  const Variable<double> x(a, true), weights(w, true);
  EXPECT_EQ(weighted_midpoint(ball, x, w).value().values(), weighted_midpoint(ball, a, w).values());
  EXPECT_EQ(frechet_mean(ball, a, weights).value().values(), frechet_mean(ball, a, w).values());
  EXPECT_EQ(frechet_mean(ball, x).value().values(), frechet_mean(ball, a).values());
  EXPECT_NE(testing::message_of<ShapeError>([&] {
              weighted_midpoint(ball, x, w, 1);
            }).find("dimension 1"),
            std::string::npos);
}

template <template <class> class From, template <class> class To>
void check_conversion() {
  const From<f64x2> m(f64x2(1.3));
  const X radius(Tensor<double, 2>::scalar(m.radius()), true);
  const X x = leaf(random_normal(m, {2, 4}, 1, 0.5));
  check("convert", [&](const auto& in) { return convert<To>(m, in[0]); }, {x});
  check("convert by K",
        [&](const auto& in) { return convert<To>(Learnable<From<f64x2>, 2>(in[0]), x.value()); },
        {radius});
  EXPECT_EQ(convert<To>(m, x).value().values(), convert<To>(m, x.value()).values());
}
TEST(ConversionsOfVariables, FromEachToEach) {
  check_conversion<PoincareBall, HalfSpace>();
  check_conversion<PoincareBall, Lorentz>();
  check_conversion<PoincareBall, Klein>();
  check_conversion<PoincareBall, PoincareBall>();
  check_conversion<HalfSpace, PoincareBall>();
  check_conversion<HalfSpace, Hemisphere>();
  check_conversion<Klein, HalfSpace>();
}

TEST(MatricesOnVariables, Gradients) {
  const PoincareBall<f64x2> ball(f64x2(1.3));
  const X radius(Tensor<double, 2>::scalar(ball.radius()), true);
  const X x = leaf(random_normal(ball, {2, 3}, 1, 0.5));
  const X matrix = leaf(random_normal(Euclidean<f64x2>(), {4, 3}, 2));
  check("mobius_matvec", [&](const auto& in) { return mobius_matvec(ball, in[0], in[1]); },
        {matrix, x});
  check("mobius_matvec by K",
        [&](const auto& in) {
          return mobius_matvec(Learnable<PoincareBall<f64x2>, 2>(in[0]), matrix.value(), x.value());
        },
        {radius});
  const auto y = mobius_matvec(ball, matrix, x).value();
  const auto expected = mobius_matvec(ball, matrix.value(), x.value());
  ASSERT_EQ(y.shape(), (Shape{2, 4}));
  for (std::size_t i = 0; i < 8; ++i)
    EXPECT_NEAR(double(y.values()[i] - expected.values()[i]), 0, 1e-30);
}

/// An operation of one's own, as docs/geometry_use.md describes it.
struct cosine_at {
  static constexpr const char* name = "cosine_at";
  static constexpr const char* operands = "ppp";
  static constexpr OperationResult result = OperationResult::number;
  template <class V, class F, class P>
  static auto on(const F& f, const P& x, const P& y, const P& z) {
    const P u = f.logmap(x, y), v = f.logmap(x, z);
    return f.inner(x, u, v) / (f.norm(x, u) * f.norm(x, v));
  }
};
TEST(OwnOperations, OnPointsTensorsAndVariables) {
  const PoincareBall<f64x2> ball(f64x2(1.3));
  const auto points = random_normal(ball, {3, 2}, 1, 0.5);
  const auto point = [&](std::int64_t i) {
    return Point<f64x2>{points.at({i, 0}), points.at({i, 1})};
  };
  const f64x2 cosine = operate<cosine_at>(ball, point(0), point(1), point(2));
  EXPECT_EQ(operate<cosine_at>(ball, points[0], points[1], points[2]).item(), cosine);
  const X x = leaf(points[0]), y = leaf(points[1]), z = leaf(points[2]);
  EXPECT_EQ(operate<cosine_at>(ball, x, y, z).value().item(), cosine);
  check("cosine_at", [&](const auto& in) { return operate<cosine_at>(ball, in[0], in[1], in[2]); },
        {x, y, z});
}

}  // namespace
}  // namespace mct::geometry_test
