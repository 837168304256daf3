// Several relations among the same nodes, each with a light of its own.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/tensor/threads.hpp"
#include "src/embed/cone_relation.hpp"
#include "tests/embed/quick_cones.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"
#include "tests/temporary_directory.hpp"

namespace mct::embed {
namespace {

using namespace testing;

/// Nodes (kind, part): a binary tree of `kinds` kinds, each with the same parts, a binary tree
/// of 7. A node is below the node of a more general kind with the same part, and, by the other
/// relation, below the part that it is a part of, of the same kind.
Graph kinds_or_parts(int kinds, bool parts) {
  Edges edges;
  for (int kind = 0; kind < kinds; ++kind)
    for (int part = 0; part < 7; ++part)
      if (parts && part > 0) {
        edges.emplace_back(7 * kind + part, 7 * kind + (part - 1) / 2);
      } else if (!parts && kind > 0) {
        edges.emplace_back(7 * kind + part, 7 * ((kind - 1) / 2) + part);
      }
  return transitive_closure(graph_of(7 * kinds, edges));
}
std::vector<TrainedRelation> kinds_and_parts(const ConeSystem& cones, int kinds, double percent) {
  std::vector<TrainedRelation> relations;
  const auto lights = usual_lights(cones, 2);
  for (const bool parts : {false, true}) {
    const Graph closure = kinds_or_parts(kinds, parts);
    relations.push_back({parts ? "parts" : "kinds", split_edges(closure, {percent, 10, 10, 1}),
                         closure, lights[parts ? 1 : 0]});
  }
  return relations;
}
ConeTrainingOptions options_of(const ConeSystem& cones, int epochs) {
  ConeTrainingOptions options = quick(cones, epochs);
  options.optimizer = Optimizer::radam;
  options.lr = 0.02;
  options.gamma_1 = 0.01;
  return options;
}

const ConeSystem umbral_5d{ConeKind::umbral, PointStorage::half_space, 5, 1, 0.2};
const ConeSystem penumbral_5d{ConeKind::penumbral, PointStorage::half_space, 5, 1, 5};
const ConeSystem ball_5d{ConeKind::penumbral, PointStorage::ball, 5, 1, 0.2};

double f1_with(const std::vector<TrainedRelation>& relations, const ConeSystem& cones,
               std::size_t which, const std::vector<double>& light, const ConeTrainer& trainer) {
  ConeSystem lit = cones;
  lit.light = light;
  const TrainedRelation& r = relations[which];
  return classify(lit, trainer.points(), labelled_pairs(r.split.train, r.closure, 5, 1)).f1();
}

TEST(ConeRelations, EachIsLearnedInItsLight) {
  for (const ConeSystem& cones : {umbral_5d, penumbral_5d, ball_5d}) {
    const auto relations = kinds_and_parts(cones, 7, 80);
    ConeTrainer trainer(relations, options_of(cones, 100));
    run(trainer, 100);
    EXPECT_EQ(trainer.last_epoch().stayed, 0) << cones.text();
    for (const std::size_t i : {0U, 1U}) {
      const double own = f1_with(relations, cones, i, relations[i].light, trainer);
      const double other = f1_with(relations, cones, i, relations[1 - i].light, trainer);
      EXPECT_GT(own, 0.9) << cones.text() << i;
      EXPECT_LT(other, 0.1) << cones.text() << i;
    }
  }
}

/// The figure of one relation does not depend on where its light is, but for the beginning: all
/// points are near to the middle there.
TEST(ConeRelations, OneMovedLightLearnsAsWell) {
  const Graph closure = kinds_or_parts(7, false);
  const EdgeSplit split = split_edges(closure, {80, 10, 10, 1});
  for (ConeSystem cones : {umbral_5d, penumbral_5d}) {
    cones.light = {0.5, 0, -0.5, 0};
    ConeTrainer trainer(split, closure, options_of(cones, 100));
    run(trainer, 100);
    EXPECT_GT(classify(cones, trainer.points(), labelled_pairs(split.train, closure, 5, 1)).f1(),
              0.8)
        << cones.text();
    const ConeResult result = trainer.result();
    EXPECT_EQ(result.cones.light, cones.light);
    EXPECT_EQ(noted_cones(result.embedding), result.cones);
  }
}

TEST(ConeRelations, ResultsAreOfEachAndOfAll) {
  const auto relations = kinds_and_parts(umbral_5d, 15, 80);
  ConeTrainingOptions options = options_of(umbral_5d, 40);
  options.sizes = {0.2, 0.02, 0.5};
  ConeTrainer trainer(relations, options);
  run(trainer, 40);
  const ConeResult result = trainer.result();
  ASSERT_EQ(result.relations.size(), 2U);
  BinaryScores all;
  for (const std::size_t i : {0U, 1U}) {
    const RelationResult& found = result.relations[i];
    EXPECT_EQ(found.name, relations[i].name);
    EXPECT_EQ(found.cones.light, relations[i].light);
    ASSERT_GT(relations[i].split.test.edge_count(), 3U);
    EXPECT_EQ(found.test.positives(), relations[i].split.test.edge_count());
    // the trained size is among the others
    const LabelledPairs pairs =
        labelled_pairs(relations[i].split.validation, relations[i].closure, 10, options.seed);
    ConeSystem trained = umbral_5d;
    trained.light = relations[i].light;
    const auto points = result.embedding.coordinates().reshape(trainer.points().shape());
    EXPECT_GE(found.validation.f1(), classify(trained, points, pairs).f1());
    EXPECT_EQ(found.validation.f1(), classify(found.cones, points, pairs).f1());
    all += found.test;
  }
  EXPECT_EQ(result.test.f1(), all.f1());
  EXPECT_EQ(result.test.positives(), all.positives());
  EXPECT_GT(trainer.best_f1(), 0);

  // the file says which cones are of which relation
  const TemporaryDirectory directory;
  result.embedding.save(directory / "points");
  const Embedding read = Embedding::load(directory / "points");
  EXPECT_EQ(noted_relations(read), (std::vector<std::string>{"kinds", "parts"}));
  EXPECT_EQ(noted_cones(read, "kinds"), result.relations[0].cones);
  EXPECT_EQ(noted_cones(read, "parts"), result.relations[1].cones);
  EXPECT_FALSE(noted_cones(read));
  EXPECT_FALSE(noted_cones(read, "members"));
}

TEST(ConeRelations, ThreadsDoNotChangeABitAndItGoesOn) {
  const TemporaryDirectory directory;
  const auto path = directory.path() / "state";
  const auto relations = kinds_and_parts(penumbral_5d, 7, 50);
  const ConeTrainingOptions options = options_of(penumbral_5d, 20);
  const int before = num_threads();
  set_num_threads(1);
  ConeTrainer whole(relations, options);
  run(whole, 20);
  set_num_threads(3);
  ConeTrainer part(relations, options);
  run(part, 12);
  part.advance(2);
  part.save(path);
  ConeTrainer other(relations, options);
  other.load(path);
  EXPECT_EQ(other.batches(), 2);
  run(other, 20);
  set_num_threads(before);
  EXPECT_EQ(other.points().values(), whole.points().values());
  EXPECT_EQ(other.best_f1(), whole.best_f1());
  EXPECT_EQ(other.result().relations[1].test.f1(), whole.result().relations[1].test.f1());

  // other lights: another training
  auto moved = relations;
  moved[1].light[0] = -1;
  ConeTrainer elsewhere(moved, options);
  const std::string message = message_of<IoError>([&] { elsewhere.load(path); });
  EXPECT_NE(message.find("light at (-1, 0, 0, 0)"), std::string::npos) << message;
}

/// Points lie out of all lights, wherever they begin.
TEST(ConeRelations, PointsAreLedOutOfEveryLight) {
  for (const ConeSystem& cones : {penumbral_5d, ball_5d}) {
    for (const auto& light : usual_lights(cones, 2)) {
      ConeSystem lit = cones;
      lit.light = light;
      const auto relation = make_cone_relation(lit);
      // as deep in the light as a point can be, and where its light sees its own axis
      std::vector<double> x(5), y(5), by(5);
      ConeSystem plain = seen_by_light(lit);
      y[4] = cones.storage == PointStorage::ball ? 1e-3 : 2 * plain.size;
      relation->from_light(y.data(), x.data());
      EXPECT_FALSE(relation->contains(x.data(), x.data())) << lit.text();
      relation->project(x.data());
      EXPECT_TRUE(relation->contains(x.data(), x.data())) << lit.text();
      const std::vector<double> once = x;
      relation->project(x.data());
      EXPECT_EQ(x, once) << lit.text();
      EXPECT_TRUE(std::isfinite(relation->distance(x.data(), x.data(), 1e-4, by.data(), y.data())));
    }
  }
}

TEST(ConeRelations, UsualLights) {
  using Lights = std::vector<std::vector<double>>;
  ConeSystem cones{ConeKind::umbral, PointStorage::half_space, 3, 1, 0.05};
  EXPECT_EQ(usual_lights(cones, 1), (Lights{{}}));
  EXPECT_EQ(usual_lights(cones, 6), (Lights{{}, {1, 0}, {0, 1}, {0, 0}, {-1, 0}, {0, -1}}));
  EXPECT_EQ(message_of<DomainError>([&] { usual_lights(cones, 7); }),
            "cones: 7 relations in 3 dimensions have no usual lights, only 6 have: give a light "
            "for each");
  cones.storage = PointStorage::ball;
  cones.dimensions = 2;
  cones.radius = 2;
  EXPECT_EQ(usual_lights(cones, 1), (Lights{{}}));
  EXPECT_EQ(usual_lights(cones, 4), (Lights{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}));
}

TEST(ConeRelations, RefusesNonsense) {
  const auto refused = [](const ConeSystem& cones, const auto& change) {
    auto relations = kinds_and_parts(cones, 15, 80);
    change(relations);
    return message_of<DomainError>([&] { ConeTrainer(relations, options_of(cones, 2)); });
  };
  EXPECT_EQ(refused(umbral_5d, [](auto& r) { r.clear(); }), "cone training: no relations");
  EXPECT_EQ(refused(umbral_5d, [](auto& r) { r[1].name = "kinds"; }),
            "cone training: two relations are called 'kinds'");
  EXPECT_EQ(refused(umbral_5d,
                    [](auto& r) {
                      r[1].light = {1, 2};
                    }),
            "cones: a light at (1, 2), expected a point of the half-space's ground, whose "
            "coordinates are 4");
  EXPECT_NE(refused(ball_5d,
                    [](auto& r) {
                      r[0].light = {0, 1, 0, 0, 0};
                    })
                .find("not in the ball of radius 1"),
            std::string::npos);
  EXPECT_NE(refused(penumbral_5d,
                    [](auto& r) {
                      r[1].light = {30, 0, 0, 0};
                    })
                .find("the lights of 'kinds' and 'parts' overlap: "),
            std::string::npos);
  EXPECT_NE(refused(ball_5d,
                    [](auto& r) {
                      r[1].light = {0, 0, 0, 0.1, 0.5};
                    })
                .find("overlap"),
            std::string::npos);
  // the same light for both is possible, and umbral cones have lights without a size
  EXPECT_EQ(refused(penumbral_5d, [](auto& r) { r[1].light = r[0].light; }), "");
  EXPECT_EQ(refused(umbral_5d, [](auto& r) { r[1].light = {30, 0, 0, 0}; }), "");
  auto other = kinds_and_parts(umbral_5d, 15, 80);
  other[1].split = split_edges(kinds_or_parts(7, false), {80, 0, 0, 0});
  EXPECT_EQ(message_of<ShapeError>([&] { ConeTrainer(other, options_of(umbral_5d, 2)); }),
            "cone training: relation 'parts' has other nodes than 'kinds'");
}

}  // namespace
}  // namespace mct::embed
