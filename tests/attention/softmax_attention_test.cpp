// Attention on variables: gradients of everything, facts about scores, means.
#include "mctensor/attention/softmax_attention.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "mctensor/attention/aggregate.hpp"
#include "mctensor/attention/streaming_attention.hpp"
#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/cones/cones.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::attention {
namespace {

using Var = Variable<double>;
using List = std::vector<Var>;

Var per_head(double a, double b) {
  return Var(Tensor<double>::from_values({a, b}, {2, 1, 1}), true);
}
Var random(const Shape& shape, std::uint64_t seed) { return Var(randn<double>(shape, seed), true); }

/// The largest difference of elements.
double difference(const Var& a, const Var& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double worst = 0;
  const auto x = a.value().values(), y = b.value().values();
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = std::abs(x[i] - y[i]);
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

/// Weights, as values are unit vectors.
Var unit_vectors(std::int64_t groups, std::int64_t keys) {
  Tensor<double> v({groups, keys, keys});
  for (std::int64_t g = 0; g < groups; ++g)
    for (std::int64_t j = 0; j < keys; ++j) v.set({g, j, j}, 1.0);
  return Var(v);
}

/// f of two batches, two heads, four queries, five keys, three dimensions, and more variables.
template <class F>
void expect_gradients(const F& f, const List& more, double step = 0x1p-13,
                      double tolerance = 1e-8) {
  List all = {random({2, 2, 4, 3}, 1), random({2, 2, 5, 3}, 2), random({2, 2, 5, 2}, 3)};
  all.insert(all.end(), more.begin(), more.end());
  GradcheckOptions options;
  options.step = step;  // kinks are farther away
  options.tolerance = tolerance;
  options.floor = 1e-3;  // differences have errors of 1e-12
  const auto report = gradcheck(f, all, options);
  EXPECT_TRUE(report) << report.message();
}

TEST(SoftmaxAttention, HasTheGradientsOfItsParametersToo) {
  Mask<double> mask;
  mask.causal = true;
  const List gamma = {per_head(0.7, 1.3)};
  expect_gradients([&](const List& x) { return dot_product_attention(x[0], x[1], x[2], mask); },
                   {});
  expect_gradients([&](const List& x) { return laplacian_attention(x[0], x[1], x[2], x[3], mask); },
                   gamma);
  expect_gradients(
      [&](const List& x) { return umbral_attention(psi(x[0]), psi(x[1]), x[2], x[3], x[4], mask); },
      {per_head(0.4, 0.9), per_head(0.7, 1.3)});
  expect_gradients(
      [&](const List& x) {
        return penumbral_attention(xi(x[0], x[3]), xi(x[1], x[3]), x[2], x[3], x[4], mask);
      },
      {per_head(2, 1), per_head(0.7, 1.3)});
  expect_gradients(
      [&](const List& x) {
        return distance_attention(of_half_space(psi(x[0])), of_half_space(psi(x[1])), x[2], x[3],
                                  mask);
      },
      gamma);
  expect_gradients(
      [&](const List& x) {
        return distance_attention(exp_origin(x[0]), exp_origin(x[1]), x[2], x[3], mask);
      },
      gamma);
  expect_gradients(
      [&](const List& x) {
        return distance_attention(pseudopolar(x[0]), pseudopolar(x[1]), x[2], x[3], mask);
      },
      gamma);
  expect_gradients(
      [&](const List& x) {
        return distance_squared_attention(exp_origin(x[0]), exp_origin(x[1]), x[2], x[3], mask);
      },
      gamma, 0x1p-16, 1e-6);
  expect_gradients(
      [&](const List& x) {
        return entailment_attention(below_ball(x[0], x[3]), below_ball(x[1], x[3]), x[2], x[3],
                                    x[4], mask);
      },
      {per_head(0.8, 1.2), per_head(0.7, 1.3)}, 0x1p-16, 1e-6);
  for (const auto comparison : {Comparison::umbral_exp, Comparison::penumbral_exp})
    expect_gradients(
        [&](const List& x) {
          return compared_attention(comparison, x[0], x[1], x[2], x[4], x[3], mask);
        },
        {per_head(6, 7), per_head(0.07, 0.13)});
}

/// Minus a score's value: the height of an ancestor.
template <class S>
double height_of(double across, const std::vector<double>& a, const std::vector<double>& b) {
  return -S::value(across * across, a.data(), b.data());
}

/// The lowest of many roots whose cone holds both points, in steps of 1/400.
template <class Cones>
double lowest_root(const Cones& cones, const geometry::Point<double>& u,
                   const geometry::Point<double>& v, double highest) {
  for (double height = std::max(u[1], v[1]); height <= highest; height += 1.0 / 400)
    for (double at = std::min(u[0], v[0]); at <= std::max(u[0], v[0]) + 1e-9; at += 1.0 / 400) {
      geometry::Point<double> root(2);
      root[0] = at;
      root[1] = height;
      if (contains(cones, root, u) && contains(cones, root, v)) return height;
    }
  return highest;
}

TEST(SoftmaxAttention, TheAncestorIsTheLowestRootOfAConeThatHoldsBoth) {
  const geometry::HalfSpace<double> space(1.0);
  const double radius = 0.8, light = 1.5;
  const geometry::UmbralCones umbral(space, radius);
  const geometry::PenumbralCones penumbral(space, light);
  const auto draws = rand<double>({12, 3}, 7);
  for (std::int64_t i = 0; i < 12; ++i) {
    geometry::Point<double> u(2), v(2);
    u[0] = 0;
    v[0] = draws.at({i, 0}) * 1.2;
    u[1] = 0.1 + 0.9 * draws.at({i, 1});
    v[1] = 0.1 + 0.9 * draws.at({i, 2});
    const auto reach = [&](double h) { return std::sqrt((light - h) * (light + h)); };
    EXPECT_NEAR(height_of<Umbral>(v[0] / (2 * std::sinh(radius)), {u[1]}, {v[1]}),
                lowest_root(umbral, u, v, 3), 0.011);
    EXPECT_NEAR(height_of<Penumbral>(v[0], {u[1], reach(u[1]), light}, {v[1], reach(v[1])}),
                lowest_root(penumbral, u, v, light), 0.02);
  }
}

TEST(SoftmaxAttention, ThePenumbralScoreIsContinuous) {
  const double r = 1.5, a = 0.4, b = 0.9;
  const double reach_a = std::sqrt(r * r - a * a), reach_b = std::sqrt(r * r - b * b);
  for (const double border : {std::abs(reach_a - reach_b), reach_a + reach_b}) {
    const double below = height_of<Penumbral>(border * (1 - 1e-12), {a, reach_a, r}, {b, reach_b});
    const double above = height_of<Penumbral>(border * (1 + 1e-12), {a, reach_a, r}, {b, reach_b});
    EXPECT_NEAR(below, above, 1e-11);
  }
}

TEST(SoftmaxAttention, EqualHeightsMakeUmbralAttentionLaplacian) {
  const auto q = random({1, 6, 3}, 1), k = random({1, 7, 3}, 2);
  const auto v = unit_vectors(1, 7);
  const auto level = [](const Var& x) {
    return HalfSpaceVariable<double>{x, Var(Tensor<double>({1, x.size(1), 1}) + 0.7)};
  };
  const auto number = [](double x) { return Var(Tensor<double>::from_values({x}, {1, 1, 1})); };
  EXPECT_LE(difference(umbral_attention(level(q), level(k), v, number(0.6), number(1.7)),
                       laplacian_attention(q, k, v, number(1.7 / (2 * std::sinh(0.6))))),
            1e-14);
}

TEST(SoftmaxAttention, DistancesAreThoseOfTheModelsAndOfFlatSpaceInTheLimit) {
  const auto q = random({1, 6, 4}, 1), k = random({1, 7, 4}, 2);
  const auto v = unit_vectors(1, 7);
  const auto number = [](double x) { return Var(Tensor<double>::from_values({x}, {1, 1, 1})); };
  // against the library's distance
  const auto weights =
      distance_attention(of_half_space(psi(q)), of_half_space(psi(k)), v, number(1.3));
  const geometry::HalfSpace<double> space(1.0);
  const auto point = [](const HalfSpaceVariable<double>& x, std::int64_t i) {
    geometry::Point<double> p(4);
    for (int c = 0; c < 3; ++c) p[c] = x.horizontal.value().at({0, i, c});
    p[3] = x.height.value().at({0, i, 0});
    return p;
  };
  for (std::int64_t i = 0; i < 6; ++i) {
    double total = 0;
    std::vector<double> each;
    for (std::int64_t j = 0; j < 7; ++j) {
      each.push_back(std::exp(-1.3 * space.dist(point(psi(q), i), point(psi(k), j))));
      total += each.back();
    }
    for (std::int64_t j = 0; j < 7; ++j)
      EXPECT_NEAR(weights.value().at({0, i, j}), each[std::size_t(j)] / total, 1e-13);
  }
  // the hyperboloid's points and the ball's are the same
  const auto lorentz = [](const Var& x) {
    return of_lorentz(cat<double, 1, 1>({sqrt(sum(square(x), {-1}, true) + 1.0), x}, -1));
  };
  const auto ball = [](const Var& x) {
    return of_ball(x / (sqrt(sum(square(x), {-1}, true) + 1.0) + 1.0));
  };
  EXPECT_LE(difference(distance_attention(lorentz(q), lorentz(k), v, number(2)),
                       distance_attention(ball(q), ball(k), v, number(2))),
            1e-13);
  // radius K: the curvature vanishes as 1 / K^2
  const auto flat = laplacian_attention(q, k, v, number(2 * 1.3));
  const auto curved = [&](double K) {
    return difference(
        distance_attention(exp_origin(q * (1 / K)), exp_origin(k * (1 / K)), v, number(1.3 * K)),
        flat);
  };
  EXPECT_NEAR(curved(30) / curved(300), 100, 5);
}

TEST(SoftmaxAttention, MeansOfTheModelsAreTheSamePoint) {
  const auto q = random({2, 3, 4}, 1), k = random({2, 5, 4}, 2), x = random({2, 5, 3}, 3);
  const auto attend = [&](const Var& w) { return dot_product_attention(q, k, w); };
  const auto first = sqrt(sum(square(x), {-1}, true) + 1.0);
  const auto hyperboloid = lorentz_centroid(cat<double, 1, 1>({first, x}, -1), attend);
  const auto rest = hyperboloid.narrow(-1, 1, 3);
  const auto above = hyperboloid.narrow(-1, 0, 1);
  EXPECT_LE(difference(einstein_midpoint(x / first, attend), rest / above), 1e-14);
  EXPECT_LE(difference(gyromidpoint(x / (first + 1.0), attend), rest / (above + 1.0)), 1e-14);
}

// times and gaps that rounding has taken
TEST(SoftmaxAttention, MeansOfOnePointFarOutAreThePoint) {
  const auto check = []<class T>(T far, T inside) {
    const auto same = [](const Variable<T>& w) { return w; };
    const auto agree = [](const Variable<T>& x, const Tensor<T>& y) {
      const auto difference = x.value() - y;
      EXPECT_LE(double(max(abs(difference)).item()),
                4 * double(FloatTraits<T>::u) * double(max(abs(y)).item()));
      EXPECT_FALSE(std::isnan(double(sum(x.value()).item())));
    };
    const auto point = Tensor<T>::from_values({far, far, T(0)}, {1, 3});
    const Variable<T> v(point, true);
    const auto centroid = lorentz_centroid(v, same);
    agree(centroid, point);
    sum(centroid).backward();
    EXPECT_TRUE(std::isfinite(double(sum(v.grad()).item())));
    const auto edge = Tensor<T>::from_values({inside, T(0)}, {1, 2});
    agree(einstein_midpoint(Variable<T>(edge), same), edge);
    const auto middle = gyromidpoint(Variable<T>(edge), same).value();
    EXPECT_GT(double(middle.data()[0]), 0.99);
    EXPECT_LE(double(middle.data()[0]), 1);
  };
  check(5000.0F, 0.999999F);
  check(1e6F, std::nextafter(1.0F, 0.0F));
  check(1e9, 1 - 1e-15);
  check(1e12, std::nextafter(1.0, 0.0));
}

/// Of two doubles, with gradients of as many components as M.
template <int M>
Variable<double, 2, M> long_variable(const Shape& shape, std::uint64_t seed) {
  return Variable<double, 2, M>(randn<double, 2>(shape, seed) / 3.0, true);
}

TEST(SoftmaxAttention, OfTwoDoublesHasGradientsOfTwoDoubles) {
  using V = Variable<double, 2, 2>;
  Mask<double, 2> mask;
  mask.causal = true;
  const auto number = [](double x) { return V(full<double, 2>({1, 1, 1}, f64x2(x) / 3.0), true); };
  const std::vector<V> all = {long_variable<2>({1, 3, 3}, 1),
                              long_variable<2>({1, 4, 3}, 2),
                              long_variable<2>({1, 4, 2}, 3),
                              long_variable<2>({3, 4}, 4),
                              number(2),
                              number(5)};
  GradcheckOptions options;
  options.tolerance = 1e-18;
  options.floor = 1e-3;
  const auto expect = [&](const auto& f) {
    const auto report = gradcheck(f, all, options);
    EXPECT_TRUE(report) << report.message();
  };
  using Longs = std::vector<V>;
  expect([&](const Longs& x) {
    return dot_product_attention(x[0], x[1], x[2], mask, x[3]) * x[4] * x[5];
  });
  expect([&](const Longs& x) {
    return penumbral_attention(xi(x[0], x[5]), xi(x[1], x[5]), x[2], x[5], x[4], mask, x[3]);
  });
  expect([&](const Longs& x) {
    return distance_attention(pseudopolar(x[0]), pseudopolar(x[1]), x[2] * x[5], x[4], mask, x[3]);
  });
}

TEST(SoftmaxAttention, OfTwoDoublesMayHavePlainGradients) {
  const auto q = long_variable<1>({1, 3, 3}, 1), k = long_variable<1>({1, 4, 3}, 2),
             v = long_variable<1>({1, 4, 2}, 3);
  const auto y = dot_product_attention(q, k, v);
  sum(square(y)).backward();
  const auto plain = [](const Variable<double, 2, 1>& x) { return Var(x.value().fc(), true); };
  const auto p = plain(q), l = plain(k), w = plain(v);
  const auto z = dot_product_attention(p, l, w);
  sum(square(z)).backward();
  EXPECT_LE(difference(Var(y.value().fc()), z), 1e-15);
  EXPECT_LE(difference(Var(q.grad()), Var(p.grad())), 1e-15);
  EXPECT_LE(difference(Var(v.grad()), Var(w.grad())), 1e-15);
}

TEST(SoftmaxAttention, ShortTypesAreComputedInFloat) {
  const auto in = [](const Shape& shape, std::uint64_t seed) {
    return convert<bfloat16, 1>(Variable<float>(randn<float>(shape, seed), true));
  };
  const auto q = in({2, 9, 4}, 1), k = in({2, 8, 4}, 2), v = in({2, 8, 4}, 3);
  const auto result = dot_product_attention(q, k, v);
  const auto wide = [](const Variable<bfloat16>& x) { return convert<float, 1>(x); };
  const auto expected = convert<bfloat16, 1>(
      dot_product_attention(convert<float, 1>(q * bfloat16(0.5f)) * 2.0f, wide(k), wide(v)));
  EXPECT_EQ(result.value().values(), expected.value().values());
  sum(result).backward();
}

TEST(StreamingAttention, IsAScoreOfMultiheadAttention) {
  const auto x = random({2, 6, 8}, 1);
  const auto layer = [&](std::optional<Comparison> comparison, double dropout) {
    nn::MultiheadAttention<double> made(8, 2, 5, {true, dropout, true});
    if (comparison) made.set_rule(std::make_shared<StreamingAttention<double>>(*comparison, 2));
    return made.causal(x);
  };
  const auto plain = layer({}, 0);
  EXPECT_LE(difference(layer(Comparison::dot_product, 0), plain), 1e-14);
  for (const auto& [comparison, name] : comparison_names) {
    EXPECT_EQ(name_of(comparison), name);
    EXPECT_EQ(comparison_from(name), comparison);
    if (comparison != Comparison::dot_product) {
      EXPECT_GT(difference(layer(comparison, 0), plain), 1e-3) << name;
    }
    EXPECT_GT(difference(layer(comparison, 0), layer(comparison, 0.5)), 1e-3) << name;
  }
  EXPECT_THROW(comparison_from("euclidean"), DomainError);
}

TEST(StreamingAttention, LearnsTheRadiusOfEveryHead) {
  nn::MultiheadAttention<double> layer(6, 2, 3, {true, 0, true});
  layer.set_rule(std::make_shared<StreamingAttention<double>>(Comparison::penumbral, 2));
  const auto x = random({1, 5, 6}, 2);
  GradcheckOptions options;
  options.step = 0x1p-13;
  options.tolerance = 1e-8;
  options.floor = 1e-3;
  const auto report =
      gradcheck([&](const auto&) { return layer.causal(x); }, layer.parameters(), options);
  EXPECT_TRUE(report) << report.message();
  EXPECT_EQ(layer.state_dict().at("rule.log_radius").shape(), (Shape{2, 1, 1}));
  EXPECT_THROW(layer.set_rule(std::make_shared<StreamingAttention<double>>(Comparison::umbral, 2)),
               DomainError);
}

}  // namespace
}  // namespace mct::attention
