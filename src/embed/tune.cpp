#include "mctensor/embed/tune.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/error.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t most_held_out = 2000;
constexpr std::size_t ranked_nodes = 1000;
constexpr std::int64_t first_epochs = 16;
constexpr std::int64_t burn_in = 4;

/// Times the settings that are given, which come first. A gradient has the sharpness as a factor,
/// so that half of one wants twice the other.
constexpr std::pair<double, double> factors[] = {{1, 1},   {1, 2},   {1, 0.5}, {2, 1},
                                                 {2, 0.5}, {0.5, 1}, {0.5, 2}};

struct HeldOut {
  std::shared_ptr<const Graph> train;
  Graph edges;
};

HeldOut held_out(const Graph& graph, std::uint64_t seed) {
  using Ends = std::pair<std::int32_t, std::int32_t>;
  const std::size_t count = graph.edge_count();
  const std::size_t most = std::clamp<std::size_t>(count / 20, 1, most_held_out);
  // an epoch that no training comes to
  const auto order = edge_order(count, seed, std::numeric_limits<std::uint32_t>::max());
  const auto ends = [&](std::size_t e) {
    return Ends(std::minmax(graph.sources()[e], graph.targets()[e]));
  };
  std::set<Ends> chosen;
  for (std::size_t i = 0; i < most; ++i) chosen.insert(ends(order[i]));
  std::vector<std::uint8_t> out(count, 0);
  for (std::size_t e = 0; e < count; ++e) out[e] = chosen.contains(ends(e)) ? 1 : 0;
  Graph edges = edges_where(graph, out);
  for (std::uint8_t& flag : out) flag = flag == 0 ? 1 : 0;
  auto train = std::make_shared<const Graph>(edges_where(graph, out));
  if (train->edge_count() == 0)
    throw DomainError("tuning: a graph of " + std::to_string(count) +
                      " edges leaves none to train on");
  return {std::move(train), std::move(edges)};
}

struct TimeIsOver {};

class Timer {
 public:
  explicit Timer(const TuneOptions& how) : how_(how) {}
  /// Says how much time has passed, by any thread. Throws TimeIsOver if all has.
  void check() const {
    const std::lock_guard<std::mutex> one(one_at_a_time_);
    const double passed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (how_.progress) how_.progress(std::min(passed, how_.seconds));
    if (passed >= how_.seconds) throw TimeIsOver();
  }

 private:
  const TuneOptions& how_;
  Clock::time_point start_ = Clock::now();
  mutable std::mutex one_at_a_time_;
};

struct Candidate {
  TuneTrial trial;
  std::optional<Trainer> trainer = {};  // from when its turn comes to when it is left behind
};

/// Options of a trainer that has no last epoch and a rate that stays: most of the way up lies
/// beyond the epochs of a comparison.
TrainOptions options_to_compare(TrainOptions options) {
  options.epochs = std::numeric_limits<std::int32_t>::max();
  options.burn_in = std::min(options.burn_in, burn_in);
  options.lr_peak = 1;
  options.check();
  return options;
}

std::vector<Candidate> candidates(const TrainOptions& given, const TuneOptions& how) {
  std::vector<Candidate> all;
  all.reserve(std::size(factors));
  for (const auto& [sharper, faster] : factors) {
    const double sharpness = given.sharpness * (how.sharpness ? sharper : 1);
    const double lr = given.lr * (how.rate ? faster : 1);
    const bool known = std::any_of(all.begin(), all.end(), [&](const Candidate& c) {
      return c.trial.sharpness == sharpness && c.trial.lr == lr;
    });
    if (!known) all.push_back({{sharpness, lr, 0, 0}});
  }
  return all;
}

void train_to(Trainer& trainer, std::int64_t epoch, const Timer& timer) {
  while (trainer.epochs() < epoch) {
    timer.check();
    trainer.advance(16);
  }
}

double precision_of(const Trainer& trainer, const HeldOut& parts, const Timer& timer) {
  EvaluateOptions options;
  options.objects = ranked_nodes;
  options.known = parts.train.get();
  options.progress = [&](std::size_t, std::size_t) { timer.check(); };
  return evaluate(trainer.embedding().half_space(), parts.edges, options).mean_average_precision;
}

/// Ranks the first `alive` at this epoch, and sorts them. Throws TimeIsOver before anything has
/// changed.
void rank_at(std::vector<Candidate>& all, std::size_t alive, std::int64_t epoch,
             const HeldOut& parts, TrainOptions options, const Timer& timer) {
  std::vector<double> found;
  found.reserve(alive);
  for (std::size_t i = 0; i < alive; ++i) {
    timer.check();
    auto& [trial, trainer] = all[i];
    options.sharpness = trial.sharpness;
    options.lr = trial.lr;
    if (!trainer) trainer.emplace(parts.train, options);
    train_to(*trainer, epoch, timer);
    found.push_back(precision_of(*trainer, parts, timer));
  }
  for (std::size_t i = 0; i < alive; ++i) {
    all[i].trial.epochs = epoch;
    all[i].trial.mean_average_precision = found[i];
  }
  std::stable_sort(all.begin(), all.begin() + std::ptrdiff_t(alive),
                   [](const Candidate& a, const Candidate& b) {
                     return a.trial.mean_average_precision > b.trial.mean_average_precision;
                   });
}

}  // namespace

TuneReport tune(const std::shared_ptr<const Graph>& graph, const TrainOptions& options,
                const TuneOptions& how) {
  if (!(how.seconds > 0) || !std::isfinite(how.seconds))
    throw DomainError("tuning: " + number_text(how.seconds) + " seconds");
  if (!how.sharpness && !how.rate)
    throw DomainError("tuning: sharpness and rate are given, so that nothing is to be chosen");
  if (!graph) throw DomainError("tuning: no graph given, but a null pointer");
  if (graph->edge_count() == 0) throw DomainError("tuning: a graph without edges");
  const Timer timer(how);
  const HeldOut parts = held_out(*graph, options.seed);
  const TrainOptions compared = options_to_compare(options);
  std::vector<Candidate> all = candidates(compared, how);
  TuneReport report;
  report.held_out = parts.edges.edge_count();
  std::int64_t epoch = first_epochs;
  try {
    for (std::size_t alive = all.size(); alive > 1; alive = (alive + 1) / 2, epoch *= 2) {
      for (std::size_t i = alive; i < all.size(); ++i) all[i].trainer.reset();
      rank_at(all, alive, epoch, parts, compared, timer);
      ++report.rounds;
    }
  } catch (const TimeIsOver&) {
    // the rounds before decide
  }
  report.trials.reserve(all.size());
  for (const Candidate& each : all) report.trials.push_back(each.trial);
  report.options = options;
  report.options.sharpness = report.trials.front().sharpness;
  report.options.lr = report.trials.front().lr;
  return report;
}

}  // namespace mct::embed
