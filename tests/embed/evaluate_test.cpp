// Ranks and average precision against all distances in long double, and what must be refused.
#include "mctensor/embed/evaluate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <stdexcept>

#include "mctensor/error.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::message_of;
using testing::random_graph;

/// Points around the origin; or, if they are close, with the same leading components, so that only
/// the others tell them apart.
HalfSpacePoints random_points(int count, int n, int components, bool close = false,
                              int factors = 1) {
  std::mt19937_64 random(std::uint64_t(17 * n + components));
  std::normal_distribution<double> normal;
  HalfSpacePoints points;
  for (int f = 0; f < factors; ++f) {
    Tensor<double> planes({components, count, n});
    for (int row = 0; row < count; ++row)
      for (int k = 0; k < components; ++k) {
        double* const x = planes.data() + (k * count + row) * n;
        for (int c = 0; c + 1 < n; ++c)
          x[c] = close && k == 0 ? 1 : std::ldexp(std::tanh(normal(random)), -54 * k);
        if (k == 0) x[n - 1] = std::ldexp(std::exp(normal(random)), close ? -54 : 0);
      }
    points.factors.push_back(planes);
  }
  return points;
}

/// The point (1, 1) many times.
HalfSpacePoints equal_points(int count) {
  HalfSpacePoints points;
  points.factors.emplace_back(Shape{1, count, 2});
  points.factors[0].fill_(1);
  return points;
}

/// 2 cosh d - 2 of one factor: 64 bits beside the leading difference, which is exact.
long double chord(const Tensor<double>& points, int a, int b) {
  const std::int64_t rows = points.size(1);
  const std::int64_t n = points.size(2);
  const auto at = [&](std::int64_t k, std::int64_t row, std::int64_t c) {
    return (long double)(points.data()[(k * rows + row) * n + c]);
  };
  long double sum = 0;
  for (std::int64_t c = 0; c < n; ++c) {
    long double difference = 0;
    for (std::int64_t k = 0; k < points.size(0); ++k) difference += at(k, a, c) - at(k, b, c);
    sum += difference * difference;
  }
  return sum / at(0, a, n - 1) / at(0, b, n - 1);
}

long double order_of(const HalfSpacePoints& points, int a, int b) {
  if (points.factors.size() == 1) return chord(points.factors[0], a, b);
  long double sum = 0;
  for (const auto& factor : points.factors) {
    const long double d = 2 * std::asinh(std::sqrt(chord(factor, a, b)) / 2);
    sum += d * d;
  }
  return sum;
}

/// The definitions, one node at a time; `known` edges do not count.
RankingReport by_definition(const HalfSpacePoints& points, const Graph& graph,
                            const Graph* known = nullptr) {
  const auto count = int(graph.node_count());
  std::vector<std::set<int>> targets(graph.node_count()), left_out(graph.node_count());
  for (const auto& [from, to] : testing::edges_of(graph))
    if (from != to) targets[std::size_t(from)].insert(to);
  if (known != nullptr)
    for (const auto& [from, to] : testing::edges_of(*known)) left_out[std::size_t(from)].insert(to);
  RankingReport r;
  for (int v = 0; v < count; ++v) {
    const auto& own = targets[std::size_t(v)];
    if (own.empty()) continue;
    double precision = 0;
    for (const int target : own) {
      const long double mine = order_of(points, v, target);
      double ahead = 0;
      int positives = 0;  // at this place or before it
      int tied_before = 0;
      for (int w = 0; w < count; ++w) {
        if (w == v) continue;
        const long double other = order_of(points, v, w);
        if (own.count(w) > 0) {
          positives += other < mine ? 1 : 0;
          tied_before += other == mine && w <= target ? 1 : 0;
        } else if (left_out[std::size_t(v)].count(w) == 0) {
          ahead += other < mine ? 1 : other == mine ? 0.5 : 0;
        }
      }
      const double place = positives + tied_before;
      precision += place / (place + ahead);
      r.mean_rank += ahead + 1;
      r.hits_at_1 += ahead + 1 <= 1 ? 1 : 0;
      r.hits_at_10 += ahead + 1 <= 10 ? 1 : 0;
      ++r.pairs;
    }
    r.mean_average_precision += precision / double(own.size());
    ++r.objects;
  }
  r.mean_average_precision /= double(r.objects);
  r.mean_rank /= double(r.pairs);
  r.hits_at_1 /= double(r.pairs);
  r.hits_at_10 /= double(r.pairs);
  return r;
}

void expect_equal(const RankingReport& found, const RankingReport& expected) {
  EXPECT_EQ(found.objects, expected.objects);
  EXPECT_EQ(found.pairs, expected.pairs);
  EXPECT_DOUBLE_EQ(found.mean_rank, expected.mean_rank);
  EXPECT_NEAR(found.mean_average_precision, expected.mean_average_precision, 1e-13);
  EXPECT_DOUBLE_EQ(found.hits_at_1, expected.hits_at_1);
  EXPECT_DOUBLE_EQ(found.hits_at_10, expected.hits_at_10);
}

TEST(Evaluate, IsWhatTheDefinitionsSay) {
  for (const int n : {2, 3, 10})
    for (const int components : {1, 2, 3, 4}) {
      const int count = 90;  // no multiple of a register
      const Graph graph = random_graph(count, 0.05, true, unsigned(n));
      for (const bool close : {false, true}) {
        if (close && components == 1) continue;
        SCOPED_TRACE(std::to_string(n) + " dimensions, " + std::to_string(components) +
                     (close ? ", close" : ""));
        const auto points = random_points(count, n, components, close);
        expect_equal(evaluate(points, graph), by_definition(points, graph));
      }
    }
}

TEST(Evaluate, OfManyTargetsLooksThemUp) {
  const int count = 300;
  const auto points = random_points(count, 2, 1);
  testing::Edges edges;
  for (int v = 0; v < count; v += 2) edges.emplace_back(7, v);  // 150 targets
  for (int v = 1; v < 60; ++v) edges.emplace_back(100, v);
  const Graph graph = graph_of(count, edges);
  expect_equal(evaluate(points, graph), by_definition(points, graph));
}

TEST(Evaluate, TellsPointsApartThatAgreeInLeadingComponents) {
  // 0 is nearer to 1 than to 2 by the second components alone
  HalfSpacePoints points;
  points.factors.push_back(Tensor<double>({2, 3, 2}));
  double* x = points.factors[0].data();
  for (int row = 0; row < 3; ++row) {
    x[2 * row] = 1;
    x[2 * row + 1] = 1e-20;
  }
  x[6 + 2] = 1e-19;
  x[6 + 4] = 2e-19;
  EXPECT_EQ(evaluate(points, graph_of(3, {{0, 1}})).mean_rank, 1);
  EXPECT_EQ(evaluate(points, graph_of(3, {{0, 2}})).mean_rank, 2);
}

TEST(Evaluate, OfEqualPointsIsChance) {
  const RankingReport r = evaluate(equal_points(101), graph_of(101, {{0, 1}, {5, 3}}));
  EXPECT_EQ(r.mean_rank, 1 + 99 / 2.0);
  EXPECT_DOUBLE_EQ(r.mean_average_precision, 1 / (1 + 99 / 2.0));
  EXPECT_EQ(r.hits_at_10, 0);
  // an exact tie of one target and one other node
  HalfSpacePoints line = equal_points(4);
  for (int row = 0; row < 4; ++row) line.factors[0].data()[2 * row] = row - 1;
  EXPECT_EQ(evaluate(line, graph_of(4, {{1, 0}})).mean_rank, 1.5);
  EXPECT_EQ(evaluate(line, graph_of(4, {{1, 0}, {1, 2}})).mean_rank, 1);
}

TEST(Evaluate, LeavesOutKnownEdgesAndLoops) {
  const int count = 70;
  const auto points = random_points(count, 2, 2);
  const Graph known = random_graph(count, 0.1, true, 3);
  const Graph graph = random_graph(count, 0.05, true, 4);
  EvaluateOptions options;
  options.known = &known;
  const auto expected = by_definition(points, graph, &known);
  expect_equal(evaluate(points, graph, options), expected);
  EXPECT_LT(expected.mean_rank, by_definition(points, graph).mean_rank);
  // a loop and an edge that is there twice
  const Graph twice = graph_of(count, {{0, 1}, {0, 1}, {0, 0}, {2, 2}});
  expect_equal(evaluate(points, twice), evaluate(points, graph_of(count, {{0, 1}})));
}

TEST(Evaluate, OfProductsAndFarPointsComparesDistances) {
  const Graph graph = random_graph(80, 0.05, true, 5);
  for (const bool close : {false, true}) {
    const auto product = random_points(80, 2, 2, close, 3);
    expect_equal(evaluate(product, graph), by_definition(product, graph));
  }
  // where squares leave the range the same points have the same ranks
  const auto near = random_points(80, 3, 1);
  for (const int power : {-700, 700}) {
    auto far = random_points(80, 3, 1);
    for (std::int64_t i = 0; i < far.factors[0].numel(); ++i)
      far.factors[0].data()[i] = std::ldexp(far.factors[0].data()[i], power);
    expect_equal(evaluate(far, graph), evaluate(near, graph));
  }
}

TEST(Evaluate, DoesNotDependOnThreads) {
  const int before = num_threads();
  const auto points = random_points(1100, 5, 2);
  const Graph graph = random_graph(1100, 0.01, true, 6);
  set_num_threads(1);
  const RankingReport one = evaluate(points, graph);
  for (const int threads : {2, 3}) {
    set_num_threads(threads);
    const RankingReport several = evaluate(points, graph);
    EXPECT_EQ(several.mean_rank, one.mean_rank);
    EXPECT_EQ(several.mean_average_precision, one.mean_average_precision);
  }
  set_num_threads(before);
}

TEST(Evaluate, OfASampleIsOfItsNodes) {
  const auto points = random_points(200, 2, 1);
  const Graph graph = random_graph(200, 0.05, true, 8);
  EvaluateOptions options;
  options.objects = 40;
  std::size_t done = 0;
  options.progress = [&](std::size_t n, std::size_t of) {
    done = std::max(done, n);
    EXPECT_EQ(of, 40u);
  };
  const RankingReport a = evaluate(points, graph, options);
  EXPECT_EQ(a.objects, 40u);
  EXPECT_EQ(done, 40u);
  const RankingReport b = evaluate(points, graph, options);
  EXPECT_EQ(a.mean_rank, b.mean_rank);
  options.seed = 1;
  EXPECT_NE(evaluate(points, graph, options).mean_rank, a.mean_rank);
  options.progress = {};
  options.objects = 200;  // more than have an edge
  expect_equal(evaluate(points, graph, options), evaluate(points, graph));
}

TEST(Evaluate, IsEndedByWhatItsProgressThrows) {
  const auto points = random_points(200, 2, 1);
  const Graph graph = random_graph(200, 0.05, true, 8);
  EvaluateOptions options;
  int calls = 0;
  options.progress = [&](std::size_t, std::size_t) {
    ++calls;
    throw std::runtime_error("enough");
  };
  const int before = num_threads();
  set_num_threads(1);
  EXPECT_EQ(message_of<std::runtime_error>([&] { evaluate(points, graph, options); }), "enough");
  set_num_threads(before);
  EXPECT_EQ(calls, 1);
}

TEST(Evaluate, RefusesWhatItCannotRank) {
  auto points = random_points(9, 2, 1);
  EXPECT_EQ(message_of<DomainError>([&] {
              evaluate(points, graph_of(9, {{3, 3}}));
            }),
            "evaluate: the graph has no edges between its nodes");
  EXPECT_EQ(message_of<ShapeError>([&] {
              evaluate(points, graph_of(8, {{1, 2}}));
            }),
            "evaluate: a graph of 8 nodes and 9 points");
  EXPECT_EQ(message_of<DomainError>([] { evaluate(random_points(1, 2, 1), graph_of(1, {})); }),
            "evaluate: the graph has no edges between its nodes");
  auto product = points;
  product.factors.push_back(random_points(8, 2, 1).factors[0]);
  EXPECT_EQ(message_of<ShapeError>([&] {
              evaluate(product, graph_of(9, {{1, 2}}));
            }),
            "evaluate: points of shape (1, 8, 2), expected 9 rows in [components, rows, n] with n "
            ">= 2");
  EXPECT_EQ(message_of<ShapeError>([] {
              evaluate(HalfSpacePoints(), graph_of(2, {{0, 1}}));
            }),
            "evaluate: a graph of 2 nodes and 0 points");
  EXPECT_THROW(evaluate(HalfSpacePoints(), Graph()), DomainError);
  // a view of points is points
  auto view = points;
  view.factors[0] = points.factors[0].transpose(1, 2).contiguous().transpose(1, 2);
  expect_equal(evaluate(view, graph_of(9, {{1, 2}})), evaluate(points, graph_of(9, {{1, 2}})));
  for (const double bad : {std::nan(""), 0.0, -1.0, std::numeric_limits<double>::infinity()}) {
    points.factors[0].data()[2 * 4 + 1] = bad;
    EXPECT_EQ(message_of<DomainError>([&] {
                evaluate(points, graph_of(9, {{1, 2}}));
              }),
              "evaluate: row 4 is not a point of a half-space");
  }
}

}  // namespace
}  // namespace mct::embed
