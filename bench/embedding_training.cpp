// Edges per second of training: WordNet's nouns where they are installed, and a random hierarchy of
// 15,000 nodes and 100,000 edges.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/graph/wordnet.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::bench {
namespace {

using embed::Graph;
using embed::TrainOptions;
using geometry::PointStorage;

/// Each node below one of those before it, and more edges to others of these.
std::shared_ptr<const Graph> random_hierarchy() {
  constexpr int nodes = 15'000, edges = 100'000;
  auto names = std::make_shared<embed::NameTable>();
  for (int v = 0; v < nodes; ++v) names->enter(std::to_string(v));
  std::mt19937 random(2);
  std::set<std::pair<std::int32_t, std::int32_t>> all;
  for (int v = 1; v < nodes; ++v) all.emplace(v, int(random() % unsigned(v)));
  while (int(all.size()) < edges) {
    const int v = 1 + int(random() % (nodes - 1));
    all.emplace(v, int(random() % unsigned(v)));
  }
  std::vector<std::int32_t> sources, targets;
  for (const auto& [source, target] : all) {
    sources.push_back(source);
    targets.push_back(target);
  }
  return std::make_shared<const Graph>(names, sources, targets);
}
const std::shared_ptr<const Graph>& hierarchy() {
  static const auto graph = random_hierarchy();
  return graph;
}
const std::shared_ptr<const Graph>& nouns() {
  static const auto graph = std::make_shared<const Graph>(
      embed::read_wordnet(embed::debian_wordnet, embed::wordnet_subset_from("nouns")));
  return graph;
}

/// So many batches at a time, from a beginning after which points are no longer next to each other.
void train(benchmark::State& state, const std::shared_ptr<const Graph>& graph,
           const TrainOptions& options, int threads, std::int64_t batches) {
  const int before = num_threads();
  set_num_threads(std::min(threads, max_num_threads()));
  embed::Trainer trainer(graph, options);
  for (std::int64_t done = 0; done < 400; done += batches) trainer.advance(batches);
  for (auto _ : state) trainer.advance(batches);
  set_num_threads(before);
}

void enter(std::vector<Case>& cases, const std::string& list,
           const std::shared_ptr<const Graph>& (*graph)(), const embed::EmbeddingSpace& space,
           std::int64_t batch, int negatives) {
  TrainOptions options;
  options.space = space;
  options.batch = batch;
  options.negatives = negatives;
  options.lr = 0.05 * double(batch);
  options.longest_step = 1;
  options.burn_in = 0;
  options.init = 0.1;
  options.epochs = 1'000'000;
  constexpr std::int64_t batches = 100;
  for (const int threads : {1, 2}) {
    Case& c = enter_items(
        cases, "embed/train " + list,
        std::string(embed::name_of(space.storage)) + " x" + std::to_string(space.components) +
            ", " + std::to_string(space.dimensions) + "-D",
        threads == 1 ? "ours, 1 thread" : "ours, 2 threads", double(batches * batch),
        [=](benchmark::State& state) { train(state, graph(), options, threads, batches); });
    c.real_time = true;
  }
}

}  // namespace

void add_embedding_training(std::vector<Case>& cases) {
  using enum PointStorage;
  enter(cases, "hierarchy", hierarchy, {xmc_half_space, 2, 2, 1, 1}, 512, 10);
  if (!std::filesystem::exists(std::filesystem::path(embed::debian_wordnet) / "data.noun")) return;
  for (const embed::EmbeddingSpace& space :
       std::vector<embed::EmbeddingSpace>{{half_space, 2, 1, 1, 1},
                                          {xmc_half_space, 2, 2, 1, 1},
                                          {xmc_half_space, 2, 3, 1, 1},
                                          {mc_half_space, 2, 2, 1, 1},
                                          {ball, 2, 1, 1, 1},
                                          {lorentz, 2, 1, 1, 1},
                                          {h_tiling, 2, 1, 1, 1},
                                          {l_tiling, 2, 1, 1, 1},
                                          {half_space, 10, 1, 1, 1},
                                          {xmc_half_space, 10, 2, 1, 1},
                                          {ball, 10, 1, 1, 1},
                                          {lorentz, 10, 1, 1, 1},
                                          {h_tiling, 10, 1, 1, 1}})
    enter(cases, "nouns", nouns, space, 128, 50);
}

}  // namespace mct::bench
