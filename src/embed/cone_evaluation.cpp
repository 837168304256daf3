// Cones as classifiers of pairs, and of leaves.
#include "mctensor/embed/cone_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "mctensor/base/number_in.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "src/embed/cone_relation.hpp"
#include "src/embed/description.hpp"

namespace mct::embed {
namespace {

void require_points(const Tensor<double>& points, std::int64_t rows, std::int64_t columns) {
  if (points.dim() != 2 || points.size(0) != rows || (columns > 0 && points.size(1) != columns) ||
      !points.is_contiguous())
    throw ShapeError("cones: points of shape " + to_string(points.shape()) + " for " +
                     std::to_string(rows) + " nodes" +
                     (columns > 0 ? " of " + std::to_string(columns) + " dimensions" : ""));
}

/// `what` names the function and the list.
void require_nodes(const char* what, const std::vector<std::int32_t>& list, std::int64_t nodes) {
  for (const std::int32_t node : list)
    if (node < 0 || node >= nodes)
      throw ShapeError(std::string(what) + " " + std::to_string(node) +
                       ", expected at least 0 and below " + std::to_string(nodes));
}

/// As many of each, and numbers of nodes.
void require_pairs(const LabelledPairs& pairs, std::int64_t nodes) {
  const std::size_t count = pairs.related.size();
  if (pairs.ancestors.size() != count || pairs.descendants.size() != count)
    throw ShapeError("classify: " + std::to_string(pairs.ancestors.size()) + " ancestors, " +
                     std::to_string(pairs.descendants.size()) + " descendants and " +
                     std::to_string(count) + " labels, expected as many of each");
  require_nodes("classify: ancestor", pairs.ancestors, nodes);
  require_nodes("classify: descendant", pairs.descendants, nodes);
}

void require_axes(PointStorage storage) {
  if (storage != PointStorage::half_space && storage != PointStorage::ball)
    throw DomainError("class_accuracy: there are no axes in the model '" +
                      std::string(name_of(storage)) + "', only in half-space and ball");
}

/// "1, 0.5".
std::string coordinates_text(const std::vector<double>& x) {
  std::string text;
  for (const double c : x) text += (text.empty() ? "" : ", ") + number_text(c);
  return text;
}

void check_light(const ConeSystem& cones) {
  const bool in_ball = cones.storage == PointStorage::ball;
  const std::size_t expected = std::size_t(cones.dimensions) - (in_ball ? 0 : 1);
  const std::string place = "cones: a light at (" + coordinates_text(cones.light) + ")";
  if (cones.light.size() != expected)
    throw DomainError(place + ", expected a point of the " +
                      (in_ball ? "ball" : "half-space's ground") + ", whose coordinates are " +
                      std::to_string(expected));
  double square = 0;
  for (const double x : cones.light) square += x / cones.radius * (x / cones.radius);
  if (!std::isfinite(square)) throw DomainError(place + ", which is not finite");
  if (in_ball && !(square < 1))
    throw DomainError(place + ", which is not in the ball of radius " + number_text(cones.radius));
}

}  // namespace

std::string ConeSystem::text() const {
  std::string r = std::string(name_of(kind)) + " cones, " + std::string(name_of(storage)) + ", " +
                  std::to_string(dimensions) + " dimensions, size " + number_text(size);
  if (radius != 1) r += ", radius " + number_text(radius);
  if (!light.empty()) r += ", light at (" + coordinates_text(light) + ")";
  return r;
}

void ConeSystem::check() const {
  if (storage != PointStorage::half_space && storage != PointStorage::ball)
    throw DomainError("cones: there are no cones in the model '" + std::string(name_of(storage)) +
                      "', only in half-space and ball");
  if (kind == ConeKind::entailment && storage != PointStorage::ball)
    throw DomainError("cones: entailment cones are those of the model ball");
  if (dimensions < 2 || dimensions > 4096)
    throw DomainError("cones: " + std::to_string(dimensions) + " dimensions, expected 2 to 4096");
  for (const auto& [name, value] : {std::pair("radius", radius), std::pair("size", size)})
    if (!(value > 0) || !std::isfinite(value))
      throw DomainError("cones: " + std::string(name) + " " + number_text(value) +
                        " is not positive and finite");
  if (!light.empty()) check_light(*this);
}

namespace {

constexpr const char *kind_note = "cones", *size_note = "cone_size", *light_note = "cone_light";

/// Notes of a relation have its name after theirs.
std::string note_of(const char* note, const std::string& relation) {
  return relation.empty() ? note : std::string(note) + ' ' + relation;
}
const std::string* find_note(const Embedding& embedding, const std::string& note) {
  const auto found = embedding.notes().find(note);
  return found == embedding.notes().end() ? nullptr : &found->second;
}
double noted_number(const char* what, const std::string& text) {
  const std::optional<double> number = number_in<double>(text);
  if (!number)
    throw DomainError(std::string("cones: the noted ") + what + " '" + text + "' is not a number");
  return *number;
}

}  // namespace

void note_cones(Embedding& embedding, const ConeSystem& cones, const std::string& relation) {
  if (cones_in(embedding.space(), cones.kind, cones.size, cones.light) != cones)
    throw DomainError("cones: " + cones.text() + ", but the embedding has " +
                      embedding.space().text());
  embedding.set_note(note_of(kind_note, relation), std::string(name_of(cones.kind)));
  embedding.set_note(note_of(size_note, relation), number_text(cones.size));
  if (!cones.light.empty())
    embedding.set_note(note_of(light_note, relation), coordinates_text(cones.light));
}

std::optional<ConeSystem> noted_cones(const Embedding& embedding, const std::string& relation) {
  const std::string* const kind = find_note(embedding, note_of(kind_note, relation));
  const std::string* const size = find_note(embedding, note_of(size_note, relation));
  if (kind == nullptr || size == nullptr) return std::nullopt;
  std::vector<double> light;
  if (const std::string* const text = find_note(embedding, note_of(light_note, relation)))
    for (std::size_t begin = 0; begin <= text->size();) {
      const std::size_t end = std::min(text->find(", ", begin), text->size());
      light.push_back(noted_number("light", text->substr(begin, end - begin)));
      begin = end + 2;
    }
  return cones_in(embedding.space(), cone_kind_from(*kind), noted_number("size", *size), light);
}

std::vector<std::string> noted_relations(const Embedding& embedding) {
  const std::string beginning = std::string(kind_note) + ' ';
  std::vector<std::string> names;
  for (const auto& [note, text] : embedding.notes())
    if (note.starts_with(beginning)) names.push_back(note.substr(beginning.size()));
  return names;
}

ConeSystem cones_in(const EmbeddingSpace& space, ConeKind kind, double size,
                    const std::vector<double>& light) {
  if (space.components != 1 || space.factors != 1)
    throw DomainError("cones: there are no cones for points of " + space.text() +
                      ", only of one component in one factor");
  ConeSystem cones{kind, space.storage, space.dimensions, space.radius, size, light};
  cones.check();
  return cones;
}

BinaryScores classify(const ConeSystem& cones, const Tensor<double>& points,
                      const LabelledPairs& pairs) {
  const auto relation = make_cone_relation(cones);
  const std::int64_t n = cones.dimensions;
  require_points(points, points.size(0), n);
  require_pairs(pairs, points.size(0));
  BinaryScores scores;
  for (std::size_t i = 0; i < pairs.related.size(); ++i) {
    const bool found = relation->contains(points.data() + pairs.ancestors[i] * n,
                                          points.data() + pairs.descendants[i] * n);
    const bool related = pairs.related[i] != 0;
    ++(found ? (related ? scores.true_positives : scores.false_positives)
             : (related ? scores.false_negatives : scores.true_negatives));
  }
  return scores;
}

namespace {

/// A number that grows with the distance of two points' axes.
double axis_distance(PointStorage storage, const double* x, const double* y, std::int64_t n) {
  if (storage == PointStorage::half_space) {
    double square = 0;
    for (std::int64_t i = 0; i + 1 < n; ++i) square += (x[i] - y[i]) * (x[i] - y[i]);
    return square;
  }
  double product = 0;
  double squares[2] = {0, 0};
  for (std::int64_t i = 0; i < n; ++i) {
    product += x[i] * y[i];
    squares[0] += x[i] * x[i];
    squares[1] += y[i] * y[i];
  }
  return -product / std::sqrt(squares[0]) / std::sqrt(squares[1]);
}

}  // namespace

double class_accuracy(PointStorage storage, const Tensor<double>& points, const Graph& closure,
                      const std::vector<std::int32_t>& classes) {
  require_axes(storage);
  const auto nodes = std::int64_t(closure.node_count());
  require_points(points, nodes, 0);
  require_nodes("class_accuracy: class", classes, nodes);
  const Adjacency above = successors(closure);
  const Adjacency below = predecessors(closure);
  const std::int64_t n = points.size(1);
  const auto row = [&](std::int32_t node) { return points.data() + node * n; };
  std::uint64_t leaves = 0;
  std::uint64_t right = 0;
  for (std::int32_t leaf = 0; leaf < std::int32_t(closure.node_count()); ++leaf) {
    if (!below[leaf].empty()) continue;
    std::int32_t own = -1;
    int classes_above = 0;
    for (const std::int32_t node : above[leaf])
      for (const std::int32_t c : classes)
        if (node == c) {
          own = c;
          ++classes_above;
        }
    if (classes_above != 1) continue;
    std::int32_t nearest = -1;
    double least = std::numeric_limits<double>::infinity();
    for (const std::int32_t c : classes)
      if (const double d = axis_distance(storage, row(leaf), row(c), n); d < least) {
        least = d;
        nearest = c;
      }
    ++leaves;
    right += nearest == own ? 1 : 0;
  }
  return leaves == 0 ? std::numeric_limits<double>::quiet_NaN() : double(right) / double(leaves);
}

}  // namespace mct::embed
