#include "src/embed/cone_loss.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/models/poincare_ball.hpp"

namespace mct::embed {
namespace {

/// Margins and distances, both times the sharpness: the arguments of the exponentials of the loss.
struct Margins {
  double others, own;
};

double shadow(const Margins& margins, std::vector<double>& distances, std::vector<double>& slopes) {
  // -p, then -q: log of the summands
  slopes[0] = -std::max(distances[0], -margins.own);
  double top = slopes[0];
  for (std::size_t i = 1; i < distances.size(); ++i) {
    slopes[i] = std::max(margins.others - distances[i], 0.0);
    top = std::max(top, slopes[i]);
  }
  const double own = slopes[0] - top;
  double sum = 0;
  for (double& x : slopes) {
    x = std::exp(x - top);
    sum += x;
  }
  slopes[0] = distances[0] > -margins.own ? 1 - slopes[0] / sum : 0;
  for (std::size_t i = 1; i < distances.size(); ++i)
    slopes[i] = distances[i] < margins.others ? -slopes[i] / sum : 0;
  return std::log(sum) - own;
}

double max_margin(const Margins& margins, std::vector<double>& distances,
                  std::vector<double>& slopes) {
  double loss = std::max(distances[0], 0.0);
  slopes[0] = distances[0] > 0 ? 1 : 0;
  for (std::size_t i = 1; i < distances.size(); ++i) {
    loss += std::max(margins.others - distances[i], 0.0);
    slopes[i] = distances[i] < margins.others ? -1 : 0;
  }
  return loss;
}

/// A number of `counts` that is whole and at least 0.
std::int64_t whole_number(const std::string& file, const char* name, double x) {
  if (!(x >= 0 && x <= 0x1p53) || x != std::floor(x))
    throw IoError(file + ": " + name + " is " + number_text(x) + ", no count");
  return std::int64_t(x);
}

}  // namespace

ConeSystem at_radius(double radius, ConeSystem cones) {
  const bool is_length = cones.kind == ConeKind::umbral ||
                         (cones.kind == ConeKind::penumbral && cones.storage == PointStorage::ball);
  if (is_length) cones.size *= radius / cones.radius;
  if (cones.storage == PointStorage::ball)
    for (double& x : cones.light) x *= radius / cones.radius;
  cones.radius = radius;
  return cones;
}

Graph joined_edges(const std::vector<TrainedRelation>& relations) {
  if (relations.empty()) throw DomainError("cone training: no relations");
  const Graph& first = relations[0].split.train;
  if (relations.size() == 1) return first;
  std::vector<std::int32_t> sources, targets;
  std::vector<double> weights;
  bool weighted = false;
  std::set<std::string> names;
  for (const TrainedRelation& relation : relations) {
    const Graph& train = relation.split.train;
    if (train.node_count() != first.node_count() ||
        fingerprint(*train.names()) != fingerprint(*first.names()))
      throw ShapeError("cone training: relation '" + relation.name + "' has other nodes than '" +
                       relations[0].name + "'");
    if (!names.insert(relation.name).second)
      throw DomainError("cone training: two relations are called '" + relation.name + "'");
    sources.insert(sources.end(), train.sources().begin(), train.sources().end());
    targets.insert(targets.end(), train.targets().begin(), train.targets().end());
    weighted = weighted || train.has_weights();
    for (std::size_t i = 0; i < train.edge_count(); ++i) weights.push_back(train.weight(i));
  }
  if (!weighted) weights.clear();
  return Graph(first.names(), std::move(sources), std::move(targets), std::move(weights));
}

LossOfCones::LossOfCones(const std::vector<TrainedRelation>& relations,
                         const ConeTrainingOptions& options)
    : options_((options.check(), options)),
      nodes_(std::int64_t(relations.at(0).split.train.node_count())) {
  std::size_t edges = 0;
  for (const TrainedRelation& r : relations) {
    const EdgeSplit& split = r.split;
    if (split.train.edge_count() == 0)
      throw DomainError("cone training: no edges to train" +
                        (r.name.empty() ? "" : " of relation '" + r.name + "'"));
    ConeSystem cones = options_.cones;
    cones.light = r.light;
    parts_.push_back(
        {r.name, cones, edges, split.train.edge_count(), CorruptedPairs(split.train),
         labelled_pairs(split.validation, r.closure, options_.negatives, options_.seed),
         labelled_pairs(split.test, r.closure, options_.negatives, options_.seed + 1),
         make_cone_relation(at_radius(1, cones))});
    edges += split.train.edge_count();
  }
  if (options_.cones.storage == PointStorage::ball) {
    std::vector<double> edge(std::size_t(options_.cones.dimensions));
    edge[0] = 1e-9;  // in the light, whatever its size
    make_cone_relation(seen_by_light(at_radius(1, options_.cones)))->project(edge.data());
    constexpr double gap = 0.01;
    nearest_ = std::min(edge[0] + gap, (1 + edge[0]) / 2);
  }
  require_lights_apart();
}

namespace {

/// Whether the light of some cones, or in the ball all that is nearer to its middle than `nearest`,
/// ends before that of others begins. Horoballs: of the diameters a and b they touch where their
/// feet are sqrt(a b) apart; the one above begins at its height.
bool are_apart(const ConeSystem& a, const ConeSystem& b, double nearest) {
  if (a.storage == PointStorage::ball) {
    const geometry::PoincareBall<double> ball(1);
    geometry::Point<double> x(a.dimensions), y(a.dimensions);
    for (std::size_t i = 0; i < a.light.size(); ++i) x[int(i)] = a.light[i];
    for (std::size_t i = 0; i < b.light.size(); ++i) y[int(i)] = b.light[i];
    return ball.dist(x, y) > 4 * std::atanh(nearest);
  }
  if (a.kind == ConeKind::umbral) return true;
  if (b.light.empty()) return are_apart(b, a, nearest);
  const double diameter = 1 / seen_by_light(b).size;
  if (a.light.empty()) return diameter < a.size;
  double square = 0;
  for (std::size_t i = 0; i < a.light.size(); ++i)
    square += (a.light[i] - b.light[i]) * (a.light[i] - b.light[i]);
  return square > diameter / seen_by_light(a).size;
}

}  // namespace

/// So that a point that is moved out of one light does not lie in another one.
void LossOfCones::require_lights_apart() const {
  for (std::size_t i = 0; i < parts_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const ConeSystem a = at_radius(1, parts_[k].cones), b = at_radius(1, parts_[i].cones);
      if (a.light == b.light || are_apart(a, b, nearest_)) continue;
      throw DomainError("cone training: the lights of '" + parts_[k].name + "' and '" +
                        parts_[i].name + "' overlap: " + parts_[k].cones.text() + " and " +
                        parts_[i].cones.text());
    }
}

const LossOfCones::Part& LossOfCones::part_of(std::size_t edge) const {
  std::size_t i = 0;
  while (edge - parts_[i].first_edge >= parts_[i].edges) ++i;
  return parts_[i];
}

/// In the ball to a hundredth outside the light, as the program of Yu 2024: at its edge gradients
/// have no bound.
void LossOfCones::settle(double* point) const {
  for (const Part& part : parts_) part.relation->project(point, nearest_);
}

void LossOfCones::prepare(int threads) { pairs_.resize(std::size_t(threads)); }

void LossOfCones::draw(const EdgeBatch& batch, std::int64_t begin, std::int64_t end, int /*thread*/,
                       std::int32_t* rows, double* shares) {
  const Draws draws(options_.seed, draws_of_negatives, options_.fresh_negatives ? batch.epoch : 0);
  const auto count = std::uint64_t(options_.negatives);
  for (std::int64_t e = begin; e < end; ++e) {
    const std::size_t edge = batch.edges[e / 2];
    const CorruptedPairs& corrupted = part_of(edge).corrupted;
    const std::int32_t ancestor = batch.graph.targets()[edge];
    const std::int32_t descendant = batch.graph.sources()[edge];
    const bool below = e % 2 == 0;
    std::int32_t* const to = rows + e * width();
    to[0] = below ? ancestor : descendant;
    to[1] = below ? descendant : ancestor;
    shares[e] = batch.graph.weight(edge) / double(batch.count);
    const std::uint64_t first = (2 * edge + (below ? 0 : 1)) * count;
    for (std::uint64_t k = 0; k < count; ++k)
      to[2 + k] =
          corrupted.draw(ancestor, descendant, below ? Replaced::descendant : Replaced::ancestor,
                         draws, first + k);
  }
}

double LossOfCones::loss_of(Pairs& pairs, double scale) const {
  for (double& x : pairs.distances) x *= scale;
  pairs.slopes.resize(pairs.distances.size());
  const double sharpness = options_.sharpness;
  const Margins margins{sharpness * options_.gamma_1, sharpness * options_.gamma_2};
  return options_.loss == ConeLoss::shadow ? shadow(margins, pairs.distances, pairs.slopes)
                                           : max_margin(margins, pairs.distances, pairs.slopes);
}

void LossOfCones::find_gradients(const EdgeBatch& batch,
                                 const embed_detail::PointTable<const double>& points,
                                 std::int64_t begin, std::int64_t end, int thread,
                                 std::int32_t* rows, const double* shares,
                                 const embed_detail::AnyResults& any_results) {
  const auto& results = std::get<embed_detail::ExampleResults<double>>(any_results);
  const auto n = std::size_t(points.dimensions);
  const double scale = options_.sharpness * batch.radius;
  Pairs& pairs = pairs_[std::size_t(thread)];
  pairs.by_first.resize(std::size_t(width()) * n);
  pairs.by_other.resize(std::size_t(width()) * n);
  const auto point = [&](std::int32_t row) {
    return points.data + std::ptrdiff_t(row) * points.numbers;
  };
  for (std::int64_t e = begin; e < end; ++e) {
    std::int32_t* const example = rows + e * width();
    const double* const first = point(example[0]);
    const ConeRelation& relation = *part_of(batch.edges[e / 2]).relation;
    const bool below = e % 2 == 0;
    pairs.places.clear();
    pairs.distances.clear();
    for (int i = 1; i < width(); ++i) {
      if (example[i] < 0) continue;
      const double* const other = point(example[i]);
      double* const by_first = pairs.by_first.data() + pairs.places.size() * n;
      double* const by_other = pairs.by_other.data() + pairs.places.size() * n;
      pairs.places.push_back(i);
      pairs.distances.push_back(
          below ? relation.distance(first, other, options_.gamma_3, by_first, by_other)
                : relation.distance(other, first, options_.gamma_3, by_other, by_first));
    }
    results.losses[e] = loss_of(pairs, scale);
    double* const to = results.gradients + e * width();
    for (std::size_t c = 0; c < n; ++c) to[std::int64_t(c) * results.plane] = 0;
    double slope = 0;
    bool moves = false;
    for (std::size_t k = 0; k < pairs.places.size(); ++k) {
      const int place = pairs.places[k];
      // the trainer knows the derivative by the scale
      slope += shares[e] * pairs.slopes[k] * pairs.distances[k] / scale;
      if (pairs.slopes[k] == 0) {
        example[place] = -1;
        continue;
      }
      moves = true;
      const double factor = shares[e] * pairs.slopes[k] * scale;
      for (std::size_t c = 0; c < n; ++c) {
        double* const in_plane = to + std::int64_t(c) * results.plane;
        in_plane[0] += factor * pairs.by_first[k * n + c];
        in_plane[place] = factor * pairs.by_other[k * n + c];
      }
    }
    if (!moves) example[0] = -1;
    results.slopes[e] = slope;
  }
}

void LossOfCones::end_epoch(std::int64_t epochs, bool is_last, const Tensor<double>& points,
                            double radius) {
  const bool none = std::all_of(parts_.begin(), parts_.end(),
                                [](const Part& part) { return part.validation.related.empty(); });
  if (none || (!is_last && epochs % options_.check_every != 0)) return;
  BinaryScores scores;
  for (const Part& part : parts_)
    scores += classify(at_radius(1, part.cones), points, part.validation);
  best_.last_f1 = scores.f1();
  if (best_.epoch > 0 && best_.last_f1 <= best_.f1) return;
  best_.f1 = best_.last_f1;
  best_.epoch = epochs;
  best_.radius = radius;
  best_.points = points.clone();
}

void LossOfCones::describe(Description& description) const {
  const auto text = [](double x) { return number_text(x); };
  description["mctensor.training"] = "cones 1";
  std::string cones(name_of(options_.cones.kind));
  for (const Part& part : parts_)
    if (parts_.size() > 1 || !part.cones.light.empty())
      cones +=
          "; " + std::to_string(part.edges) + " edges of '" + part.name + "', " + part.cones.text();
  description["cones"] = cones;
  description["size"] = text(options_.cones.size);
  description["loss"] = std::string(name_of(options_.loss));
  description["gamma_1"] = text(options_.gamma_1);
  description["gamma_2"] = text(options_.gamma_2);
  description["gamma_3"] = text(options_.gamma_3);
  description["fresh_negatives"] = options_.fresh_negatives ? "1" : "0";
  description["check_every"] = std::to_string(options_.check_every);
  description["start"] = start_;
}

void LossOfCones::save(SafetensorsWriter& writer) const {
  if (best_.epoch > 0) writer.add("best", best_.points);
  writer.add("validation", Tensor<double>::from_values(
                               {double(best_.epoch), best_.f1, best_.last_f1, best_.radius}));
}

std::function<void()> LossOfCones::load(const std::string& file, const SafetensorsReader& reader) {
  const auto numbers = reader.load<double, 1>("validation").values();
  if (numbers.size() != 4)
    throw IoError(file + ": " + std::to_string(numbers.size()) + " numbers of validation, not 4");
  Best best;
  best.epoch = whole_number(file, "the best epoch", numbers[0]);
  best.f1 = numbers[1];
  best.last_f1 = numbers[2];
  best.radius = numbers[3];
  for (const double f1 : {best.f1, best.last_f1})
    if (!(f1 >= 0 && f1 <= 1)) throw IoError(file + ": validation has an F1 of " + number_text(f1));
  if (best.epoch > 0) {
    if (!(best.radius > 0) || !std::isfinite(best.radius))
      throw IoError(file + ": the radius of the best epoch is " + number_text(best.radius));
    best.points = reader.load<double, 1>("best").contiguous();
    const Shape shape{nodes_, options_.cones.dimensions};
    if (best.points.shape() != shape)
      throw IoError(file + ": best of shape " + to_string(best.points.shape()) + ", expected " +
                    to_string(shape));
    for (std::int64_t row = 0; row < nodes_; ++row)
      if (!parts_[0].relation->is_point(best.points.data() + row * shape[1]))
        throw IoError(file + ": row " + std::to_string(row) + " of best is not a point");
  }
  return [this, best] { best_ = best; };
}

}  // namespace mct::embed
