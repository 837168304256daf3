// Ranks of the targets of edges.
#include "mctensor/embed/evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "src/embed/rank_points.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

/// Points whose planes and values stay in the cache while some queries look at them.
constexpr std::int64_t block_points = 512;
constexpr std::size_t block_queries = 16;
/// Up to so many thresholds all values are compared with each; beyond, each value is looked up.
constexpr std::size_t most_compared = 64;

/// Counts of one query's values below and at some thresholds.
class Counts {
 public:
  /// The thresholds ascend and are different.
  explicit Counts(std::vector<double> thresholds)
      : thresholds_(std::move(thresholds)),
        less_(thresholds_.size(), 0),
        equal_(thresholds_.size(), 0) {}

  void add(const std::vector<double>& values, std::int64_t count) {
    if (thresholds_.size() <= most_compared) {
      embed_detail::find_count_table().count(count, values.data(), std::int64_t(thresholds_.size()),
                                             thresholds_.data(), less_.data(), equal_.data());
      return;
    }
    for (std::int64_t i = 0; i < count; ++i) {
      const double value = values[std::size_t(i)];
      if (!(value <= thresholds_.back())) continue;
      const std::size_t at = place_of(value);
      if (thresholds_[at] == value) {
        ++equal_[at];
      } else {
        ++between_[at];
      }
    }
  }
  /// Call it after the last values: values that were looked up count for all thresholds above them.
  void finish() {
    std::int64_t below = 0;
    for (std::size_t i = 0; i < between_.size(); ++i) {
      below += between_[i];
      less_[i] += below;
      below += equal_[i];
    }
  }
  /// How many values are in front of this threshold, where a value equal to it counts half; without
  /// the values of `others`, which ascend.
  double ahead_of(double threshold, const std::vector<double>& others) const {
    const std::size_t at = place_of(threshold);
    const auto [begin, end] = std::equal_range(others.begin(), others.end(), threshold);
    const std::int64_t less = less_[at] - (begin - others.begin());
    const std::int64_t equal = equal_[at] - (end - begin);
    return double(less) + double(equal) / 2;
  }

 private:
  std::size_t place_of(double value) const {
    return std::size_t(std::lower_bound(thresholds_.begin(), thresholds_.end(), value) -
                       thresholds_.begin());
  }

  std::vector<double> thresholds_;
  std::vector<std::int64_t> less_, equal_;
  /// Values between a threshold and the one before, if they are looked up.
  std::vector<std::int64_t> between_ =
      std::vector<std::int64_t>(thresholds_.size() > most_compared ? thresholds_.size() : 0, 0);
};

/// The result of one source.
struct Ranked {
  double rank_sum = 0;
  double average_precision = 0;
  std::size_t pairs = 0, first = 0, tenth = 0;
};

/// One source: the values of its targets, and of all nodes that are not ranked against them.
class Query {
 public:
  Query(const RankPoints& points, std::int32_t node, const std::vector<std::int32_t>& targets,
        const std::vector<std::int32_t>& others)
      : numbers_(std::size_t(points.width())) {
    points.copy_query(node, numbers_.data());
    targets_ = points.values_of(numbers_.data(), targets);
    std::sort(targets_.begin(), targets_.end());
    others_ = points.values_of(numbers_.data(), others);
    std::sort(others_.begin(), others_.end());
    std::vector<double> thresholds = targets_;
    thresholds.erase(std::unique(thresholds.begin(), thresholds.end()), thresholds.end());
    counts_ = Counts(std::move(thresholds));
  }

  const double* numbers() const { return numbers_.data(); }
  void add(const std::vector<double>& values, std::int64_t count) { counts_.add(values, count); }

  Ranked result() {
    counts_.finish();
    Ranked r;
    for (const double target : targets_) {
      const double ahead = counts_.ahead_of(target, others_);
      ++r.pairs;
      r.rank_sum += ahead + 1;
      r.average_precision += double(r.pairs) / (double(r.pairs) + ahead);
      if (ahead + 1 <= 1) ++r.first;
      if (ahead + 1 <= 10) ++r.tenth;
    }
    r.average_precision /= double(r.pairs);
    return r;
  }

 private:
  std::vector<double> numbers_;
  std::vector<double> targets_, others_;
  Counts counts_{{}};
};

/// Ascending, each once, without the node itself.
std::vector<std::int32_t> different(std::span<const std::int32_t> nodes, std::int32_t self) {
  std::vector<std::int32_t> r(nodes.begin(), nodes.end());
  r.erase(std::unique(r.begin(), r.end()), r.end());
  std::erase(r, self);
  return r;
}

/// The nodes that are ranked, and the nodes that they are compared with.
class Sources {
 public:
  Sources(const Graph& edges, const EvaluateOptions& options) : targets_(successors(edges)) {
    if (options.known != nullptr) known_.push_back(successors(*options.known));
    std::vector<std::int32_t> all;
    for (std::size_t v = 0; v < edges.node_count(); ++v)
      if (!different(targets_[std::int32_t(v)], std::int32_t(v)).empty())
        all.push_back(std::int32_t(v));
    if (all.empty()) throw DomainError("evaluate: the graph has no edges between its nodes");
    nodes_ = all;
    with_edge_ = all.size();
    if (options.objects == 0 || options.objects >= all.size()) return;
    nodes_ = sampled(all.size(), options.objects, options.seed);
    for (std::int32_t& node : nodes_) node = all[std::size_t(node)];
    std::sort(nodes_.begin(), nodes_.end());
  }

  std::size_t size() const { return nodes_.size(); }
  /// All nodes with an edge, from which the sources may have been drawn.
  std::size_t with_edge() const { return with_edge_; }
  Query query(const RankPoints& points, std::size_t i) const {
    const std::int32_t node = nodes_[i];
    const auto targets = different(targets_[node], node);
    std::vector<std::int32_t> others = targets;
    for (const Adjacency& known : known_) {
      const auto more = different(known[node], node);
      others.insert(others.end(), more.begin(), more.end());
    }
    others.push_back(node);
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    return {points, node, targets, others};
  }

 private:
  Adjacency targets_;
  std::vector<Adjacency> known_;  // none or one
  std::vector<std::int32_t> nodes_;
  std::size_t with_edge_ = 0;
};

/// The sources begin ... end - 1.
void rank(const RankPoints& points, const Sources& sources, std::size_t begin, std::size_t end,
          std::vector<Ranked>& results) {
  std::vector<Query> queries;
  for (std::size_t i = begin; i < end; ++i) queries.push_back(sources.query(points, i));
  std::vector<double> values(std::size_t(block_points), 0);
  for (std::int64_t at = 0; at < points.padded(); at += block_points) {
    const std::int64_t count = std::min(block_points, points.padded() - at);
    for (Query& query : queries) {
      points.values(query.numbers(), at, count, values.data());
      query.add(values, count);
    }
  }
  for (std::size_t i = begin; i < end; ++i) results[i] = queries[i - begin].result();
}

RankingReport report_of(const std::vector<Ranked>& results) {
  RankingReport report;
  double ranks = 0;
  double precisions = 0;
  double first = 0;
  double tenth = 0;
  for (const Ranked& r : results) {
    report.pairs += r.pairs;
    ranks += r.rank_sum;
    precisions += r.average_precision;
    first += double(r.first);
    tenth += double(r.tenth);
  }
  report.objects = results.size();
  report.mean_rank = ranks / double(report.pairs);
  report.mean_average_precision = precisions / double(report.objects);
  report.hits_at_1 = first / double(report.pairs);
  report.hits_at_10 = tenth / double(report.pairs);
  return report;
}

void check_nodes(const Graph& graph, std::size_t points) {
  if (graph.node_count() != points)
    throw ShapeError("evaluate: a graph of " + std::to_string(graph.node_count()) + " nodes and " +
                     std::to_string(points) + " points");
}

}  // namespace

RankingReport evaluate(const HalfSpacePoints& points, const Graph& edges,
                       const EvaluateOptions& options) {
  check_nodes(edges, points.size());
  if (options.known != nullptr) check_nodes(*options.known, points.size());
  const RankPoints ranked(points);
  const Sources sources(edges, options);
  std::vector<Ranked> results(sources.size());
  std::atomic<std::size_t> done{0};
  const double cost = double(sources.size()) * double(ranked.padded() * ranked.width());
  parallel_for(std::int64_t(sources.size()), cost, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); i += block_queries) {
      const std::size_t next = std::min(i + block_queries, std::size_t(end));
      rank(ranked, sources, i, next, results);
      if (options.progress) options.progress(done += next - i, sources.size());
    }
  });
  RankingReport report = report_of(results);
  report.sources = sources.with_edge();
  return report;
}

}  // namespace mct::embed
