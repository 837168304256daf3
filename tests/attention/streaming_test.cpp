// Attention by tiles against attention with all its weights in two components.
#include "mctensor/attention/streaming.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "mctensor/error.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/reduce.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/attention/by_the_book.hpp"
#include "tests/attention/score_operands.hpp"
#include "tests/message_of.hpp"

namespace mct::attention {
namespace {

using testing::attend_by_the_book;
using testing::ByTheBook;
using testing::message_of;
using testing::name_of;
using testing::operands;
using testing::scores;

/// Errors allowed, in units of u: that of a value; gradients of vectors and numbers have 8 times
/// that.
constexpr double bound = 40;

/// The largest error, against the largest magnitude.
template <class T, int N, class V>
double error_of(const Tensor<T, N>& x, const std::vector<V>& expected) {
  const auto values = x.values();
  EXPECT_EQ(values.size(), expected.size());
  double worst = 0, size = 0.2;  // what the terms of a vanishing gradient are like
  for (std::size_t i = 0; i < expected.size(); ++i) {
    worst = std::max(worst, std::abs(double(testing::whole<V>(values[i]) - expected[i])));
    size = std::max(size, std::abs(double(expected[i])));
    if (std::isnan(double(values[i]))) return std::nan("");
  }
  return worst / size;
}

template <class T, int N>
Tensor<T, N> group_of(const Tensor<T, N>& x, std::int64_t group) {
  return x.dim() < 3 ? Tensor<T, N>() : x.select(0, group);
}

/// Errors in units of u, of two components u^2: of values and gradients.
template <class T, int N>
void compare(Score score, const Operands<T, N>& of, const Mask<T, N>& mask) {
  using V = std::conditional_t<N == 1, f64x2, f64x4>;
  const auto result = attend(score, of, mask);
  const auto g = randn<T, N>(result.values.shape(), 77);
  const auto gradients = attend_backward(score, of, mask, result, g);
  const double u = std::pow(std::numeric_limits<T>::epsilon() / 2, N);
  for (std::int64_t group = 0; group < of.x.size(0); ++group) {
    const Operands<T, N> one = {group_of(of.x, group), group_of(of.a, group), group_of(of.y, group),
                                group_of(of.b, group), group_of(of.v, group)};
    const ByTheBook<V> truth = attend_by_the_book<V>(score, one, mask, group_of(g, group));
    const std::string where = name_of(score) + " of " + to_string(of.x.shape()) + " and " +
                              to_string(of.y.shape()) + ", group " + std::to_string(group);
    EXPECT_LE(error_of(group_of(result.values, group), truth.values), bound * u) << where;
    EXPECT_LE(error_of(group_of(gradients.v, group), truth.v), bound * u) << where << " v";
    EXPECT_LE(error_of(group_of(gradients.x, group), truth.x), 8 * bound * u) << where << " x";
    EXPECT_LE(error_of(group_of(gradients.y, group), truth.y), 8 * bound * u) << where << " y";
    if (!truth.a.empty()) {
      EXPECT_LE(error_of(group_of(gradients.a, group), truth.a), 8 * bound * u) << where << " a";
    }
    if (!truth.b.empty()) {
      EXPECT_LE(error_of(group_of(gradients.b, group), truth.b), 8 * bound * u) << where << " b";
    }
  }
}

class Streaming : public ::testing::TestWithParam<Score> {};

TEST_P(Streaming, IsAttentionWithAllWeights) {
  const Score score = GetParam();
  // sizes around those of tiles and registers; one key; one query
  const std::tuple<int, int, int, int> sizes[] = {
      {1, 1, 1, 1}, {3, 2, 2, 5}, {49, 129, 17, 20}, {5, 300, 3, 33}, {60, 1, 4, 2}};
  std::uint64_t seed = 100;
  for (const auto& [queries, keys, d, e] : sizes)
    compare<float, 1>(
        score, operands<float>(score, {queries < 5 ? 2 : 1}, queries, keys, d, e, seed++), {});
  compare<double, 1>(score, operands<double>(score, {1}, 50, 66, 9, 7, 200), {});
}

TEST_P(Streaming, OfTwoDoublesHasTwiceTheDigits) {
  const Score score = GetParam();
  // beyond a tile of queries, and of keys, whose first are queries
  compare<double, 2>(score, operands<double, 2>(score, {1}, 49, 3, 5, 4, 200), {});
  compare<double, 2>(score, operands<double, 2>(score, {1}, 4, 34, 3, 2, 202), {});
  Mask<double, 2> mask;
  mask.causal = true;
  mask.bias = randn<double, 2>({8, 9}, 3);
  mask.hidden = rand<double>({8, 9}, 4) < 0.3;
  mask.hidden.narrow(0, 5, 1).fill_(true);
  compare<double, 2>(score, operands<double, 2>(score, {1}, 8, 9, 6, 7, 5), mask);
}

TEST_P(Streaming, LeavesOutWhatIsHidden) {
  const Score score = GetParam();
  const auto of = operands<float>(score, {1}, 50, 150, 6, 7, 5);
  Mask<float> mask;
  mask.causal = true;
  compare<float, 1>(score, of, mask);
  mask.bias = randn<float>({50, 150}, 3);
  mask.hidden = rand<float>({50, 150}, 4) < 0.3f;
  compare<float, 1>(score, of, mask);
  // a query that sees nothing gets nothing, and gives nothing
  mask.hidden.narrow(0, 30, 1).fill_(true);
  compare<float, 1>(score, of, mask);
  const auto result = attend(score, of, mask);
  EXPECT_EQ(result.values.at({0, 30, 3}), 0.0f);
  EXPECT_EQ(result.log_sum.at({0, 30}), -std::numeric_limits<float>::infinity());
}

/// Results and gradients for one and for three threads.
template <class T, int N>
void expect_same_bits(Score score, std::int64_t queries, std::int64_t keys) {
  const auto of = operands<T, N>(score, {1, 2}, queries, keys, 12, 9, 8);
  Mask<T, N> mask;
  mask.causal = true;
  mask.dropout = 0.25;
  mask.seed = 3;
  const int before = num_threads();
  std::vector<Tensor<T, N>> all;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    const auto result = attend(score, of, mask);
    const auto gradients = attend_backward(score, of, mask, result, result.values);
    for (const auto& each : {result.values, gradients.x, gradients.y, gradients.v})
      all.push_back(each);
  }
  set_num_threads(before);
  for (std::size_t k = 0; k < 4; ++k)
    for (int c = 0; c < N; ++c) EXPECT_EQ(all[k].plane(c).values(), all[k + 4].plane(c).values());
}

TEST_P(Streaming, AnyNumberOfThreadsHasTheSameBits) {
  expect_same_bits<float, 1>(GetParam(), 200, 700);
  expect_same_bits<double, 2>(GetParam(), 60, 150);
}

/// Some keys of every query, of the first all, of the last none.
Neighbourhood neighbours(std::int64_t queries, std::int64_t keys, std::uint64_t seed) {
  const auto draws = rand<double>({queries, keys}, seed);
  std::vector<std::int64_t> starts{0}, columns;
  for (std::int64_t i = 0; i < queries; ++i) {
    const double part = i == 0 ? 1 : i == queries - 1 ? 0 : 0.2;
    for (std::int64_t j = keys - 1; j >= 0; --j)  // in no special order
      if (draws.at({i, j}) < part) columns.push_back(j);
    starts.push_back(std::int64_t(columns.size()));
  }
  return {Tensor<std::int64_t>::from_values(starts, {queries + 1}),
          Tensor<std::int64_t>::from_values(columns, {std::int64_t(columns.size())})};
}

TEST_P(Streaming, AlongEdgesIsAttentionWithTheOthersHidden) {
  const Score score = GetParam();
  Mask<float> mask;
  mask.seen = neighbours(20, 300, 3);  // more keys than a tile has
  compare<float, 1>(score, operands<float>(score, {2}, 20, 300, 5, 7, 400), mask);
  Mask<double> wide;
  wide.seen = neighbours(9, 11, 4);
  compare<double, 1>(score, operands<double>(score, {2}, 9, 11, 3, 2, 401), wide);
  Mask<double, 2> two;
  two.seen = wide.seen;
  compare<double, 2>(score, operands<double, 2>(score, {1}, 9, 11, 3, 2, 402), two);
  // the last query has no edge
  const auto of = operands<double>(score, {2}, 9, 11, 3, 2, 401);
  const auto result = attend_edges(score, of, wide.seen);
  EXPECT_EQ(result.values.at({1, 8, 1}), 0);
  EXPECT_EQ(result.log_sum.at({1, 8}), -std::numeric_limits<double>::infinity());
}

TEST_P(Streaming, AlongEdgesAnyNumberOfThreadsHasTheSameBits) {
  const auto of = operands<float>(GetParam(), {2}, 700, 600, 24, 40, 8);
  Mask<float> mask;
  mask.seen = neighbours(700, 600, 5);
  mask.dropout = 0.25;
  const int before = num_threads();
  std::vector<Tensor<float>> all;
  for (const int threads : {1, 3}) {
    set_num_threads(threads);
    const auto result = attend(GetParam(), of, mask);
    const auto by = attend_backward(GetParam(), of, mask, result, result.values);
    for (const auto& each : {result.values, by.x, by.y, by.v, by.a, by.b}) all.push_back(each);
  }
  set_num_threads(before);
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(all[k].values(), all[k + 6].values()) << k;
}

INSTANTIATE_TEST_SUITE_P(All, Streaming, ::testing::ValuesIn(scores),
                         [](const auto& of) { return name_of(of.param); });

TEST(StreamingAttention, DropsWeightsAndTheirGradientsAlike) {
  auto of = operands<double>(Score::laplacian, {2}, 70, 200, 3, 2, 9);
  Mask<double> mask;
  mask.dropout = 0.3;
  mask.seed = 5;
  // with unit vectors as values the result is the weights
  of.v = Tensor<double>({2, 200, 200});
  for (int j = 0; j < 200; ++j)
    for (int g = 0; g < 2; ++g) of.v.set({g, j, j}, 1.0);
  const auto dropped = attend(Score::laplacian, of, mask);
  const auto whole = attend(Score::laplacian, of, Mask<double>());
  std::int64_t zeros = 0;
  for (std::int64_t i = 0; i < dropped.values.numel(); ++i) {
    const double w = dropped.values.data()[i];
    zeros += w == 0;
    if (w != 0) {
      EXPECT_NEAR(w, whole.values.data()[i] / 0.7, 1e-14);
    }
  }
  EXPECT_NEAR(double(zeros) / double(dropped.values.numel()), 0.3, 0.01);
  mask.call = 1;
  EXPECT_NE(attend(Score::laplacian, of, mask).values.values(), dropped.values.values());
  // the gradient is that of the weights that are left: compared with a difference
  mask.call = 0;
  const auto g = randn<double>(dropped.values.shape(), 6);
  const auto gradients = attend_backward(Score::laplacian, of, mask, dropped, g);
  const double step = 1e-6;
  for (const std::int64_t at : {0, 77, 300}) {
    const auto with = [&](double by) {
      Operands<double> moved = of;
      moved.x = of.x.clone();
      moved.x.data()[at] += by;
      return double(sum(attend(Score::laplacian, moved, mask).values * g).item());
    };
    EXPECT_NEAR(gradients.x.data()[at], (with(step) - with(-step)) / (2 * step), 1e-7);
  }
}

TEST(StreamingAttention, RefusesWhatDoesNotFit) {
  auto of = operands<float>(Score::penumbral, {2}, 4, 5, 3, 2, 1);
  of.v = Tensor<float>({2, 6, 2});
  EXPECT_NE(message_of<ShapeError>([&] {
              attend(Score::penumbral, of, {});
            }).find("values of shape (2, 6, 2), expected (2, 5, 2)"),
            std::string::npos);
  of = operands<float>(Score::penumbral, {2}, 4, 5, 3, 2, 1);
  of.a = Tensor<float>({2, 4, 1});
  EXPECT_NE(message_of<ShapeError>([&] { attend(Score::penumbral, of, {}); }).find("(2, 4, 3)"),
            std::string::npos);
  of = operands<float>(Score::gaussian, {2}, 4, 5, 3, 2, 1);
  Mask<float> mask;
  mask.dropout = 1.5;
  EXPECT_NE(message_of<DomainError>([&] { attend(Score::gaussian, of, mask); }).find("dropout 1"),
            std::string::npos);
  mask.dropout = 0;
  mask.hidden = Tensor<bool>({3, 5});
  EXPECT_THROW(attend(Score::gaussian, of, mask), ShapeError);
}

/// The number, and its derivative along a direction.
Tensor<double, 2> moving(const Tensor<double>& x, std::uint64_t seed) {
  auto both = convert<double, 2>(x);
  if (x.numel() > 0) both.plane(1).copy_(randn<double, 1>(x.shape(), seed));
  return both;
}
/// The number a step ahead, in two components.
Tensor<double, 2> ahead(const Tensor<double, 2>& x, double step) {
  return convert<double, 2>(x.plane(0)) + convert<double, 2>(x.plane(1)) * step;
}

/// Derivatives along a direction, with all pairs but the later ones, or of a neighbourhood.
void expect_derivatives_along(Score score, const Neighbourhood& seen) {
  const auto at = operands<double>(score, {2}, 49, 40, 3, 2, 301);
  const Operands<double, 2> of = {moving(at.x, 1), moving(at.a, 2), moving(at.y, 3),
                                  moving(at.b, 4), moving(at.v, 5)};
  const auto g = moving(randn<double, 1>({2, 49, 2}, 6), 7);
  Mask<double, 2> mask;
  mask.dropout = 0.25;
  mask.seen = seen;
  if (seen.is_everything()) {
    mask.causal = true;
    mask.bias = moving(randn<double, 1>({49, 40}, 8), 9);
  }
  const auto result = attend_along(score, of, mask);
  const auto by = attend_backward_along(score, of, mask, result, g, true);
  const double step = 0x1p-30;
  const auto evaluated = [&](double t) {
    Mask<double, 2> there = mask;
    if (mask.bias.numel() > 0) there.bias = ahead(mask.bias, t);
    const Operands<double, 2> x = {ahead(of.x, t), ahead(of.a, t), ahead(of.y, t), ahead(of.b, t),
                                   ahead(of.v, t)};
    const auto attended = attend(score, x, there);
    const auto gradients = attend_backward(score, x, there, attended, ahead(g, t), true);
    return std::vector<Tensor<double, 2>>{attended.values, gradients.x, gradients.a,   gradients.y,
                                          gradients.b,     gradients.v, gradients.bias};
  };
  const auto before = evaluated(-step);
  const auto behind = evaluated(step);
  const Tensor<double, 2>* const found[] = {&result.values, &by.x, &by.a,   &by.y,
                                            &by.b,          &by.v, &by.bias};
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].numel() == 0) continue;
    const auto slope = convert<double, 1>((behind[i] - before[i]) * (0.5 / step));
    const double size = max(abs(slope)).item() + 1;
    EXPECT_LE(max(abs(found[i]->plane(1) - slope)).item(), 1e-11 * size) << name_of(score) << i;
    EXPECT_LE(max(abs(found[i]->plane(0) - convert<double, 1>(before[i]))).item(), 1e-7 * size);
  }
}

TEST_P(Streaming, AlongADirectionAsDifferencesOfTwoDoubles) {
  expect_derivatives_along(GetParam(), {});
  expect_derivatives_along(GetParam(), neighbours(49, 40, 6));
}

TEST(StreamingAttention, DropsWeightsOfEdgesAndTheirGradientsAlike) {
  const auto of = operands<double>(Score::umbral, {2}, 6, 8, 3, 2, 9);
  Mask<double> mask;
  mask.seen = neighbours(6, 8, 2);
  mask.dropout = 0.4;
  const auto result = attend(Score::umbral, of, mask);
  mask.dropout = 0;
  EXPECT_NE(attend(Score::umbral, of, mask).values.values(), result.values.values());
  mask.dropout = 0.4;
  const auto g = randn<double>(result.values.shape(), 6);
  const auto by = attend_backward(Score::umbral, of, mask, result, g);
  const double step = 1e-6;
  for (const std::int64_t at : {0, 7, 30}) {
    const auto with = [&](double size) {
      Operands<double> moved = of;
      moved.y = of.y.clone();
      moved.y.data()[at] += size;
      return double(sum(attend(Score::umbral, moved, mask).values * g).item());
    };
    EXPECT_NEAR(by.y.data()[at], (with(step) - with(-step)) / (2 * step), 1e-7);
  }
}

TEST(StreamingAttention, RefusesWhatIsNoNeighbourhood) {
  const auto of = operands<float>(Score::laplacian, {2}, 3, 4, 3, 2, 1);
  const auto refused = [&](const std::vector<std::int64_t>& starts,
                           const std::vector<std::int64_t>& columns) {
    return message_of<Error>([&] {
      attend_edges(Score::laplacian, of,
                   {Tensor<std::int64_t>::from_values(starts, {std::int64_t(starts.size())}),
                    Tensor<std::int64_t>::from_values(columns, {std::int64_t(columns.size())})});
    });
  };
  EXPECT_EQ(refused({0, 1, 2}, {0, 1}), "attention: starts of shape (3,), expected (4,)");
  EXPECT_EQ(refused({1, 1, 2, 2}, {0, 1}), "attention: starts[0] is 1, not 0");
  EXPECT_EQ(refused({0, 2, 1, 2}, {0, 1}), "attention: starts[2] is 1, below the one before, 2");
  EXPECT_EQ(refused({0, 1, 1, 3}, {0, 1}), "attention: starts[3] is 3, but there are 2 columns");
  EXPECT_EQ(refused({0, 1, 1, 2}, {0, 4}), "attention: columns[1] is 4, but there are 4 keys");
  EXPECT_EQ(refused({0, 1, 1, 2}, {-1, 3}), "attention: columns[0] is -1, but there are 4 keys");
  // nothing said is not everything
  EXPECT_EQ(refused({}, {}),
            "attention: starts of shape (0,), expected one start for each query and one more");
  EXPECT_THROW(attend_edges(Score::laplacian, of, {}), ShapeError);
  Mask<float> mask;
  mask.causal = true;
  mask.seen = neighbours(3, 4, 1);
  EXPECT_THROW(attend(Score::laplacian, of, mask), DomainError);
}

TEST(StreamingAttention, AnEdgeThatIsThereTwiceCountsTwice) {
  const auto of = operands<double>(Score::laplacian, {1}, 1, 2, 3, 2, 1);
  const auto twice = attend_edges(Score::laplacian, of,
                                  {Tensor<std::int64_t>::from_values({0, 3}, {2}),
                                   Tensor<std::int64_t>::from_values({1, 0, 1}, {3})});
  Mask<double> mask;
  mask.bias = Tensor<double>::from_values({0, std::log(2.0)}, {1, 2});
  const auto weighed = attend(Score::laplacian, of, mask);
  EXPECT_LE(max(abs(twice.values - weighed.values)).item(), 1e-15);
}

TEST(StreamingAttention, VectorsWithoutCoordinatesWeighAlikeAndValuesHaveGradients) {
  const Operands<double> of = {
      Tensor<double>({2, 0}), {}, Tensor<double>({4, 0}), {}, randn<double>({4, 2}, 3)};
  const auto result = attend(Score::laplacian, of, Mask<double>{});
  EXPECT_LE(max(abs(result.values - mean(of.v, {0}, true))).item(), 1e-15);
  const auto by = attend_backward(Score::laplacian, of, Mask<double>{}, result,
                                  full<double>(result.values.shape(), 1.0));
  EXPECT_LE(max(abs(by.v - 0.5)).item(), 1e-15);
}

TEST(StreamingAttention, PointsOfOneCosineAreNotOnePoint) {
  const auto numbers = [](const std::vector<double>& x) {
    return convert<double, 2>(Tensor<double>::from_values(x, {1, std::int64_t(x.size())}));
  };
  Operands<double, 2> of = {numbers({0.5, 0}), numbers({1, 1e-10, 0.5}), numbers({0.5, 0}),
                            numbers({1, 3e-11}), numbers({1})};
  of.x.plane(1).fill_(1);
  EXPECT_NO_THROW(attend_along(Score::entailment, of, {}));
  of.b = numbers({1, 1e-10});
  EXPECT_THROW(attend_along(Score::entailment, of, {}), DomainError);
}

TEST(StreamingAttention, PointsThatMoveApartHaveACorner) {
  auto of = operands<double>(Score::laplacian, {1}, 2, 2, 3, 2, 5);
  of.y.copy_(of.x);
  const auto still = [](const Tensor<double>& x) { return convert<double, 2>(x); };
  Operands<double, 2> at = {still(of.x), still(of.a), still(of.y), still(of.b), still(of.v)};
  EXPECT_NO_THROW(attend_along(Score::laplacian, at, {}));
  at.x.plane(1).narrow(1, 1, 1).fill_(1);
  EXPECT_EQ(message_of<DomainError>([&] {
              attend_along(Score::laplacian, at, {});
            }).find("attention: query 1 and key 1 are the same point"),
            0U);
  EXPECT_NO_THROW(attend_along(Score::gaussian, at, {}));
}

TEST(StreamingAttention, NoKeysGiveZero) {
  const auto of = operands<float>(Score::umbral, {2}, 4, 0, 3, 2, 1);
  const auto result = attend(Score::umbral, of, {});
  EXPECT_EQ(result.values.values(), std::vector<float>(16, 0.0f));
  const auto gradients = attend_backward(Score::umbral, of, {}, result, result.values);
  EXPECT_EQ(gradients.x.values(), std::vector<float>(24, 0.0f));
}

}  // namespace
}  // namespace mct::attention
