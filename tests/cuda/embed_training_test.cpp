// Training of embeddings on a simulated GPU: bit for bit the Trainer's of the library.
#include "cuda/embed/training.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>

#include "src/embed/kernels/step_kernels.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/embed/graphs.hpp"
#include "tests/message_of.hpp"

namespace mct::cuda {

using HalfSpaceLong = kernels::HalfSpacePlace<2, 2, false, double>;
using BallPlane = kernels::BallPlace<1, 2, double>;
using BallWide = kernels::BallPlace<2, 10, double>;
using LorentzPlane = kernels::LorentzPlace<1, 3, double>;

MCT_SIMULATE_PROGRAM(DrawExamples)
MCT_SIMULATE_PROGRAM(SortTiles)
MCT_SIMULATE_PROGRAM(MergeRuns)
MCT_SIMULATE_PROGRAM(EndBatch)
#define MCT_SIMULATE_TRAINING(adaptive, ...)             \
  MCT_SIMULATE_PROGRAM(ExampleGradients<__VA_ARGS__, 8>) \
  MCT_SIMULATE_PROGRAM(MoveRows<__VA_ARGS__, adaptive>)
MCT_SIMULATE_TRAINING(true, HalfSpaceLong)
MCT_SIMULATE_TRAINING(false, BallPlane)
MCT_SIMULATE_TRAINING(true, BallWide)
MCT_SIMULATE_TRAINING(false, LorentzPlane)

namespace embed_training {

using embed::Graph;
using embed::Model;
using embed::Optimizer;
using embed::TrainOptions;

/// Node 0 has an edge to every other one, and so no negatives; node 1 to most, and so few.
Graph small_graph(bool weighted) {
  const std::int32_t nodes = 40;
  std::mt19937 random(1);
  std::vector<std::int32_t> sources, targets;
  std::vector<double> weights;
  const auto add = [&](std::int32_t from, std::int32_t to) {
    sources.push_back(from);
    targets.push_back(to);
    if (weighted) weights.push_back(0.25 + double(sources.size() % 3));
  };
  for (std::int32_t v = 1; v < nodes; ++v) {
    add(0, v);
    if (v > 4) add(1, v);
    add(v, std::int32_t(random() % std::uint32_t(v)));
  }
  auto names = std::make_shared<embed::NameTable>();
  for (int v = 0; v < nodes; ++v) names->enter(std::to_string(v));
  return {std::move(names), std::move(sources), std::move(targets), std::move(weights)};
}

TrainOptions options_of(Model model, int dimensions, int components, Optimizer optimizer) {
  TrainOptions options;
  options.space.model = model;
  options.space.dimensions = dimensions;
  options.space.components = components;
  options.optimizer = optimizer;
  options.space.radius = 1.5;
  options.lr = 0.3;
  options.batch = 33;  // 78 edges: the last batch has 12
  options.negatives = 30;
  options.epochs = 3;
  options.burn_in = 1;
  options.burn_in_factor = 0.5;
  options.init = 0.2;
  options.seed = 0x123456789abcdef;
  return options;
}

void expect_bits(double got, double want, const std::string& what) {
  ASSERT_EQ(std::bit_cast<std::uint64_t>(got), std::bit_cast<std::uint64_t>(want))
      << what << ": " << got << ", the library has " << want;
}

/// The points of a device are those of a Trainer.
void expect_points(const std::vector<double>& points, const embed::Embedding& embedding) {
  const auto& planes = embedding.coordinates();  // [components, rows, columns]
  const Model model = embedding.space().model;
  const bool in_units = model == Model::poincare || model == Model::lorentz;
  const double unit = in_units ? embedding.space().radius : 1;
  ASSERT_EQ(std::int64_t(points.size()), planes.numel());
  std::size_t at = 0;
  for (std::int64_t row = 0; row < planes.size(1); ++row)
    for (std::int64_t k = 0; k < planes.size(0); ++k)
      for (std::int64_t c = 0; c < planes.size(2); ++c)
        expect_bits(unit * points[at++],
                    planes.data()[(k * planes.size(1) + row) * planes.size(2) + c],
                    "row " + std::to_string(row) + ", coordinate " + std::to_string(c));
}

template <class Place, bool adaptive>
void expect_same_training(const Graph& graph, const TrainOptions& options) {
  simulated_how() = {3};
  embed::Trainer trainer(std::make_shared<const Graph>(graph), options);
  DeviceTraining<Place, adaptive> training(StreamQueue(Stream()), graph, options);
  for (std::int64_t epoch = 0; epoch < options.epochs; ++epoch) {
    ASSERT_TRUE(trainer.advance(trainer.batches_in_epoch()));
    const auto report = training.run_epoch(epoch);
    expect_bits(report.loss, trainer.last_epoch().loss, "loss");
    EXPECT_EQ(report.stayed, trainer.last_epoch().stayed);
    expect_points(training.points(), trainer.embedding());
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(CudaTraining, HalfSpaceByRadamIsTheTrainers) {
  expect_same_training<HalfSpaceLong, true>(
      small_graph(true), options_of(Model::xmc_half_space, 2, 2, Optimizer::radam));
}
TEST(CudaTraining, BallByDescentIsTheTrainers) {
  auto options = options_of(Model::poincare, 2, 1, Optimizer::rsgd);
  options.longest_step = 0.05;
  options.lr = 1e300;  // some rows would leave the numbers, and stay
  expect_same_training<BallPlane, false>(small_graph(false), options);
}
TEST(CudaTraining, WideBallByRadamIsTheTrainers) {
  auto options = options_of(Model::poincare, 10, 2, Optimizer::radam);
  options.epochs = 1;
  options.negatives = 7;  // as many others as threads
  expect_same_training<BallWide, true>(small_graph(false), options);
}
TEST(CudaTraining, LorentzByDescentIsTheTrainers) {
  expect_same_training<LorentzPlane, false>(small_graph(false),
                                            options_of(Model::lorentz, 2, 1, Optimizer::rsgd));
}

TEST(CudaTraining, AStepIsOneGraph) {
  auto options = options_of(Model::lorentz, 2, 1, Optimizer::rsgd);
  options.batch = 1000;
  const Graph graph = small_graph(false);
  take_simulated_log();
  DeviceTraining<LorentzPlane, false> training(StreamQueue(Stream()), graph, options);
  for (const auto& line : take_simulated_log()) EXPECT_EQ(line.find("launch"), line.npos) << line;
  training.run_epoch(0);
  const auto log = take_simulated_log();
  EXPECT_EQ(std::count_if(log.begin(), log.end(),
                          [](const auto& line) { return line.starts_with("graph"); }),
            1);
  // draw, sort, two merges of 113 32 keys, gradients, move, end
  EXPECT_EQ(std::count_if(log.begin(), log.end(),
                          [](const auto& line) { return line.starts_with("launch"); }),
            6);
}

TEST(CudaTraining, OptionsForTheCpuAloneAreRefused) {
  const Graph graph = small_graph(false);
  const auto refusal = [&](auto change) {
    auto options = options_of(Model::lorentz, 2, 1, Optimizer::rsgd);
    change(options);
    return testing::message_of<DomainError>(
        [&] { DeviceTraining<LorentzPlane, false>(StreamQueue(Stream()), graph, options); });
  };
  EXPECT_NE(refusal([](auto& o) { o.radius_lr = 1; }).find("learned"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.negatives = 64; }).find("negatives"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.space.factors = 2; }).find("space"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.optimizer = Optimizer::radam; }).find("optimizer"),
            std::string::npos);
}

/// The sorted keys of rows, with a fault in the first program or none.
std::vector<RowKey> sorted(const std::vector<std::int32_t>& rows, const Faults& faults = {}) {
  const auto count = std::int64_t(rows.size());
  std::vector<RowKey> keys(rows.size());
  std::vector<RowKey> other(rows.size());
  GlobalMemory memory;
  memory.add(rows).add_output(keys).add_output(other);
  simulate(SortTiles{rows.data(), count, keys.data()}, blocks_for(count, SortTiles::tile), memory,
           {1, TensorCore::rounded, faults});
  for (std::int64_t run = SortTiles::tile; run < count; run *= MergeRuns::ways) {
    simulate(MergeRuns{keys.data(), other.data(), std::uint32_t(count), std::uint32_t(run)},
             blocks_for(count, MergeRuns::threads), memory);
    keys.swap(other);
  }
  return keys;
}

std::vector<std::int32_t> random_rows(std::size_t count) {
  std::mt19937 random(2);
  std::vector<std::int32_t> rows(count);
  for (auto& row : rows) row = std::int32_t(random() % 50) - 1;
  return rows;
}

TEST(CudaTraining, RowsAreSorted) {
  const auto rows = random_rows(5 * SortTiles::tile + 3);  // two merges, the last of two runs
  std::vector<RowKey> keys;
  for (std::size_t i = 0; i < rows.size(); ++i) keys.push_back(row_key(rows[i], std::int64_t(i)));
  std::sort(keys.begin(), keys.end());
  EXPECT_EQ(sorted(rows), keys);
  EXPECT_EQ(row_of(keys.front()), 0);
  EXPECT_EQ(row_of(keys.back()), -1);
}

/// Rows with gradients that are ordinary, zero, large, and no numbers.
template <class InLanes, class Place, bool adaptive>
void expect_same_steps(std::vector<double> points) {
  constexpr int n = coordinates_in<Place>;
  constexpr std::int64_t count = 150;
  const auto table_rows = std::int64_t(points.size()) / numbers_in<Place>;
  std::vector<std::int32_t> rows(count);
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = std::int32_t(table_rows) - 1 - std::int32_t(i);
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::vector<double> vectors(std::size_t(count * n));
  for (double& v : vectors) v = normal(random);
  for (std::size_t i = 0; i < 4; ++i) {
    vectors[40 + i] = std::vector<double>{0, 1e200, 1e300, NAN}[i];
    vectors[std::size_t(count) + 40 + i] = i == 0 ? 0 : 1;
  }
  std::vector<double> moments(std::size_t(table_rows * (n + embed_detail::Moments::more)));
  for (double& m : moments) m = std::fabs(normal(random));
  embed_detail::Steps steps{count, rows.data(), vectors.data(), count, -0.1, 2.5, {}};
  auto host_points = points;
  auto host_moments = moments;
  if (adaptive) steps.moments = {host_moments.data(), 0.9, 0.99, 1e-8};
  const std::int64_t moved = kernels::example_step<InLanes>(
      {host_points.data(), dimensions_in<Place>, numbers_in<Place>, 1}, steps);
  EXPECT_LT(moved, count);
  if (adaptive) steps.moments.data = moments.data();
  std::vector<std::int32_t> flags(count);
  GlobalMemory memory;
  memory.add(std::as_const(rows)).add(std::as_const(vectors)).add(points).add(moments);
  memory.add_output(flags);
  using Program = StepRows<Place, adaptive>;
  simulate(Program{points.data(), steps, flags.data()}, blocks_for(count, Program::threads), memory,
           {4});
  EXPECT_EQ(std::count(flags.begin(), flags.end(), 1), moved);
  for (std::size_t i = 0; i < points.size(); ++i) expect_bits(points[i], host_points[i], "points");
  for (std::size_t i = 0; i < moments.size(); ++i)
    expect_bits(moments[i], host_moments[i], "moments");
}

std::vector<double> points_near(Model model, int dimensions, int components) {
  embed::EmbeddingSpace space;
  space.model = model;
  space.dimensions = dimensions;
  space.components = components;
  const auto points = embed::initial_points(space, 170, 0.25, 9);
  return {points.data(), points.data() + points.numel()};
}

TEST(CudaTraining, StepsOfRowsAreTheLibrarys) {
  using namespace kernels;
  expect_same_steps<HalfSpacePlace<2, 2, false>, HalfSpaceLong, true>(
      points_near(Model::xmc_half_space, 2, 2));
  expect_same_steps<BallPlace<1, 2>, BallPlane, false>(points_near(Model::poincare, 2, 1));
  expect_same_steps<LorentzPlace<1, 3>, LorentzPlane, true>(points_near(Model::lorentz, 2, 1));
}

template <class Run>
std::string error_without_barrier(int site, const Run& run) {
  return testing::message_of<SimulationError>([&] { run(Faults::without_barrier(site)); });
}

TEST(CudaTraining, DroppedBarriersAreFound) {
  const auto rows = random_rows(SortTiles::tile);
  for (const int site : {0, 1})
    EXPECT_NE(error_without_barrier(site, [&](const Faults& f) { sorted(rows, f); }), "") << site;

  const std::vector<double> losses(300, 1.0);
  const std::vector<std::int32_t> stayed(300, 1);
  const auto end = [&](const Faults& faults) {
    TrainingState state;
    state.edges = state.batch = 300;
    std::vector<TrainingState> states = {state};
    GlobalMemory memory;
    memory.add(states).add(losses).add(stayed);
    simulate(EndBatch{states.data(), losses.data(), stayed.data(), 300}, {1}, memory,
             {1, TensorCore::rounded, faults});
    EXPECT_EQ(states[0].stayed, 300);
    EXPECT_EQ(states[0].loss_sum, 300);
    EXPECT_EQ(states[0].number, 1);
  };
  end({});
  for (const int site : {0, 1}) EXPECT_NE(error_without_barrier(site, end), "") << site;

  // the first program of a step, and the only barrier in it
  simulated_how() = {1, TensorCore::rounded, Faults::without_barrier(0)};
  const auto options = options_of(Model::lorentz, 2, 1, Optimizer::rsgd);
  DeviceTraining<LorentzPlane, false> training(StreamQueue(Stream()), small_graph(false), options);
  const auto message = testing::message_of<SimulationError>([&] { training.run_epoch(1); });
  EXPECT_NE(message.find("race"), std::string::npos) << message;
  simulated_how() = {};
}

}  // namespace embed_training
}  // namespace mct::cuda
