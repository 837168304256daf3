// Held-out edges: who is ranked, which threshold is chosen.
#include "mctensor/embed/link_prediction.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mctensor/embed/distances.hpp"
#include "mctensor/error.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/message_of.hpp"

namespace mct::embed {
namespace {

using testing::graph_of;
using testing::message_of;

/// Points of one height at these places.
HalfSpacePoints points_at(const std::vector<double>& places) {
  HalfSpacePoints points;
  points.factors.emplace_back(Shape{1, std::int64_t(places.size()), 2});
  for (std::size_t i = 0; i < places.size(); ++i) {
    points.factors[0].data()[2 * i] = places[i];
    points.factors[0].data()[2 * i + 1] = 1;
  }
  return points;
}

/// Groups of four nodes, far from each other; a group is a square of edges without direction.
struct Groups {
  static constexpr int count = 40;
  HalfSpacePoints points;
  testing::Edges train, validation, held_out;

  Groups() {
    std::vector<double> places;
    for (int v = 0; v < count; ++v) places.push_back(1000 * (v / 4) + v % 4);
    points = points_at(places);
    for (int v = 0; v < count; v += 4) {
      train.insert(train.end(), {{v, v + 1}, {v + 1, v + 2}, {v + 2, v + 3}, {v + 3, v}});
      train.insert(train.end(), {{v + 1, v}, {v + 2, v + 1}, {v + 3, v + 2}, {v, v + 3}});
      (v % 8 == 0 ? validation : held_out)
          .insert(v % 8 == 0 ? validation.end() : held_out.end(),
                  {{v, v + 2}, {v + 2, v}, {v + 1, v + 3}, {v + 3, v + 1}});
    }
  }
  LinkPredictionReport report(const LinkPredictionOptions& options = {}) const {
    return link_prediction(points, graph_of(count, train), graph_of(count, validation),
                           graph_of(count, held_out), options);
  }
};

TEST(LinkPrediction, OfSeparateGroupsIsPerfect) {
  const Groups groups;
  const LinkPredictionReport r = groups.report();
  EXPECT_EQ(r.ranking.pairs, groups.held_out.size());
  EXPECT_EQ(r.ranking.mean_rank, 1);  // edges of training do not stand in front
  EXPECT_EQ(r.ranking.mean_average_precision, 1);
  EXPECT_EQ(r.validation.f1(), 1);
  EXPECT_EQ(r.held_out.f1(), 1);
  EXPECT_EQ(r.held_out.positives(), groups.held_out.size());
  EXPECT_EQ(r.held_out.negatives(), 10 * groups.held_out.size());
  // between the edges of length 2 and the gap of 997
  EXPECT_GT(r.threshold, 2 * std::asinh(1.0));
  EXPECT_LT(r.threshold, 2 * std::asinh(997 / 2.0));
}

TEST(LinkPrediction, ChoosesTheThresholdOnTrainingEdgesWithoutValidation) {
  Groups groups;
  groups.validation.clear();
  const LinkPredictionReport r = groups.report();
  EXPECT_EQ(r.validation.positives(), groups.train.size());
  EXPECT_EQ(r.held_out.f1(), 1);
}

TEST(LinkPrediction, OfLinesBySumsOfItsOwn) {
  // everything as far as it is: pairs at distance 1 are edges but for one in the way
  std::vector<double> places;
  testing::Edges validation, held_out;
  constexpr int count = 60;
  for (int v = 0; v < count; ++v) places.push_back(v * v);
  for (int v = 0; v + 1 < count; v += 2) (v % 4 ? validation : held_out).emplace_back(v, v + 1);
  const auto points = points_at(places);
  const Graph train = graph_of(count, {{0, 59}});
  LinkPredictionOptions options;
  options.negatives = 3;
  options.seed = 5;
  const auto report_of = [&] {
    return link_prediction(points, train, graph_of(count, validation), graph_of(count, held_out),
                           options);
  };
  const LinkPredictionReport r = report_of();
  EXPECT_GT(r.validation.f1(), 0.5);
  EXPECT_LT(r.validation.f1(), 1);
  // the sums again from the distances of the edges
  std::size_t within = 0;
  for (const auto& [a, b] : held_out)
    within += distances(points, {a}, {b})[0] <= r.threshold ? 1 : 0;
  EXPECT_EQ(r.held_out.true_positives, within);
  EXPECT_DOUBLE_EQ(r.held_out.recall(), double(within) / double(held_out.size()));
  EXPECT_DOUBLE_EQ(r.held_out.precision(),
                   double(within) / double(within + r.held_out.false_positives));
  const double p = r.held_out.precision();
  const double q = r.held_out.recall();
  EXPECT_DOUBLE_EQ(r.held_out.f1(), 2 * p * q / (p + q));
  EXPECT_EQ(report_of().held_out.false_positives, r.held_out.false_positives);
  options.seed = 6;
  EXPECT_NE(report_of().threshold, r.threshold);
}

TEST(LinkPrediction, DrawsNoEdgesAsNegatives) {
  // every pair but (0, 3) and (3, 0) is an edge: most negatives do not exist
  const int count = 4;
  testing::Edges train;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (a != b && a + b != 3) train.emplace_back(a, b);
  const auto points = points_at({0, 1, 2, 3});
  const LinkPredictionReport r = link_prediction(
      points, graph_of(count, train), graph_of(count, {}), graph_of(count, {{1, 2}, {2, 1}}));
  EXPECT_EQ(r.held_out.negatives(), 0u);  // both ends lead to edges only
  EXPECT_EQ(r.held_out.f1(), 1);
}

TEST(LinkPrediction, RefusesWhatItCannotDo) {
  const Groups groups;
  LinkPredictionOptions options;
  options.negatives = 0;
  EXPECT_EQ(message_of<DomainError>([&] { (void)groups.report(options); }),
            "link_prediction: 0 negatives for an edge, expected 1 to 1000");
  const Graph none = graph_of(Groups::count, {});
  const Graph some = graph_of(Groups::count, groups.train);
  EXPECT_EQ(message_of<DomainError>([&] { link_prediction(groups.points, some, none, none); }),
            "link_prediction: held_out has no edges");
  EXPECT_EQ(message_of<DomainError>([&] { link_prediction(groups.points, none, none, some); }),
            "link_prediction: train has no edges");
  EXPECT_EQ(
      message_of<ShapeError>([&] { link_prediction(groups.points, some, graph_of(3, {}), some); }),
      "link_prediction: validation of 3 nodes and 40 points");
}

}  // namespace
}  // namespace mct::embed
