// Edges that were held out, ranked and classified.
#include "mctensor/embed/link_prediction.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/embed/distances.hpp"
#include "mctensor/error.hpp"
#include "src/embed/draws.hpp"

namespace mct::embed {
namespace {

constexpr int most_negatives = 1000;
/// Draws for one negative.
constexpr std::uint64_t most_draws = 64;

/// The edges of both.
Graph joined(const Graph& a, const Graph& b) {
  std::vector<std::int32_t> sources = a.sources();
  std::vector<std::int32_t> targets = a.targets();
  sources.insert(sources.end(), b.sources().begin(), b.sources().end());
  targets.insert(targets.end(), b.targets().begin(), b.targets().end());
  return {a.names(), std::move(sources), std::move(targets)};
}

struct Pairs {
  std::vector<std::int32_t> sources, targets;
};

/// For each edge `count` pairs that are no edge of `all`.
Pairs negatives_of(const Graph& edges, const Adjacency& all, int count, const Draws& draws) {
  const auto is_edge = [&](std::int32_t from, std::int32_t to) {
    const auto row = all[from];
    return std::binary_search(row.begin(), row.end(), to);
  };
  Pairs pairs;
  for (std::size_t i = 0; i < edges.edge_count(); ++i)
    for (int k = 0; k < count; ++k) {
      const std::uint64_t first = (i * std::uint64_t(count) + std::uint64_t(k)) * most_draws;
      for (std::uint64_t draw = 0; draw < most_draws; ++draw) {
        const auto node = std::int32_t(draws.bits(first + draw) % all.size());
        const std::int32_t from = k % 2 == 0 ? edges.sources()[i] : node;
        const std::int32_t to = k % 2 == 0 ? node : edges.targets()[i];
        if (from == to || is_edge(from, to)) continue;
        pairs.sources.push_back(from);
        pairs.targets.push_back(to);
        break;
      }
    }
  return pairs;
}

/// Distances of edges and of pairs without one.
struct Sample {
  std::vector<double> positives, negatives;
};

Sample sample_of(const HalfSpacePoints& points, const Graph& edges, const Adjacency& all,
                 const LinkPredictionOptions& options, DrawStream stream) {
  const Pairs pairs = negatives_of(edges, all, options.negatives, Draws(options.seed, stream));
  return {distances(points, edges.sources(), edges.targets()),
          distances(points, pairs.sources, pairs.targets)};
}

Classification classified(const Sample& sample, double threshold) {
  const auto within = [threshold](const std::vector<double>& d) {
    return std::size_t(
        std::count_if(d.begin(), d.end(), [threshold](double x) { return x <= threshold; }));
  };
  return {sample.positives.size(), sample.negatives.size(), within(sample.positives),
          within(sample.negatives)};
}

/// The threshold with the best F1, the lowest of several: in the middle between two distances.
double best_threshold(Sample sample) {
  std::sort(sample.positives.begin(), sample.positives.end());
  std::sort(sample.negatives.begin(), sample.negatives.end());
  Classification at{sample.positives.size(), sample.negatives.size(), 0, 0};
  double best = -1;
  double threshold = 0;
  while (at.true_positives < at.positives) {
    const double distance = sample.positives[at.true_positives];
    while (at.true_positives < at.positives && sample.positives[at.true_positives] == distance)
      ++at.true_positives;
    while (at.false_positives < at.negatives && sample.negatives[at.false_positives] <= distance)
      ++at.false_positives;
    if (at.f1() <= best) continue;
    best = at.f1();
    double next = distance;
    if (at.true_positives < at.positives) next = sample.positives[at.true_positives];
    if (at.false_positives < at.negatives) {
      const double negative = sample.negatives[at.false_positives];
      next = at.true_positives < at.positives ? std::min(next, negative) : negative;
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

double Classification::precision() const {
  const std::size_t taken = true_positives + false_positives;
  return taken == 0 ? 0 : double(true_positives) / double(taken);
}
double Classification::recall() const {
  return positives == 0 ? 0 : double(true_positives) / double(positives);
}
double Classification::f1() const {
  return true_positives == 0
             ? 0
             : 2 * double(true_positives) / double(true_positives + false_positives + positives);
}

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
  const Adjacency all = successors(joined(known, held_out));
  LinkPredictionReport report;
  EvaluateOptions ranking;
  ranking.known = &known;
  ranking.progress = options.progress;
  report.ranking = evaluate(points, held_out, ranking);
  const Graph& chosen_on = validation.edge_count() > 0 ? validation : train;
  const Sample choice = sample_of(points, chosen_on, all, options, draws_of_validation_links);
  report.threshold = best_threshold(choice);
  report.validation = classified(choice, report.threshold);
  report.held_out = classified(sample_of(points, held_out, all, options, draws_of_held_out_links),
                               report.threshold);
  return report;
}

}  // namespace mct::embed
