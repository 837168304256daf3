// Cones as classifiers of pairs, and of leaves.
#include "mctensor/embed/cone_evaluation.hpp"

#include <cmath>
#include <limits>
#include <optional>
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
                      std::string(name_of(storage)) + "', only in half-space and poincare");
}

}  // namespace

std::string ConeSystem::text() const {
  std::string r = std::string(name_of(kind)) + " cones, " + std::string(name_of(storage)) + ", " +
                  std::to_string(dimensions) + " dimensions, size " + number_text(size);
  if (radius != 1) r += ", radius " + number_text(radius);
  return r;
}

void ConeSystem::check() const {
  if (storage != PointStorage::half_space && storage != PointStorage::ball)
    throw DomainError("cones: there are no cones in the model '" + std::string(name_of(storage)) +
                      "', only in half-space and poincare");
  if (kind == ConeKind::entailment && storage != PointStorage::ball)
    throw DomainError("cones: entailment cones are those of the model poincare");
  if (dimensions < 2 || dimensions > 4096)
    throw DomainError("cones: " + std::to_string(dimensions) + " dimensions, expected 2 to 4096");
  for (const auto& [name, value] : {std::pair("radius", radius), std::pair("size", size)})
    if (!(value > 0) || !std::isfinite(value))
      throw DomainError("cones: " + std::string(name) + " " + number_text(value) +
                        " is not positive and finite");
}

void note_cones(Embedding& embedding, const ConeSystem& cones) {
  if (cones_in(embedding.space(), cones.kind, cones.size) != cones)
    throw DomainError("cones: " + cones.text() + ", but the embedding has " +
                      embedding.space().text());
  embedding.set_note("cones", std::string(name_of(cones.kind)));
  embedding.set_note("cone_size", number_text(cones.size));
}

std::optional<ConeSystem> noted_cones(const Embedding& embedding) {
  const auto kind = embedding.notes().find("cones");
  const auto size = embedding.notes().find("cone_size");
  if (kind == embedding.notes().end() || size == embedding.notes().end()) return std::nullopt;
  const std::string& text = size->second;
  const std::optional<double> number = number_in<double>(text);
  if (!number) throw DomainError("cones: the noted size '" + text + "' is not a number");
  return cones_in(embedding.space(), cone_kind_from(kind->second), *number);
}

ConeSystem cones_in(const EmbeddingSpace& space, ConeKind kind, double size) {
  if (space.components != 1 || space.factors != 1)
    throw DomainError("cones: there are no cones for points of " + space.text() +
                      ", only of one component in one factor");
  const ConeSystem cones{kind, space.storage, space.dimensions, space.radius, size};
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
