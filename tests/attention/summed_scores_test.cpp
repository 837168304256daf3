// Attention by a sum of scores: against one score with the others as a bias, against distances of
// products of spaces, and its gradients.
#include "mctensor/attention/summed_scores.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mctensor/autograd/gradcheck.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/attention/by_the_book.hpp"
#include "tests/attention/score_operands.hpp"
#include "tests/message_of.hpp"

namespace mct::attention {
namespace {

using testing::message_of;

template <class T, int N>
Summand<T, N> summand_of(Score score, const Operands<T, N>& of) {
  return {score, of.x, of.a, of.y, of.b};
}

/// All scores of one group, from differences, in two components.
template <class T, int N>
Tensor<double, 2> all_scores(const Summand<T, N>& of) {
  return with_score(of.score, [&](auto which) {
    using S = decltype(which);
    Tensor<double, 2> scores({of.x.size(0), of.y.size(0)});
    for (std::int64_t i = 0; i < scores.size(0); ++i)
      for (std::int64_t j = 0; j < scores.size(1); ++j) {
        f64x2 a[S::queries + 1] = {}, b[S::keys + 1] = {}, t(0);
        for (int c = 0; c < S::queries; ++c) a[c] = testing::whole<f64x2>(of.a.at({i, c}));
        for (int c = 0; c < S::keys; ++c) b[c] = testing::whole<f64x2>(of.b.at({j, c}));
        for (std::int64_t c = 0; c < of.x.size(1); ++c) {
          const auto x = testing::whole<f64x2>(of.x.at({i, c}));
          const auto y = testing::whole<f64x2>(of.y.at({j, c}));
          t = t + (S::from_distance ? (x - y) * (x - y) : x * y);
        }
        scores.set({i, j}, S::value(t, a, b));
      }
    return scores;
  });
}

/// The largest difference, against the largest magnitude.
template <class T, int N, class V>
double error_of(const Tensor<T, N>& x, const std::vector<V>& expected) {
  const auto values = x.values();
  EXPECT_EQ(values.size(), expected.size());
  double worst = 0, size = 0.2;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double error = std::abs(double(testing::whole<V>(values[i]) - expected[i]));
    if (!(error <= worst)) worst = error;
    size = std::max(size, std::abs(double(expected[i])));
  }
  return worst / size;
}

/// Summands of three different scores, widths and numbers, whose keys are in part queries.
template <class T>
std::vector<Summand<T>> three(std::int64_t queries, std::int64_t keys) {
  const auto of = [&](Score score, std::int64_t d, std::uint64_t seed) {
    return summand_of(score, testing::operands<T>(score, {1}, queries, keys, d, 1, seed));
  };
  return {of(Score::distance_squared, 3, 2), of(Score::umbral, 5, 4), of(Score::dot_product, 4, 6)};
}

template <class T>
void compare(std::int64_t queries, std::int64_t keys, const Mask<T>& mask) {
  const auto summands = three<T>(queries, keys);
  const auto v = randn<T>({1, keys, 3}, 9);
  const auto result = attend_sum(summands, v, mask);
  const auto g = randn<T>(result.values.shape(), 10);
  const auto gradients = attend_sum_backward(summands, v, mask, result, g);
  ASSERT_EQ(gradients.size(), 3u);
  const auto group = [](const Tensor<T>& x) { return x.dim() < 3 ? Tensor<T>() : x.select(0, 0); };
  const auto in_two = [](const Tensor<T>& x) { return convert<double, 2>(x); };
  const double u = std::numeric_limits<T>::epsilon() / 2;
  for (std::size_t own = 0; own < 3; ++own) {
    const auto& s = summands[own];
    // the others are a bias
    Mask<double, 2> of_own;
    of_own.causal = mask.causal;
    of_own.hidden = mask.hidden;
    for (std::size_t i = 0; i < 3; ++i) {
      if (i == own) continue;
      const auto& o = summands[i];
      const auto scores =
          all_scores(Summand<T>{o.score, group(o.x), group(o.a), group(o.y), group(o.b)});
      of_own.bias = of_own.bias.numel() == 0 ? scores : of_own.bias + scores;
    }
    const Operands<double, 2> operands = {in_two(group(s.x)), in_two(group(s.a)),
                                          in_two(group(s.y)), in_two(group(s.b)), in_two(group(v))};
    const auto truth =
        testing::attend_by_the_book<f64x4>(s.score, operands, of_own, in_two(group(g)));
    const double bound = 40 * u;  // that of one score (streaming_test.cpp)
    EXPECT_LE(error_of(group(result.values), truth.values), bound) << own;
    EXPECT_LE(error_of(group(gradients[own].v), truth.v), bound) << own;
    EXPECT_LE(error_of(group(gradients[own].x), truth.x), 8 * bound) << own;
    EXPECT_LE(error_of(group(gradients[own].y), truth.y), 8 * bound) << own;
    if (!truth.a.empty()) {
      EXPECT_LE(error_of(group(gradients[own].a), truth.a), 8 * bound) << own;
    }
    if (!truth.b.empty()) {
      EXPECT_LE(error_of(group(gradients[own].b), truth.b), 8 * bound) << own;
    }
  }
}

TEST(SummedScores, AreOneScoreWithTheOthersAsItsBias) {
  compare<double>(5, 7, {});
  compare<float>(49, 3, {});  // more than a tile of queries, of keys
  compare<float>(3, 130, {});
  Mask<float> mask;
  mask.causal = true;
  mask.hidden = rand<double>({9, 11}, 4) < 0.3;
  compare<float>(9, 11, mask);
}

TEST(SummedScores, OfOneAreThatScore) {
  const auto of = testing::operands<float>(Score::penumbral, {2}, 50, 70, 6, 5, 3);
  Mask<float> mask;
  mask.bias = randn<float>({50, 70}, 4);
  mask.dropout = 0.25;
  const auto alone = attend(Score::penumbral, of, mask);
  const auto sum = attend_sum<float, 1>({summand_of(Score::penumbral, of)}, of.v, mask);
  EXPECT_EQ(sum.values.values(), alone.values.values());
  const auto by = attend_backward(Score::penumbral, of, mask, alone, alone.values, true);
  const auto by_sum = attend_sum_backward<float, 1>({summand_of(Score::penumbral, of)}, of.v, mask,
                                                    sum, sum.values, true);
  EXPECT_EQ(by_sum[0].x.values(), by.x.values());
  EXPECT_EQ(by_sum[0].bias.values(), by.bias.values());
}

TEST(SummedScores, AnyNumberOfThreadsHasTheSameBits) {
  const auto summands = three<float>(200, 700);
  const auto v = randn<float>({1, 700, 9}, 9);
  Mask<float> mask;
  mask.causal = true;
  mask.dropout = 0.25;
  const int before = num_threads();
  std::vector<Tensor<float>> all;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    const auto result = attend_sum(summands, v, mask);
    all.push_back(result.values);
    for (const auto& by : attend_sum_backward(summands, v, mask, result, result.values))
      for (const auto& each : {by.x, by.y, by.v}) all.push_back(each);
  }
  set_num_threads(before);
  for (std::size_t k = 0; k < 10; ++k) EXPECT_EQ(all[k].values(), all[k + 10].values()) << k;
}

using Fine = Variable<double, 2, 2>;
using FineList = std::vector<Fine>;

Fine numbers(const std::vector<double>& values) {
  return Fine(Tensor<double, 2>::from_values(std::vector<f64x2>(values.begin(), values.end()),
                                             {std::int64_t(values.size()), 1, 1}),
              true);
}
Fine fine(const Shape& shape, std::uint64_t seed) {
  return Fine(randn<double, 2>(shape, seed), true);
}

/// A half-plane, a ball of three dimensions, a hyperboloid of two; x[0], x[1] are queries and keys.
Fine product(const FineList& x, const std::vector<Fine>& weights) {
  const auto factors = [](const Fine& of) {
    return std::vector{of_half_space(psi(of.narrow(-1, 0, 2))), exp_origin(of.narrow(-1, 2, 3)),
                       pseudopolar(of.narrow(-1, 5, 3))};
  };
  return product_attention(factors(x[0]), factors(x[1]), x[2], weights);
}

TEST(ProductAttention, HasTheGradientsOfItsWeightsToo) {
  // two heads; the last factor has one weight for both
  const FineList all = {fine({2, 4, 8}, 1),  fine({2, 5, 8}, 2),  fine({2, 5, 2}, 3),
                        numbers({0.7, 0.4}), numbers({0.5, 0.9}), numbers({0.6})};
  const auto report = gradcheck(
      [](const FineList& x) {
        return product(x, {x[3], x[4], x[5]});
      },
      all, {.tolerance = 1e-15});
  EXPECT_TRUE(report) << report.message();
}

TEST(ProductAttention, WeighsByTheDistanceOfTheProduct) {
  using geometry::HalfSpace;
  using geometry::Lorentz;
  using geometry::PoincareBall;
  using V = f64x4;
  const double weights[] = {0.7, 0.5, 0.6};
  const geometry::Product space(geometry::ProductPart{HalfSpace<V>(V(1)), 2, weights[0]},
                                geometry::ProductPart{PoincareBall<V>(V(1)), 3, weights[1]},
                                geometry::ProductPart{Lorentz<V>(V(1)), 3, weights[2]});
  const std::int64_t queries = 3, keys = 4;
  const Fine q = fine({1, queries, 8}, 1), k = fine({1, keys, 8}, 2);
  const Fine v(Tensor<double, 2>::from_values(
      [&] {
        std::vector<f64x2> unit(std::size_t(keys * keys), f64x2(0));
        for (std::int64_t j = 0; j < keys; ++j) unit[std::size_t(j * keys + j)] = f64x2(1);
        return unit;
      }(),
      {1, keys, keys}));
  const auto found = product({q, k, v}, {numbers({0.7}), numbers({0.5}), numbers({0.6})}).value();
  // the points in four components: (x e^h, e^h); tanh(|x|) x / |x|; (cosh r, sinh(r) direction)
  const auto point = [](const Fine& of, std::int64_t i) {
    const auto x = [&](std::int64_t c) { return V(of.value().at({0, i, c})); };
    std::vector<V> p;
    const V height = exp(x(1));
    for (const V& each : {x(0) * height, height}) p.push_back(each);
    const auto length = [&](std::int64_t first, std::int64_t count) {
      V sum(0);
      for (std::int64_t c = first; c < first + count; ++c) sum = sum + x(c) * x(c);
      return sqrt(sum);
    };
    const V ball = length(2, 3);
    for (std::int64_t c = 2; c < 5; ++c) p.push_back(tanh(ball) * x(c) / ball);
    const V direction = length(5, 2);
    p.push_back(cosh(x(7)));
    for (std::int64_t c = 5; c < 7; ++c) p.push_back(sinh(x(7)) * x(c) / direction);
    auto made = geometry::Point<V>(int(p.size()));
    for (std::size_t c = 0; c < p.size(); ++c) made[int(c)] = p[c];
    return made;
  };
  for (std::int64_t i = 0; i < queries; ++i) {
    std::vector<V> of_keys;
    V total(0);
    for (std::int64_t j = 0; j < keys; ++j) {
      const V d = space.dist(point(q, i), point(k, j));
      of_keys.push_back(exp(-(d * d)));
      total = total + of_keys.back();
    }
    for (std::int64_t j = 0; j < keys; ++j)
      EXPECT_NEAR(double(V(found.at({0, i, j})) - of_keys[std::size_t(j)] / total), 0, 1e-10)
          << i << ' ' << j;
  }
}

TEST(ProductAttention, LearnsWhichFactorCounts) {
  // the second factor of queries and keys is noise: its weight falls, that of the first rises
  const auto q = randn<double>({1, 12, 2}, 1);
  const Variable<double> same(q);
  const Variable<double> noise_q(randn<double>({1, 12, 2}, 2)),
      noise_k(randn<double>({1, 12, 2}, 3));
  Variable<double> w1(full<double>({1, 1, 1}, 1.0), true), w2(full<double>({1, 1, 1}, 1.0), true);
  Tensor<double> unit({1, 12, 12});
  for (std::int64_t j = 0; j < 12; ++j) unit.set({0, j, j}, 1.0);
  for (int step = 0; step < 200; ++step) {
    const auto weights = product_attention<double, 1, 1>({exp_origin(same), exp_origin(noise_q)},
                                                         {exp_origin(same), exp_origin(noise_k)},
                                                         Variable<double>(unit), {w1, w2});
    (sum(square(weights - unit))).backward();
    for (Variable<double>* const w : {&w1, &w2}) {
      sub_(w->value(), w->grad() * 0.02);
      w->zero_grad();
    }
  }
  EXPECT_GT(double(w1.value().item()), 1.3);
  EXPECT_LT(std::abs(double(w2.value().item())), 0.7);
}

TEST(ProductAttention, OfHalfNumbersIsRoundedOnce) {
  const auto q = randn<double>({1, 4, 3}, 1), k = randn<double>({1, 5, 3}, 2),
             v = randn<double>({1, 5, 2}, 3);
  const auto of = [&]<class T>(const T&) {
    const auto x = [](const Tensor<double>& t) { return Variable<T>(convert<T, 1>(t)); };
    return softmax_attention(
        std::vector{laplacian_scored(x(q), x(k), Variable<T>(full<T>({1, 1, 1}, T(1)))),
                    Scored<T, 1, 1>{Score::gaussian, x(q), {}, x(k), {}}},
        x(v));
  };
  const auto halves = of(half()).value();
  const auto floats = of(float()).value();
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t c = 0; c < 2; ++c)
      EXPECT_NEAR(double(halves.at({0, i, c})), double(floats.at({0, i, c})), 4e-3);
}

TEST(SummedScores, RefusesWhatDoesNotBelongTogether) {
  const auto summands = three<double>(4, 5);
  const auto v = randn<double>({1, 5, 2}, 1);
  EXPECT_NE(message_of<DomainError>([&] {
              attend_sum<double, 1>({}, v, {});
            }).find("list of summands is empty"),
            std::string::npos);
  Mask<double> edges;
  edges.seen = {Tensor<std::int64_t>::from_values({0, 0, 0, 0, 0}),
                Tensor<std::int64_t>::from_values(std::vector<std::int64_t>{})};
  EXPECT_NE(message_of<DomainError>([&] { attend_sum(summands, v, edges); }).find("edges"),
            std::string::npos);
  auto other = summands;
  other[1] = three<double>(3, 5)[1];
  EXPECT_NE(message_of<ShapeError>([&] { attend_sum(other, v, {}); }).find("queries"),
            std::string::npos);
  const Variable<double> x(randn<double>({1, 4, 2}, 1));
  EXPECT_NE(message_of<ShapeError>([&] {
              product_attention<double, 1, 1>({exp_origin(x)}, {exp_origin(x)}, x, {});
            }).find("weights"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::attention
