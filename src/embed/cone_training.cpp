// Training of cones: epochs, batches, validation.
#include "mctensor/embed/cone_training.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "src/embed/cone_relation.hpp"
#include "src/embed/cone_state.hpp"
#include "src/embed/corrupted_pairs.hpp"

namespace mct::embed {
namespace {

double shadow(const ConeTrainingOptions& options, std::span<const double> energies,
              std::span<double> slopes) {
  // -p, then -q: log of the summands
  slopes[0] = -std::max(energies[0], -options.gamma_2);
  double top = slopes[0];
  for (std::size_t i = 1; i < energies.size(); ++i) {
    slopes[i] = std::max(options.gamma_1 - energies[i], 0.0);
    top = std::max(top, slopes[i]);
  }
  const double own = slopes[0] - top;
  double sum = 0;
  for (double& x : slopes) {
    x = std::exp(x - top);
    sum += x;
  }
  slopes[0] = energies[0] > -options.gamma_2 ? 1 - slopes[0] / sum : 0;
  for (std::size_t i = 1; i < energies.size(); ++i)
    slopes[i] = energies[i] < options.gamma_1 ? -slopes[i] / sum : 0;
  return std::log(sum) - own;
}

double max_margin(const ConeTrainingOptions& options, std::span<const double> energies,
                  std::span<double> slopes) {
  double loss = std::max(energies[0], 0.0);
  slopes[0] = energies[0] > 0 ? 1 : 0;
  for (std::size_t i = 1; i < energies.size(); ++i) {
    loss += std::max(options.gamma_1 - energies[i], 0.0);
    slopes[i] = energies[i] < options.gamma_1 ? -1 : 0;
  }
  return loss;
}

/// The loss of one edge: energies[0] of the pair itself, the rest of others. Writes its derivatives
/// by them; see geometry::shadow_loss and max_margin_loss.
double cone_loss(const ConeTrainingOptions& options, std::span<const double> energies,
                 std::span<double> slopes) {
  return options.loss == ConeLoss::shadow ? shadow(options, energies, slopes)
                                          : max_margin(options, energies, slopes);
}

void check_number(const char* name, double value, double least) {
  if (!(value >= least) || !std::isfinite(value))
    throw DomainError("cone training: " + std::string(name) + " " + number_text(value) +
                      ", expected at least " + number_text(least));
}
void check(const ConeTrainingOptions& options) {
  options.cones.check();
  check_number("epochs", options.epochs, 0);
  check_number("batch", options.batch, 1);
  check_number("lr", options.lr, 0);
  check_number("burn_in_epochs", options.burn_in_epochs, 0);
  check_number("burn_in_factor", options.burn_in_factor, 0);
  check_number("negatives", options.negatives, 1);
  check_number("gamma_1", options.gamma_1, 0);
  check_number("gamma_2", options.gamma_2, 0);
  check_number("gamma_3", options.gamma_3, 0);
  if (!(options.clip > 0))
    throw DomainError("cone training: clip " + number_text(options.clip) + " is no length");
  check_number("start", options.start, 0);
  check_number("check_every", options.check_every, 1);
  if (options.start >= 1)
    throw DomainError("cone training: start " + number_text(options.start) +
                      ", expected less than 1");
  for (const double size : options.sizes) {
    ConeSystem system = options.cones;
    system.size = size;
    system.check();
  }
}

/// Near the origin, in every coordinate uniform, and out of the light.
Tensor<double> starting_points(const ConeTrainingOptions& options, const ConeRelation& relation,
                               std::int64_t nodes) {
  const std::int64_t n = options.cones.dimensions;
  Tensor<double> points({nodes, n});
  const Draws draws(options.seed, draws_of_points);
  for (std::int64_t i = 0; i < nodes * n; ++i)
    points.data()[i] = options.start * (2 * draws.uniform(std::uint64_t(i)) - 1);
  for (std::int64_t row = 0; row < nodes; ++row) {
    double* const x = points.data() + row * n;
    if (options.cones.model == Model::half_space) x[n - 1] += 1;
    relation.project(x);
  }
  return points;
}

/// The pairs of an edge and a direction, the first one itself; their energies' derivatives by both
/// nodes.
struct Item {
  std::vector<std::int32_t> ancestors, descendants;
  std::vector<double> energies, slopes;
  std::vector<double> by_ancestor, by_descendant;
  double loss = 0;

  void begin() {
    ancestors.clear();
    descendants.clear();
  }
  void add(std::int32_t ancestor, std::int32_t descendant) {
    if (ancestor < 0 || descendant < 0) return;
    ancestors.push_back(ancestor);
    descendants.push_back(descendant);
  }
};

}  // namespace

struct ConeTrainer::State {
  State(const EdgeSplit& split, const Graph& closure, const ConeTrainingOptions& given)
      : options((check(given), given)),
        train(split.train),
        corrupted(split.train),
        validation(labelled_pairs(split.validation, closure, given.negatives, given.seed)),
        test(labelled_pairs(split.test, closure, given.negatives, given.seed + 1)),
        relation(make_cone_relation(given.cones)),
        place_of(split.train.node_count(), nowhere) {
    if (train.edge_count() == 0) throw DomainError("cone training: no edges to train");
    now.points = starting_points(options, *relation, std::int64_t(train.node_count()));
    now.best = now.points.clone();
  }

  void draw_pairs(Item& item, std::size_t edge, Replaced replaced) const;
  void find_gradient(Item& item, double share) const;
  void step(std::span<const Item> items, double lr);
  void validate();

  ConeTrainingOptions options;
  Graph train;
  CorruptedPairs corrupted;
  LabelledPairs validation, test;
  std::unique_ptr<ConeRelation> relation;
  ConeState now;
  static constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> place_of;  // of nodes among those of a step
};

void ConeTrainer::State::draw_pairs(Item& item, std::size_t edge, Replaced replaced) const {
  const std::int32_t u = train.targets()[edge];
  const std::int32_t v = train.sources()[edge];
  const Draws draws(options.seed, draws_of_negatives, std::uint32_t(now.epoch));
  const bool below = replaced == Replaced::descendant;
  item.begin();
  item.add(u, v);
  const auto count = std::uint64_t(options.negatives);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t number = (2 * edge + (below ? 0 : 1)) * count + k;
    const std::int32_t n = corrupted.draw(u, v, replaced, draws, number);
    item.add(below ? u : n, below ? n : v);
  }
}

/// The derivatives of the item's loss times `share` by both nodes of each pair.
void ConeTrainer::State::find_gradient(Item& item, double share) const {
  const std::size_t pairs = item.ancestors.size();
  const auto n = std::size_t(options.cones.dimensions);
  item.energies.resize(pairs);
  item.slopes.resize(pairs);
  item.by_ancestor.resize(pairs * n);
  item.by_descendant.resize(pairs * n);
  const auto row = [&](std::int32_t node) { return now.points.data() + std::size_t(node) * n; };
  for (std::size_t i = 0; i < pairs; ++i)
    item.energies[i] =
        relation->distance(row(item.ancestors[i]), row(item.descendants[i]), options.gamma_3,
                           item.by_ancestor.data() + i * n, item.by_descendant.data() + i * n);
  item.loss = cone_loss(options, item.energies, item.slopes);
  for (std::size_t i = 0; i < pairs; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      item.by_ancestor[i * n + k] *= item.slopes[i] * share;
      item.by_descendant[i * n + k] *= item.slopes[i] * share;
    }
}

/// Moves the nodes of all pairs that have a gradient, those of several pairs by the sum.
void ConeTrainer::State::step(std::span<const Item> items, double lr) {
  const auto n = std::size_t(options.cones.dimensions);
  std::vector<std::int64_t> rows;
  std::vector<double> gradient;
  const auto add = [&](std::int32_t node, const double* from) {
    std::size_t& place = place_of[std::size_t(node)];
    if (place == nowhere) {
      place = rows.size();
      rows.push_back(node);
      gradient.insert(gradient.end(), n, 0.0);
    }
    for (std::size_t k = 0; k < n; ++k) gradient[place * n + k] += from[k];
  };
  for (const Item& item : items)
    for (std::size_t i = 0; i < item.ancestors.size(); ++i) {
      if (item.slopes[i] == 0) continue;
      add(item.ancestors[i], item.by_ancestor.data() + i * n);
      add(item.descendants[i], item.by_descendant.data() + i * n);
    }
  if (rows.empty()) return;
  double* const points = now.points.data();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    place_of[std::size_t(rows[i])] = nowhere;
    if (options.clip < std::numeric_limits<double>::infinity())
      relation->clip(points + std::size_t(rows[i]) * n, gradient.data() + i * n, options.clip);
  }
  const Shape shape{std::int64_t(rows.size()), std::int64_t(n)};
  now.lost_steps += relation->step(now.points, Tensor<std::int64_t>::from_values(rows),
                                   Tensor<double>::from_values(gradient).reshape(shape), lr);
  for (const std::int64_t r : rows) relation->project(points + std::size_t(r) * n);
}

void ConeTrainer::State::validate() {
  now.last_f1 = classify(options.cones, now.points, validation).f1();
  if (now.best_epoch > 0 && now.last_f1 <= now.best_f1) return;
  now.best_f1 = now.last_f1;
  now.best_epoch = now.epoch;
  now.best.copy_(now.points);
}

ConeTrainer::ConeTrainer(const EdgeSplit& split, const Graph& closure,
                         const ConeTrainingOptions& options)
    : state_(std::make_unique<State>(split, closure, options)) {}
ConeTrainer::ConeTrainer(ConeTrainer&&) noexcept = default;
ConeTrainer::~ConeTrainer() = default;

const ConeTrainingOptions& ConeTrainer::options() const { return state_->options; }
int ConeTrainer::epoch() const { return state_->now.epoch; }
const Tensor<double>& ConeTrainer::points() const { return state_->now.points; }
double ConeTrainer::last_f1() const { return state_->now.last_f1; }
double ConeTrainer::best_f1() const { return state_->now.best_f1; }
std::int64_t ConeTrainer::lost_steps() const { return state_->now.lost_steps; }

double ConeTrainer::run_epoch() {
  State& s = *state_;
  const ConeTrainingOptions& options = s.options;
  std::vector<std::size_t> order(s.train.edge_count());
  std::iota(order.begin(), order.end(), std::size_t(0));
  shuffle(order, Draws(options.seed, draws_of_orders, std::uint32_t(s.now.epoch)));
  const bool burning = s.now.epoch < options.burn_in_epochs;
  const double lr = burning ? options.lr * options.burn_in_factor : options.lr;
  std::vector<Item> items(2 * std::min(std::size_t(options.batch), order.size()));
  // about how many operations the energy of a pair takes
  constexpr double pair_cost = 200;
  double loss = 0;
  for (std::size_t first = 0; first < order.size(); first += items.size() / 2) {
    const std::size_t count = 2 * std::min(items.size() / 2, order.size() - first);
    const auto work = [&](std::int64_t begin, std::int64_t end) {
      for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
        s.draw_pairs(items[i], order[first + i / 2],
                     i % 2 == 0 ? Replaced::descendant : Replaced::ancestor);
        s.find_gradient(items[i], 1 / double(count));
      }
    };
    parallel_for(std::int64_t(count), double(count) * (options.negatives + 1) * pair_cost, work);
    const std::span<const Item> done(items.data(), count);
    for (const Item& item : done) loss += item.loss;
    s.step(done, lr);
  }
  ++s.now.epoch;
  if (s.now.epoch % options.check_every == 0 || s.now.epoch == options.epochs) s.validate();
  return loss / double(2 * order.size());
}

ConeResult ConeTrainer::result() const {
  const State& s = *state_;
  const bool validated = s.now.best_epoch > 0;
  const Tensor<double> points = (validated ? s.now.best : s.now.points).clone();
  ConeSystem cones = s.options.cones;
  const std::vector<double> sizes =
      s.options.sizes.empty() ? std::vector<double>{cones.size} : s.options.sizes;
  std::optional<BinaryScores> best;
  ConeSystem chosen = cones;
  for (const double size : sizes) {
    cones.size = size;
    const BinaryScores scores = classify(cones, points, s.validation);
    if (best && scores.f1() <= best->f1()) continue;
    best = scores;
    chosen = cones;
  }
  const EmbeddingSpace space{.model = chosen.model,
                             .dimensions = chosen.dimensions,
                             .components = 1,
                             .factors = 1,
                             .radius = chosen.radius};
  const std::int64_t nodes = points.size(0);
  Embedding embedding(s.train.names(), space, points.reshape({1, nodes, points.size(1)}));
  note_cones(embedding, chosen);
  return {std::move(embedding), validated ? s.now.best_epoch : s.now.epoch, chosen, *best,
          classify(chosen, points, s.test)};
}

void ConeTrainer::save(const std::filesystem::path& path) const {
  save_state(path, state_->options, state_->now);
}
void ConeTrainer::load(const std::filesystem::path& path) {
  ConeState loaded = load_state(path, state_->options, state_->now.points.shape());
  state_->now.points.copy_(loaded.points);
  loaded.points = state_->now.points;  // the descent goes on in the same memory
  state_->now = std::move(loaded);
}

}  // namespace mct::embed
