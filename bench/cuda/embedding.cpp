#include "bench/cuda/embedding.hpp"

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/device/all.hpp"
#include "mctensor/embed/device_train.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/geometry/device_optim.hpp"
#include "mctensor/geometry/tensors.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::bench {
namespace {

using namespace cuda;

template <int N>
void measure_points(Table& table, const char* name) {
  using Value = typename Tensor<double, N>::Value;
  constexpr std::int64_t count = std::int64_t(1) << 20, n = 10;
  const geometry::PoincareBall<Value> ball(Value(1.0));
  // of few different points, which take as long
  const auto some = to_device(random_normal(ball, {count, n}, 1));
  const auto others = to_device(random_normal(ball, {count, n}, 2));
  const auto row = [&](const char* operation, double arrays, const auto& start) {
    table.measure(default_stream(),
                  {std::string(operation) + " in the ball, " + name, "2^20 x 10", double(count),
                   "Tpoints/s", 0, arrays * double(count * n * N) * 8},
                  start);
  };
  row("dist", 2 + 1.0 / n, [&] { dist(ball, some, others); });
  row("logmap", 3, [&] { logmap(ball, some, others); });
}

void measure_optimizer(Table& table) {
  constexpr std::int64_t count = std::int64_t(1) << 20, n = 10;
  const geometry::PoincareBall<double> ball(1.0);
  Radam optimizer(ball, to_device(random_normal(ball, {count, n}, 1)), {.lr = 1e-3});
  const auto gradient = to_device(mct::randn<double>({count, n}, 2));
  table.measure(default_stream(),
                {"Radam in the ball, f64", "2^20 x 10", double(count), "Tpoints/s", 0,
                 double(count) * (5 * n * 8 + 4 * 8 + 4)},
                [&] { optimizer.step(gradient); });
}

/// Edges from every node to random ones.
std::shared_ptr<const embed::Graph> random_graph(std::int32_t nodes, int edges_of_node) {
  auto names = std::make_shared<embed::NameTable>();
  std::vector<std::int32_t> sources, targets;
  std::mt19937 random(1);
  for (std::int32_t v = 0; v < nodes; ++v) {
    names->enter(std::to_string(v));
    for (int i = 0; i < edges_of_node; ++i) {
      sources.push_back(v);
      targets.push_back(std::int32_t(random() % std::uint32_t(nodes)));
    }
  }
  return std::make_shared<const embed::Graph>(std::move(names), std::move(sources),
                                              std::move(targets));
}

/// What docs/cuda.md counts the cycles of: all launches of a step, and what the host does for it.
void measure_training(Table& table, const Device& device) {
  embed::TrainOptions options;
  options.optimizer = embed::Optimizer::radam;
  options.lr = 1e-3;
  options.batch = 4096;
  options.epochs = 1'000'000;
  options.burn_in = 0;
  auto trainer = device_trainer(random_graph(1 << 17, 32), options, default_stream());
  constexpr std::int64_t steps = 64;  // a sixteenth of an epoch
  const double edges = double(steps * options.batch);
  table.measure(default_stream(),
                {"training, half-plane f64x2, Radam", "64 x 4096 edges, 50 negatives", edges,
                 "Tedges/s", 3600 * edges / device.multiprocessors, 404 * 52 * edges},
                [&] { trainer.advance(steps); });
}

}  // namespace

void measure_geometry(Table& table, const Device& device) {
  measure_points<1>(table, "f64");
  measure_points<2>(table, "f64x2");
  measure_optimizer(table);
  measure_training(table, device);
}

}  // namespace mct::bench
