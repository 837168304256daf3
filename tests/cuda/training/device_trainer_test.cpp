// device_trainer on a simulated GPU: bit for bit the Trainer of the CPU, and its files.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <random>

#include "cuda/embed/training_launch.hpp"
#include "mctensor/base/input_file.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/error.hpp"
#include "tests/cuda/simulator/device.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::cuda::device_training {

using embed::Graph;
using embed::Optimizer;
using embed::Trainer;
using embed::TrainOptions;
using geometry::PointStorage;
using SharedGraph = std::shared_ptr<const Graph>;

/// Node 0 has an edge to every other one, and so no negatives; node 1 to most, and so few.
SharedGraph small_graph(bool weighted) {
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
  return std::make_shared<const Graph>(std::move(names), std::move(sources), std::move(targets),
                                       std::move(weights));
}

TrainOptions options_of(PointStorage model, int dimensions, int components, Optimizer optimizer) {
  TrainOptions options;
  options.space.storage = model;
  options.space.dimensions = dimensions;
  options.space.components = components;
  options.optimizer = optimizer;
  options.space.radius = 1.5;
  options.lr = 0.3;
  options.batch = 33;  // 113 edges: the last batch has 14
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
      << what << ": " << got << ", the CPU has " << want;
}

void expect_same_points(const Trainer& got, const Trainer& want) {
  const auto a = got.embedding();
  const auto b = want.embedding();
  ASSERT_EQ(a.coordinates().shape(), b.coordinates().shape());
  for (std::int64_t i = 0; i < a.coordinates().numel(); ++i)
    expect_bits(a.coordinates().data()[i], b.coordinates().data()[i],
                "coordinate " + std::to_string(i));
}

void expect_same_training(const SharedGraph& graph, const TrainOptions& options) {
  simulated_how() = {3};
  Trainer host(graph, options);
  Trainer device = device_trainer(graph, options);
  expect_same_points(device, host);
  while (!host.done() && !::testing::Test::HasFailure()) {
    EXPECT_EQ(device.advance(3), host.advance(3));
    EXPECT_EQ(device.batches(), host.batches());
    EXPECT_EQ(device.epochs(), host.epochs());
    expect_bits(device.last_epoch().loss, host.last_epoch().loss, "loss");
    expect_bits(device.radius(), host.radius(), "radius");
    EXPECT_EQ(device.last_epoch().stayed, host.last_epoch().stayed);
    EXPECT_EQ(device.last_epoch().examples, host.last_epoch().examples);
    expect_same_points(device, host);
  }
  EXPECT_TRUE(device.done());
}

TEST(DeviceTrainer, HalfSpaceByRadam) {
  expect_same_training(small_graph(true),
                       options_of(PointStorage::xmc_half_space, 2, 2, Optimizer::radam));
}
TEST(DeviceTrainer, ThreeComponentsByDescent) {
  auto options = options_of(PointStorage::xmc_half_space, 2, 3, Optimizer::rsgd);
  options.epochs = 2;
  expect_same_training(small_graph(false), options);
}
TEST(DeviceTrainer, LongHeightsByRadam) {
  auto options = options_of(PointStorage::mc_half_space, 2, 2, Optimizer::radam);
  options.epochs = 2;
  options.longest_step = 0.1;
  expect_same_training(small_graph(false), options);
}
TEST(DeviceTrainer, BallByDescent) {
  auto options = options_of(PointStorage::ball, 2, 1, Optimizer::rsgd);
  options.longest_step = 0.05;
  options.lr = 1e300;  // some rows would leave the numbers, and stay
  expect_same_training(small_graph(false), options);
}
/// Every space that a device has, by turns with either optimizer.
TEST(DeviceTrainer, EverySpace) {
  bool is_adaptive = true;
  for (const TrainingSpace& space : training_spaces) {
    const bool is_plain = space.storage == PointStorage::xmc_half_space && space.components == 1;
    const PointStorage model = is_plain ? PointStorage::half_space : space.storage;
    auto options = options_of(model, space.dimensions, space.components,
                              is_adaptive ? Optimizer::radam : Optimizer::rsgd);
    options.epochs = 1;
    options.negatives = 7;  // as many others as threads
    SCOPED_TRACE(options.space.text());
    expect_same_training(small_graph(false), options);
    is_adaptive = !is_adaptive;
  }
}
TEST(DeviceTrainer, LorentzByDescent) {
  expect_same_training(small_graph(false),
                       options_of(PointStorage::lorentz, 2, 1, Optimizer::rsgd));
}

/// The CPU adds a batch's derivatives by the radius and takes its step.
TEST(DeviceTrainer, TheRadiusIsLearned) {
  for (const auto optimizer : {Optimizer::radam, Optimizer::rsgd}) {
    auto options = options_of(PointStorage::xmc_half_space, 2, 2, optimizer);
    options.radius_lr = 0.05;
    options.epochs = 2;
    expect_same_training(small_graph(true), options);
    Trainer device = device_trainer(small_graph(true), options);
    device.advance(1000);
    EXPECT_GT(std::fabs(device.radius() - 1.5), 1e-3);
  }
}

std::string file_of(const Trainer& trainer, const std::filesystem::path& path) {
  trainer.save(path);
  const InputFile file(path);
  return std::string(file.content());
}

/// Stops within an epoch and goes on elsewhere.
TEST(DeviceTrainer, FilesAreThoseOfTheCpu) {
  const testing::TemporaryDirectory directory;
  const auto graph = small_graph(false);
  auto options = options_of(PointStorage::xmc_half_space, 2, 2, Optimizer::radam);
  options.radius_lr = 0.01;
  Trainer host(graph, options);
  Trainer device = device_trainer(graph, options);
  for (const std::int64_t batches : {4, 2})
    EXPECT_EQ(device.advance(batches), host.advance(batches));
  const std::string half_way = file_of(device, directory / "device");
  EXPECT_EQ(half_way, file_of(host, directory / "host"));

  Trainer after_device(graph, options);
  after_device.load(directory / "device");
  host.advance(2);
  device.advance(1);  // what it goes back from
  device.load(directory / "host");
  EXPECT_EQ(file_of(device, directory / "again"), half_way);
  device.advance(2);
  after_device.advance(2);
  const std::string end = file_of(host, directory / "end");
  EXPECT_NE(end, half_way);
  EXPECT_EQ(file_of(device, directory / "end_device"), end);
  EXPECT_EQ(file_of(after_device, directory / "end_after"), end);
}

TEST(DeviceTrainer, OptionsOfTheCpuAloneAreRefused) {
  const auto refusal = [&](auto change) {
    auto options = options_of(PointStorage::lorentz, 2, 1, Optimizer::rsgd);
    change(options);
    return testing::message_of<DomainError>([&] { device_trainer(small_graph(false), options); });
  };
  EXPECT_EQ(refusal([](auto& o) { o.space.storage = PointStorage::h_tiling; }),
            "training on a device: model h-tiling; there is ball, lorentz, half-space, "
            "xmc-half-space, mc-half-space");
  EXPECT_EQ(refusal([](auto& o) { o.dtype = embed::Dtype::float32; }),
            "training on a device: dtype float32; there is float64");
  EXPECT_EQ(refusal([](auto& o) { o.space.components = 2; }),
            "training on a device: components 2 of lorentz; there is 1");
  EXPECT_EQ(refusal([](auto& o) { o.space.dimensions = 4; }),
            "training on a device: dimensions 4 of lorentz in 1 components; there is 2, 5, 10");
  EXPECT_EQ(refusal([](auto& o) { o.space.factors = 2; }),
            "training on a device: factors 2; there is 1");
  EXPECT_EQ(refusal([](auto& o) { o.negatives = 64; }),
            "training on a device: negatives 64; there is room for 63");
  EXPECT_NE(refusal([](auto& o) { o.batch = 0; }).find("batch"), std::string::npos);
}

#if !MCT_ON_DEVICE  // what a device is asked for, and what a fault leads to
TEST(DeviceTrainer, PointsComeBackWhenTheyAreAskedFor) {
  const auto options = options_of(PointStorage::lorentz, 2, 1, Optimizer::rsgd);
  Trainer device = device_trainer(small_graph(false), options);
  device.advance(2);
  take_simulated_log();
  static_cast<void>(device.embedding());
  EXPECT_EQ(take_simulated_log().size(), 2u);  // a copy, and a wait for it
  static_cast<void>(device.embedding());
  EXPECT_TRUE(take_simulated_log().empty());
}

TEST(DeviceTrainer, AStepIsOneGraph) {
  auto options = options_of(PointStorage::lorentz, 2, 1, Optimizer::rsgd);
  options.batch = 1000;
  take_simulated_log();
  const auto count = [](const auto& log, const char* what) {
    return std::count_if(log.begin(), log.end(),
                         [&](const auto& line) { return line.starts_with(what); });
  };
  Trainer device = device_trainer(small_graph(false), options);
  EXPECT_EQ(count(take_simulated_log(), "launch"), 0);
  device.advance(1);
  const auto log = take_simulated_log();
  EXPECT_EQ(count(log, "graph"), 1);
  // draw, sort, a merge of 113 32 keys, gradients, move, end
  EXPECT_EQ(count(log, "launch"), 6);
}

/// The first program of a step, and the only barrier in it.
TEST(DeviceTrainer, ADroppedBarrierIsFound) {
  const auto options = options_of(PointStorage::lorentz, 2, 1, Optimizer::rsgd);
  Trainer device = device_trainer(small_graph(false), options);
  simulated_how() = {1, TensorCore::rounded, Faults::without_barrier(0)};
  const auto message = testing::message_of<SimulationError>([&] { device.advance(4); });
  EXPECT_NE(message.find("race"), std::string::npos) << message;
  simulated_how() = {};
}

#endif

}  // namespace mct::cuda::device_training
