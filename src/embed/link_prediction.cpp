// Edges that were held out, ranked and classified.
#include "mctensor/embed/link_prediction.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/embed/distances.hpp"
#include "mctensor/error.hpp"
#include "src/embed/corrupted_pairs.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

constexpr int most_negatives = 1000;

/// The edges of both.
Graph joined(const Graph& a, const Graph& b) {
  std::vector<std::int32_t> sources = a.sources();
  std::vector<std::int32_t> targets = a.targets();
  sources.insert(sources.end(), b.sources().begin(), b.sources().end());
  targets.insert(targets.end(), b.targets().begin(), b.targets().end());
  return {a.names(), std::move(sources), std::move(targets)};
}

/// Distances of edges and of pairs without one.
struct Sample {
  std::vector<double> positives, negatives;
};

Sample sample_of(const HalfSpacePoints& points, const Graph& edges, const CorruptedPairs& corrupted,
                 const LinkPredictionOptions& options, DrawStream stream) {
  const LabelledPairs pairs =
      corrupted.beside(edges, options.negatives, Draws(options.seed, stream));
  const std::vector<double> d = distances(points, pairs.descendants, pairs.ancestors);
  Sample sample;
  for (std::size_t i = 0; i < d.size(); ++i)
    (pairs.related[i] != 0 ? sample.positives : sample.negatives).push_back(d[i]);
  return sample;
}

BinaryScores classified(const Sample& sample, double threshold) {
  const auto within = [threshold](const std::vector<double>& d) {
    return std::uint64_t(
        std::count_if(d.begin(), d.end(), [threshold](double x) { return x <= threshold; }));
  };
  BinaryScores r{within(sample.positives), within(sample.negatives), 0, 0};
  r.false_negatives = sample.positives.size() - r.true_positives;
  r.true_negatives = sample.negatives.size() - r.false_positives;
  return r;
}

/// The threshold with the best F1, the lowest of several: in the middle between two distances.
double best_threshold(Sample sample) {
  std::sort(sample.positives.begin(), sample.positives.end());
  std::sort(sample.negatives.begin(), sample.negatives.end());
  const auto& positives = sample.positives;
  const auto& negatives = sample.negatives;
  BinaryScores at{0, 0, positives.size(), negatives.size()};
  double best = -1;
  double threshold = 0;
  // pairs of both lists count as edges up to a distance, which grows from one edge to the next
  while (at.false_negatives > 0) {
    const double distance = positives[at.true_positives];
    for (; at.false_negatives > 0 && positives[at.true_positives] == distance; ++at.true_positives)
      --at.false_negatives;
    for (; at.true_negatives > 0 && negatives[at.false_positives] <= distance; ++at.false_positives)
      --at.true_negatives;
    if (at.f1() <= best) continue;
    best = at.f1();
    double next = distance;
    if (at.false_negatives > 0) next = positives[at.true_positives];
    if (at.true_negatives > 0) {
      const double negative = negatives[at.false_positives];
      next = at.false_negatives > 0 ? std::min(next, negative) : negative;
    }
    threshold = distance + (next - distance) / 2;
    if (threshold == next) threshold = distance;  // neighbours have no number between
  }
  return threshold;
}

void check(const char* name, const Graph& graph, std::size_t points, bool may_be_empty) {
  if (graph.node_count() != points)
    throw ShapeError(std::string("link_prediction: ") + name + " of " +
                     std::to_string(graph.node_count()) + " nodes and " + std::to_string(points) +
                     " points");
  if (graph.edge_count() == 0 && !may_be_empty)
    throw DomainError(std::string("link_prediction: ") + name + " has no edges");
}

}  // namespace

LinkPredictionReport link_prediction(const HalfSpacePoints& points, const Graph& train,
                                     const Graph& validation, const Graph& held_out,
                                     const LinkPredictionOptions& options) {
  check("train", train, points.size(), false);
  check("validation", validation, points.size(), true);
  check("held_out", held_out, points.size(), false);
  if (options.negatives < 1 || options.negatives > most_negatives)
    throw DomainError("link_prediction: " + std::to_string(options.negatives) +
                      " negatives for an edge, expected 1 to " + std::to_string(most_negatives));
  const Graph known = joined(train, validation);
  const CorruptedPairs corrupted(joined(known, held_out));
  LinkPredictionReport report;
  EvaluateOptions ranking;
  ranking.known = &known;
  ranking.progress = options.progress;
  report.ranking = evaluate(points, held_out, ranking);
  const Graph& chosen_on = validation.edge_count() > 0 ? validation : train;
  const Sample choice = sample_of(points, chosen_on, corrupted, options, draws_of_validation_links);
  report.threshold = best_threshold(choice);
  report.validation = classified(choice, report.threshold);
  report.held_out = classified(
      sample_of(points, held_out, corrupted, options, draws_of_held_out_links), report.threshold);
  return report;
}

}  // namespace mct::embed
