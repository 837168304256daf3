// Pairs per second of the evaluation of embeddings: nodes ranked against all points, on one thread,
// beside the same distances with their arcosh.
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::bench {
namespace {

constexpr std::int64_t nodes = 20000;
constexpr std::size_t ranked = 256;

embed::HalfSpacePoints random_points(int components, int n, int factors) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  embed::HalfSpacePoints points;
  for (int f = 0; f < factors; ++f) {
    Tensor<double> planes({components, nodes, n});
    for (std::int64_t row = 0; row < nodes; ++row)
      for (int c = 0; c < n; ++c) {
        double* const x = planes.data() + row * n + c;
        *x = c + 1 < n ? normal(random) : std::exp(-3 * std::abs(normal(random)));
        for (int k = 1; k < components && c + 1 < n; ++k)
          x[k * nodes * n] = std::ldexp(normal(random), -55 * k);
      }
    points.factors.push_back(planes);
  }
  return points;
}

/// Ten edges from each of the nodes that are ranked, as many as nouns have ancestors.
embed::Graph random_edges() {
  auto names = std::make_shared<embed::NameTable>();
  for (std::int64_t v = 0; v < nodes; ++v) names->enter(std::to_string(v));
  std::mt19937 random(2);
  std::vector<std::int32_t> sources, targets;
  for (std::size_t v = 0; v < ranked; ++v)
    for (int k = 0; k < 10; ++k) {
      sources.push_back(std::int32_t(v));
      targets.push_back(std::int32_t(random() % nodes));
    }
  return {names, sources, targets};
}

/// The threads of a run: one, and those from before again.
class OneThread {
 public:
  OneThread() { set_num_threads(1); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;
  ~OneThread() { set_num_threads(before_); }

 private:
  int before_ = num_threads();
};

void enter(std::vector<Case>& cases, int components, int n, int factors) {
  // "5 x 2-D x2": five factors of two dimensions, two components
  const std::string type = (factors > 1 ? std::to_string(factors) + " x " : "") +
                           std::to_string(n) + "-D x" + std::to_string(components);
  enter_items(cases, "embed/rank", type, "ours", double(nodes) * double(ranked),
              [=](benchmark::State& state) {
                const OneThread one;
                const auto points = random_points(components, n, factors);
                const auto edges = random_edges();
                for (auto _ : state) benchmark::DoNotOptimize(evaluate(points, edges).mean_rank);
              });
  enter_items(cases, "embed/rank", type, "distances alone", double(nodes),
              [=](benchmark::State& state) {
                const OneThread one;
                const auto points = random_points(components, n, factors);
                for (auto _ : state) benchmark::DoNotOptimize(distances_from(points, 0).data());
              });
}

}  // namespace

void add_embedding(std::vector<Case>& cases) {
  enter(cases, 1, 2, 1);
  enter(cases, 2, 2, 1);
  enter(cases, 1, 10, 1);
  enter(cases, 2, 10, 1);
  enter(cases, 2, 2, 5);
}

}  // namespace mct::bench
