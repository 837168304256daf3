// Training: every step against the same step in the half-space with many digits, threads, files.
#include "mctensor/embed/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "mctensor/embed/evaluate.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/tensor/safetensors.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::message_of;
using testing::TemporaryDirectory;

using V = f64x3;
using Points = std::vector<geometry::Point<V>>;

/// The points of an embedding in half-spaces, one for each factor, with all their digits.
std::vector<Points> points_of(const Embedding& embedding) {
  const HalfSpacePoints half = embedding.half_space();
  std::vector<Points> factors;
  for (const auto& planes : half.factors) {
    const auto n = int(planes.size(2));
    Points& all = factors.emplace_back();
    for (std::int64_t row = 0; row < planes.size(1); ++row) {
      geometry::Point<V> x(n);
      for (int i = 0; i < n; ++i)
        for (std::int64_t k = 0; k < planes.size(0); ++k)
          x[i] = x[i] + planes.data()[(k * planes.size(1) + row) * n + i];
      all.push_back(x);
    }
  }
  return factors;
}

const geometry::HalfSpace<V>& unit_space() {
  static const geometry::HalfSpace<V> space{V(1)};
  return space;
}

V product_distance(const std::vector<Points>& x, std::size_t a, std::size_t b) {
  V sum(0);
  for (const Points& factor : x) {
    const V d = unit_space().dist(factor[a], factor[b]);
    sum = sum + d * d;
  }
  return sqrt(sum);
}

void add(geometry::Point<V>& sum, const geometry::Point<V>& g, const V& times) {
  for (int i = 0; i < sum.size(); ++i) sum[i] = sum[i] + g[i] * times;
}

/// How points follow gradients: gradient descent, and what follows from it.
class Descent {
 public:
  explicit Descent(double rate) : rate_(rate) {}
  virtual ~Descent() = default;
  void set_rate(double rate) { rate_ = rate; }
  /// Moves node i of all factors.
  virtual void move(std::size_t, std::vector<geometry::Point<V>>& x,
                    const std::vector<geometry::Point<V>>& gradients) {
    for (std::size_t f = 0; f < x.size(); ++f)
      x[f] = unit_space().expmap(x[f], gradients[f] * V(-rate_));
  }

 protected:
  double rate_;
};

/// Riemannian Adam; first moments have the height as unit, so that they may go on at a point that
/// is nearly that where they came to.
class AdaptiveDescent : public Descent {
 public:
  AdaptiveDescent(const TrainOptions& options, std::size_t nodes)
      : Descent(options.lr), options_(options), rows_(nodes) {}
  void move(std::size_t i, std::vector<geometry::Point<V>>& x,
            const std::vector<geometry::Point<V>>& gradients) override {
    const auto& space = unit_space();
    Row& row = rows_[i];
    V square(0);
    for (std::size_t f = 0; f < x.size(); ++f)
      square = square + space.inner(x[f], gradients[f], gradients[f]);
    row.second = row.second * options_.beta2 + square * (V(1) - options_.beta2);
    row.first_power = row.first_power * options_.beta1;
    row.second_power = row.second_power * options_.beta2;
    row.first.resize(x.size());
    for (std::size_t f = 0; f < x.size(); ++f) {
      const int last = x[f].size() - 1;
      geometry::Point<V> m = gradients[f] * (V(1) - options_.beta1);
      if (row.first[f].size() > 0) add(m, row.first[f], x[f][last] * options_.beta1);
      const V root = sqrt(row.second / (V(1) - row.second_power)) + options_.eps;
      const auto y = space.expmap(x[f], m * (V(-rate_) / (V(1) - row.first_power) / root));
      row.first[f] = space.ptransp(x[f], y, m) * (V(1) / y[last]);
      x[f] = y;
    }
  }

 private:
  struct Row {
    std::vector<geometry::Point<V>> first;
    V second{0}, first_power{1}, second_power{1};
  };
  TrainOptions options_;
  std::vector<Row> rows_;
};

/// One step on the loss of the edge from node 0 to node 1, with all others as negatives, at radius
/// 1; and the loss.
double step_by_the_book(std::vector<Points>& x, double sharpness, Descent& descent) {
  const auto& space = unit_space();
  const std::size_t nodes = x[0].size();
  std::vector<V> distance{V(0)}, chance{V(0)};
  V total(0);
  for (std::size_t j = 1; j < nodes; ++j) {
    distance.push_back(product_distance(x, 0, j));
    chance.push_back(exp(V(-sharpness) * distance[j]));
    total = total + chance[j];
  }
  const std::vector<Points> before = x;
  std::vector<Points> gradients;  // [nodes][factors]
  for (std::size_t i = 0; i < nodes; ++i)
    for (const Points& factor : before) {
      if (gradients.size() <= i) gradients.emplace_back();
      gradients[i].emplace_back(factor[0].size());
    }
  for (std::size_t f = 0; f < x.size(); ++f)
    for (std::size_t j = 1; j < nodes; ++j) {
      // the derivative of the loss by the factor's distance
      const auto& at = before[f];
      const V c = V(sharpness) * (V(j == 1 ? 1 : 0) - chance[j] / total) *
                  (space.dist(at[0], at[j]) / distance[j]);
      const auto gradient = [&](std::size_t a, std::size_t b) {
        return space.egrad2rgrad(at[a], space.dist_gradient(at[a], at[b]));
      };
      add(gradients[0][f], gradient(0, j), c);
      add(gradients[j][f], gradient(j, 0), c);
    }
  for (std::size_t i = 0; i < nodes; ++i) {
    Points row;
    for (const Points& factor : x) row.push_back(factor[i]);
    descent.move(i, row, gradients[i]);
    for (std::size_t f = 0; f < x.size(); ++f) x[f][i] = row[f];
  }
  return double(log(total) - log(chance[1]));
}

struct Case {
  EmbeddingSpace space;
  double tolerance;  // of a step's end
  Dtype dtype = Dtype::float64;
};

constexpr double float_step = 0x1p-19;

std::vector<Case> cases() {
  using enum PointStorage;
  return {{{half_space, 2, 1, 1, 1}, 1e-12},
          {{half_space, 5, 1, 1, 1}, 1e-12},
          {{xmc_half_space, 2, 2, 1, 1}, 1e-14},
          {{xmc_half_space, 3, 3, 1, 1}, 1e-14},
          {{mc_half_space, 2, 2, 1, 1}, 1e-14},
          {{ball, 2, 1, 1, 1}, 1e-10},
          {{ball, 4, 2, 1, 1}, 1e-14},
          {{lorentz, 2, 1, 1, 1}, 1e-10},
          {{lorentz, 10, 1, 1, 1}, 1e-10},
          {{lorentz, 3, 2, 1, 1}, 1e-13},
          {{h_tiling, 2, 1, 1, 1}, 1e-14},
          {{h_tiling, 3, 2, 1, 1}, 1e-14},
          {{l_tiling, 2, 1, 1, 1}, 1e-14},
          {{l_tiling, 2, 2, 1, 1}, 1e-14},
          {{xmc_half_space, 2, 2, 3, 1}, 1e-14},
          {{lorentz, 4, 1, 2, 1}, 1e-10},
          {{h_tiling, 2, 2, 2, 1}, 1e-14},
          {{l_tiling, 2, 1, 2, 1}, 1e-14},
          // 32 units of rounding; two components of float have the points' error of double's
          {{half_space, 2, 1, 1, 1}, float_step, Dtype::float32},
          {{half_space, 5, 1, 2, 1}, float_step, Dtype::float32},
          {{xmc_half_space, 3, 2, 1, 1}, float_step, Dtype::float32},
          {{ball, 2, 1, 1, 1}, float_step, Dtype::float32},
          {{ball, 10, 1, 1, 1}, float_step, Dtype::float32},
          {{lorentz, 2, 1, 1, 1}, float_step, Dtype::float32},
          {{lorentz, 5, 1, 2, 1}, float_step, Dtype::float32},
          {{h_tiling, 2, 1, 1, 1}, float_step, Dtype::float32},
          {{h_tiling, 5, 1, 1, 1}, float_step, Dtype::float32},
          {{l_tiling, 2, 1, 1, 1}, float_step, Dtype::float32},
          {{l_tiling, 2, 1, 3, 1}, float_step, Dtype::float32}};
}

TrainOptions options_of(const EmbeddingSpace& space, Dtype dtype = Dtype::float64) {
  TrainOptions options;
  options.space = space;
  options.dtype = dtype;
  options.burn_in = 0;
  options.epochs = 1000;
  options.init = 0.25;
  return options;
}

class Spaces : public ::testing::TestWithParam<Case> {};

void expect_steps_by_the_book(const Case& of, Optimizer optimizer, double lr) {
  const auto& [space, tolerance, dtype] = of;
  constexpr int nodes = 9;
  // two edges of one source would be two examples; one has all other nodes as negatives
  auto graph = std::make_shared<Graph>(graph_of(nodes, {{0, 1}}));
  TrainOptions options = options_of(space, dtype);
  options.negatives = nodes - 2;
  options.optimizer = optimizer;
  options.lr = lr;
  options.lr_peak = 1.14;
  options.epochs = 12;
  options.cool_down = 4;
  options.sharpness = 0.4;
  Trainer trainer(graph, options);
  std::unique_ptr<Descent> descent = std::make_unique<Descent>(lr);
  if (optimizer == Optimizer::radam) descent = std::make_unique<AdaptiveDescent>(options, nodes);
  const auto& half = unit_space();
  for (int epoch = 0; epoch < 12; ++epoch) {
    auto expected = points_of(trainer.embedding());
    // in 7 steps up and in 4 down to the rate of the first epoch
    constexpr double risen[] = {0, 4, 8, 12, 16, 20, 24, 28, 21, 14, 7, 0};
    descent->set_rate(lr * (1 + (options.lr_peak - 1) * risen[epoch] / 28));
    const double loss = step_by_the_book(expected, options.sharpness, *descent);
    trainer.advance(1);
    EXPECT_NEAR(trainer.last_epoch().loss, loss,
                dtype == Dtype::float32 ? tolerance : 1e-9 * tolerance / 1e-14);
    EXPECT_EQ(trainer.last_epoch().stayed, 0);
    const auto found = points_of(trainer.embedding());
    for (std::size_t f = 0; f < found.size(); ++f)
      for (std::size_t i = 0; i < found[f].size(); ++i) {
        const double off(half.dist(found[f][i], expected[f][i]));
        EXPECT_LT(off, tolerance * std::exp(double(half.dist0(expected[f][i]))))
            << "node " << i << " in epoch " << epoch;
      }
  }
}

TEST_P(Spaces, EveryStepIsThatOfTheBook) {
  expect_steps_by_the_book(GetParam(), Optimizer::rsgd, 3);
}

TEST_P(Spaces, EveryStepOfRadamIsThatOfTheBook) {
  expect_steps_by_the_book(GetParam(), Optimizer::radam, 0.4);
}

TEST_P(Spaces, ATreeIsLearned) {
  // three levels of three children each
  testing::Edges edges;
  for (int child = 1; child < 40; ++child) edges.emplace_back(child, (child - 1) / 3);
  auto graph = std::make_shared<Graph>(transitive_closure(graph_of(40, edges)));
  TrainOptions options = options_of(GetParam().space, GetParam().dtype);
  options.init = 1e-3;
  options.burn_in = 10;
  options.negatives = 20;
  options.batch = 16;
  options.lr = 2;
  options.epochs = 600;
  options.seed = 5;
  Trainer trainer(graph, options);
  while (!trainer.done()) trainer.advance(100);
  const auto report = evaluate(trainer.embedding().half_space(), *graph);
  EXPECT_GT(report.mean_average_precision, 0.97);
  EXPECT_LT(report.mean_rank, 1.1);
}

TEST_P(Spaces, StepsThatAreMuchTooLongLeadToPoints) {
  auto graph = std::make_shared<Graph>(graph_of(12, {{0, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 4}}));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const auto& [lr, longest] : {std::pair(100.0, 3.0),
                                    {1e6, 1.0},
                                    {1e8, 300.0},
                                    {1e8, infinity},
                                    {1e300, 1.0},
                                    {1e300, infinity}}) {
    SCOPED_TRACE(::testing::Message() << "rate " << lr << ", longest step " << longest);
    TrainOptions options = options_of(GetParam().space, GetParam().dtype);
    options.lr = lr;
    options.negatives = 6;
    options.longest_step = longest;
    options.epochs = 200;  // enough to get far from the origin
    Trainer trainer(graph, options);
    try {
      while (!trainer.done()) trainer.advance(10);
    } catch (const DomainError& error) {
      // the tiles of points that are too far have numbers that are too large
      EXPECT_EQ(GetParam().space.storage, PointStorage::l_tiling) << error.what();
      EXPECT_EQ(GetParam().dtype, Dtype::float64) << error.what();
      continue;
    }
    EXPECT_NO_THROW(static_cast<void>(trainer.embedding().half_space()));
    EXPECT_TRUE(std::isfinite(trainer.last_epoch().loss));
    if (lr == 1e300 && longest == 1) EXPECT_GT(trainer.last_epoch().stayed, 0);
  }
}

TEST_P(Spaces, AnyNumberOfThreadsHasTheSameBits) {
  // batches that are worth three threads, and epochs that are worth a team (batch_loop.cpp)
  testing::Edges edges;
  for (int child = 1; child < 1500; ++child) edges.emplace_back(child, (child - 1) / 4);
  auto graph = std::make_shared<Graph>(graph_of(1500, edges));
  const int before = num_threads();
  std::vector<std::vector<double>> results;
  std::vector<double> losses;
  for (const int threads : {1, 2, 3}) {
    set_num_threads(threads);
    TrainOptions options = options_of(GetParam().space, GetParam().dtype);
    options.batch = 200;
    options.optimizer = Optimizer::radam;  // whose steps do more
    options.lr = 0.1;
    options.negatives = 45;
    options.epochs = 4;
    options.burn_in = 2;
    Trainer trainer(graph, options);
    while (!trainer.done()) trainer.advance(7);
    results.push_back(trainer.embedding().coordinates().values());
    losses.push_back(trainer.last_epoch().loss);
  }
  set_num_threads(before);
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
  EXPECT_EQ(losses[0], losses[1]);
  EXPECT_EQ(losses[0], losses[2]);
}

TEST_P(Spaces, WhatGoesOnFromAFileHasTheSameBits) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  testing::Edges edges;
  for (int child = 1; child < 60; ++child) edges.emplace_back(child, (child - 1) / 2);
  auto graph = std::make_shared<Graph>(graph_of(60, edges));
  TrainOptions options = options_of(GetParam().space, GetParam().dtype);
  options.batch = 7;
  options.negatives = 9;
  options.epochs = 8;
  options.burn_in = 3;
  options.radius_lr = 1e-2;
  options.optimizer = Optimizer::radam;  // which has more to go on from
  options.lr = 0.1;
  Trainer whole(graph, options);
  while (!whole.done()) whole.advance(100);
  Trainer first(graph, options);
  for (int i = 0; i < 10; ++i) first.advance(4);
  ASSERT_GT(first.batches(), 0);
  first.save(file);
  Trainer second(graph, options);
  second.load(file);
  EXPECT_EQ(second.epochs(), first.epochs());
  EXPECT_EQ(second.batches(), first.batches());
  while (!second.done()) second.advance(5);
  EXPECT_EQ(whole.embedding().coordinates().values(), second.embedding().coordinates().values());
  EXPECT_EQ(whole.last_epoch().loss, second.last_epoch().loss);
  EXPECT_EQ(whole.radius(), second.radius());
  EXPECT_NE(whole.radius(), 1.0);
}

INSTANTIATE_TEST_SUITE_P(All, Spaces, ::testing::ValuesIn(cases()), [](const auto& of) {
  const EmbeddingSpace& space = of.param.space;
  std::string name(name_of(space.storage));
  std::replace(name.begin(), name.end(), '-', '_');
  return name + "_" + std::to_string(space.dimensions) + "_" + std::to_string(space.components) +
         "_" + std::to_string(space.factors) + (of.param.dtype == Dtype::float32 ? "_float32" : "");
});

/// Points of float as far out as a training may leave them, next to one another and at the edges
/// of tiles: by the numbers that files have for them.
std::vector<std::vector<double>> far_points(PointStorage storage) {
  const double below_one = 1 - 0x1p-22;
  switch (storage) {
    case PointStorage::ball:
      return {{below_one, 0}, {-below_one, 0}, {0, below_one}, {0, 0}, {below_one, 0x1p-30}};
    case PointStorage::lorentz:
      return {{0x1p25, 0x1p25, 0},
              {0x1p25, -0x1p25, 0},
              {0x1p25, 0x1p25, 1},
              {1, 0, 0},
              {0x1p24, 0, 0x1p24}};
    case PointStorage::h_tiling:  // a level, a whole number, and the rest
      return {{-51, 0, 0, 1},
              {50, 0, 0, 1},
              {0, 0x1p25, 1 - 0x1p-24, 1},
              {0, 0, 0, 1},
              {-40, 0x1p44, 0x1p-149, 1.5}};
    case PointStorage::l_tiling: {
      std::vector<double> first{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
      std::vector<std::vector<double>> all(5, first);
      all[1][9] = 0.5;
      all[2][10] = 0x1p-130;
      all[3][9] = all[3][10] = -0.375;
      return all;
    }
    default:
      return {{0, 0x1p-61}, {0, 0x1p61}, {0x1p30, 1}, {0, 1}, {0x1p-126, 0x1p-61}};
  }
}

TEST(TrainerInFloat, StaysInTheSpaceFromFarPointsByHugeSteps) {
  using enum PointStorage;
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  auto graph = std::make_shared<Graph>(graph_of(5, {{0, 1}, {2, 1}, {3, 2}, {4, 0}}));
  for (const PointStorage storage : {half_space, ball, lorentz, h_tiling, l_tiling})
    for (const Optimizer optimizer : {Optimizer::rsgd, Optimizer::radam})
      for (const double lr : {1.0, 1e3, 1e30, 1e300}) {
        SCOPED_TRACE(std::string(name_of(storage)) + " " + std::to_string(lr));
        TrainOptions options = options_of({storage, 2, 1, 1, 1}, Dtype::float32);
        options.lr = lr;
        options.optimizer = optimizer;
        options.negatives = 3;
        options.epochs = 60;
        Trainer trainer(graph, options);
        trainer.save(file);
        const SafetensorsReader reader(file);
        SafetensorsWriter writer;
        for (const auto& [key, text] : reader.metadata()) writer.set_metadata(key, text);
        const auto points = reader.load<double, 1>("points").clone();
        double* to = points.data();
        for (const auto& point : far_points(storage))
          to = std::copy(point.begin(), point.end(), to);
        writer.add("points", points);
        if (optimizer == Optimizer::radam) writer.add("moments", reader.load<double, 1>("moments"));
        writer.add("numbers", reader.load<double, 1>("numbers"));
        writer.add("counts", reader.load<std::int64_t, 1>("counts"));
        writer.save(file);
        trainer.load(file);
        while (!trainer.done()) {
          trainer.advance(1);
          ASSERT_TRUE(std::isfinite(trainer.last_epoch().loss)) << trainer.epochs();
        }
        EXPECT_NO_THROW(static_cast<void>(trainer.embedding().half_space()));
        trainer.save(file);
        EXPECT_NO_THROW(Trainer(graph, options).load(file));  // still of float and within reach
      }
}

TEST(Trainer, LearnsTheRadiusByItsDerivative) {
  auto graph = std::make_shared<Graph>(graph_of(6, {{0, 1}}));
  TrainOptions options = options_of({PointStorage::half_space, 2, 1, 1, 1.5});
  options.negatives = 4;
  options.lr = 0;
  options.radius_lr = 1e-6;
  Trainer trainer(graph, options);
  const auto x = points_of(trainer.embedding());
  const auto loss = [&](double radius) {
    auto copy = x;
    Descent none(0);
    return step_by_the_book(copy, options.sharpness * radius, none);
  };
  const double slope = (loss(1.5 + 1e-4) - loss(1.5 - 1e-4)) / 2e-4;
  trainer.advance(1);
  EXPECT_NEAR(std::log(trainer.radius() / 1.5), -options.radius_lr * 1.5 * slope,
              1e-6 * options.radius_lr);
}

TEST(Trainer, AWeightMultipliesTheLoss) {
  const auto moved = [](double weight, double lr) {
    const Graph plain = graph_of(6, {{0, 1}});
    auto graph = std::make_shared<Graph>(plain.names(), plain.sources(), plain.targets(),
                                         std::vector<double>{weight});
    TrainOptions options = options_of({PointStorage::half_space, 2, 1, 1, 1});
    options.negatives = 4;
    options.lr = lr;
    Trainer trainer(graph, options);
    trainer.advance(1);
    return trainer.embedding().coordinates().values();
  };
  EXPECT_EQ(moved(0.5, 2), moved(1, 1));
  EXPECT_NE(moved(0.5, 2), moved(1, 2));
}

TEST(Trainer, ANodeWithoutNegativesIsNoTrouble) {
  // node 0 has edges to all others
  auto graph = std::make_shared<Graph>(graph_of(3, {{0, 1}, {0, 2}, {1, 2}}));
  TrainOptions options = options_of({PointStorage::xmc_half_space, 2, 2, 1, 1});
  options.epochs = 50;
  Trainer trainer(graph, options);
  while (!trainer.done()) trainer.advance(1);
  EXPECT_TRUE(std::isfinite(trainer.last_epoch().loss));
  EXPECT_EQ(trainer.last_epoch().stayed, 0);
}

TEST(Trainer, RefusesWhatMakesNoSense) {
  auto graph = std::make_shared<Graph>(graph_of(3, {{0, 1}}));
  TrainOptions options;
  options.lr = -1;
  EXPECT_EQ(message_of<DomainError>([&] { Trainer(graph, options); }),
            "training: lr -1 makes no sense");
  options = {};
  options.batch = 0;
  EXPECT_THROW(Trainer(graph, options), DomainError);
  options = {};
  options.beta1 = 1;
  EXPECT_EQ(message_of<DomainError>([&] { Trainer(graph, options); }),
            "training: beta1 1 makes no sense");
  EXPECT_EQ(message_of<DomainError>([&] { optimizer_from("adam"); }),
            "there is no optimizer 'adam'; there are rsgd, radam");
  options = {};
  options.space = {PointStorage::lorentz, 2, 3, 1, 1};
  EXPECT_EQ(message_of<DomainError>([&] { Trainer(graph, options); }),
            "training: not in the space lorentz, 2 dimensions, 3 components");
  options.space = {PointStorage::mc_half_space, 2, 2, 1, 1};
  options.dtype = Dtype::float32;
  EXPECT_EQ(message_of<DomainError>([&] { Trainer(graph, options); }),
            "training: not in the space mc-half-space, 2 dimensions, 2 components in float32; in "
            "it there are ball, lorentz, half-space, l-tiling and h-tiling with one component, "
            "and xmc-half-space with one or two");
  EXPECT_EQ(message_of<DomainError>([&] { dtype_from("float16"); }),
            "training has no dtype 'float16'; there are float64, float32");
  EXPECT_EQ(message_of<DomainError>(
                [&] { Trainer(std::make_shared<Graph>(graph_of(3, {})), TrainOptions()); }),
            "training: a graph without edges");
  EXPECT_EQ(message_of<DomainError>([] { Trainer(nullptr, TrainOptions()); }),
            "training: no graph given, but a null pointer");
}

TEST(Trainer, ARadiusThatGrowsBeyondAllNumbersEndsTheTraining) {
  auto graph =
      std::make_shared<Graph>(transitive_closure(graph_of(5, {{0, 1}, {2, 1}, {3, 0}, {4, 0}})));
  TrainOptions options = options_of({PointStorage::xmc_half_space, 2, 2, 1, 1});
  options.init = 1e-4;
  options.lr = 3.2;
  options.burn_in = 10;
  options.longest_step = 1;
  options.radius_lr = 1e4;
  Trainer trainer(graph, options);
  const std::string message = message_of<DomainError>([&] {
    while (!trainer.done()) trainer.advance(1);
  });
  EXPECT_NE(message.find("training: the radius became "), std::string::npos) << message;
  EXPECT_NE(message.find(": the rate 10000 of its logarithm is too large "
                         "(TrainOptions::radius_lr, --learn-radius)"),
            std::string::npos)
      << message;
  EXPECT_LT(trainer.epochs(), 100);
}

}  // namespace
}  // namespace mct::embed
