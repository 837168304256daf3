// Training by several ranks: the same bits as by one.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "mctensor/embed/train.hpp"
#include "mctensor/error.hpp"
#include "tests/distributed/ranks_in_threads.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed::train_together_cases {
namespace {

using testing::graph_of;
using testing::message_of;
using testing::on_ranks;
using testing::TemporaryDirectory;
using Ranks = std::shared_ptr<distributed::Communicator>;

std::shared_ptr<const Graph> tree(int nodes) {
  testing::Edges edges;
  for (int child = 1; child < nodes; ++child) edges.emplace_back(child, (child - 1) / 3);
  return std::make_shared<const Graph>(graph_of(nodes, edges));
}

struct Trained {
  EmbeddingSpace space;
  Dtype dtype = Dtype::float64;
};

TrainOptions options_of(const Trained& trained) {
  TrainOptions options;
  options.space = trained.space;
  options.dtype = trained.dtype;
  options.batch = 40;
  options.lr = 4;
  options.negatives = 11;
  options.epochs = 5;
  options.burn_in = 2;
  options.radius_lr = 1e-2;
  return options;
}

struct Outcome {
  std::vector<double> points;
  double loss, radius;
  std::int64_t stayed;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(Trainer& trainer) {
  while (!trainer.done()) trainer.advance(3);
  trainer.collect();
  return {trainer.embedding().coordinates().values(), trainer.last_epoch().loss, trainer.radius(),
          trainer.last_epoch().stayed};
}

class Together : public ::testing::TestWithParam<Trained> {};

TEST_P(Together, AnyNumberOfRanksHasTheSameBits) {
  const auto graph = tree(130);
  const TrainOptions options = options_of(GetParam());
  Trainer alone(graph, options);
  const Outcome expected = outcome_of(alone);
  // 41: more than a batch has edges
  for (const int count : {1, 2, 3, 41})
    on_ranks(count, [&](const Ranks& ranks) {
      Trainer trainer(graph, options, ranks);
      EXPECT_EQ(outcome_of(trainer), expected) << "rank " << ranks->rank() << " of " << count;
    });
}

TEST_P(Together, AnyNumberOfRanksGoesOn) {
  const TemporaryDirectory directory;
  const auto file = directory / "state.safetensors";
  const auto graph = tree(70);
  TrainOptions options = options_of(GetParam());
  options.optimizer = Optimizer::radam;  // which has more to go on from
  options.lr = 0.1;
  Trainer alone(graph, options);
  const Outcome expected = outcome_of(alone);
  on_ranks(3, [&](const Ranks& ranks) {
    Trainer trainer(graph, options, ranks);
    for (int i = 0; i < 3; ++i) trainer.advance(1);
    trainer.collect();
    if (ranks->rank() == 0) trainer.save(file);
  });
  on_ranks(2, [&](const Ranks& ranks) {
    Trainer trainer(graph, options, ranks);
    trainer.load(file);
    EXPECT_EQ(trainer.batches(), 1);
    EXPECT_EQ(outcome_of(trainer), expected);
  });
}

std::vector<Trained> spaces() {
  std::vector<Trained> all;
  const auto add = [&](PointStorage model, int components, int factors,
                       Dtype dtype = Dtype::float64) {
    EmbeddingSpace space;
    space.storage = model;
    space.dimensions = 2;
    space.components = components;
    space.factors = factors;
    all.push_back({space, dtype});
  };
  add(PointStorage::ball, 1, 1);
  add(PointStorage::lorentz, 2, 1);
  add(PointStorage::half_space, 1, 2);
  add(PointStorage::mc_half_space, 2, 1);
  add(PointStorage::l_tiling, 1, 1);
  add(PointStorage::h_tiling, 1, 1);
  add(PointStorage::half_space, 1, 1, Dtype::float32);
  add(PointStorage::l_tiling, 1, 2, Dtype::float32);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Some, Together, ::testing::ValuesIn(spaces()), [](const auto& of) {
  return std::string(name_of(of.param.space.storage)).substr(0, 1) + std::to_string(of.index);
});

TEST(TrainTogether, RefusesRanksThatDiffer) {
  const auto refusal = [&](const std::string& what, const auto& change) {
    const auto graph = tree(40);
    const auto other = tree(41);
    EXPECT_NE(message_of<DomainError>([&] {
                on_ranks(3, [&](const Ranks& ranks) {
                  TrainOptions options = options_of(spaces()[0]);
                  auto trained = graph;
                  if (ranks->rank() == 1) change(options, trained, other);
                  Trainer trainer(trained, options, ranks);
                });
              }).find(what),
              std::string::npos);
  };
  refusal("epochs is 6 on rank 1 and 5 on rank 0",
          [](auto& options, auto&, const auto&) { options.epochs = 6; });
  refusal("dtype is float32 on rank 1 and float64 on rank 0",
          [](auto& options, auto&, const auto&) { options.dtype = Dtype::float32; });
  refusal("seed is 8 on rank 1", [](auto& options, auto&, const auto&) { options.seed = 8; });
  refusal("graph is ", [](auto&, auto& graph, const auto& other) { graph = other; });
}

}  // namespace
}  // namespace mct::embed::train_together_cases
