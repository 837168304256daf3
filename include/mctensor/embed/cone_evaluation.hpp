// Measures how well cones classify pairs of nodes: whether one node is above the other in a
// hierarchy.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mctensor/embed/binary_scores.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"
#include "mctensor/graph/labelled_pairs.hpp"

namespace mct::embed {

enum class ConeKind {
  umbral,      ///< the light is a point; points stand for balls of radius `size`
  penumbral,   ///< the light is what lies above the height `size`, or a ball of this radius at the
               ///< origin
  entailment,  ///< in the ball; half-aperture asin(size (1 - |x|^2) / |x|), x in units of K
};
inline constexpr Names<ConeKind, 3> cone_kind_names{{{ConeKind::umbral, "umbral"},
                                                     {ConeKind::penumbral, "penumbral"},
                                                     {ConeKind::entailment, "entailment"}}};
inline std::string_view name_of(ConeKind kind) { return cone_kind_names.of(kind); }
/// Throws DomainError, which lists all names, for any other name.
inline ConeKind cone_kind_from(std::string_view name) {
  return cone_kind_names.value("there are no cones", name);
}

/// Cones of points in the half-space or the ball (PointStorage::half_space, PointStorage::ball).
struct ConeSystem {
  ConeKind kind = ConeKind::umbral;
  PointStorage storage = PointStorage::half_space;
  int dimensions = 2;
  double radius = 1;  ///< K: the curvature is -1 / K^2
  double size = 0.05;
  /// The place of the light (geometry::MovedLight). If it is empty, the light is above the
  /// half-space or at the origin of the ball. In the half-space it has the `dimensions` - 1
  /// coordinates of a point of the ground, in the ball the coordinates of a point. A penumbral
  /// light of the half-space that is moved keeps its distance from the point (0, ..., 0, 1).
  std::vector<double> light = {};

  friend bool operator==(const ConeSystem&, const ConeSystem&) = default;
  /// "umbral cones, half-space, 2 dimensions, size 0.05", and ", light at (0.5)" for a moved light.
  std::string text() const;
  /// Throws DomainError for a value that is out of range or does not fit the others.
  void check() const;
};

/// Writes to the notes of an embedding the cones for which its points were trained. If points have
/// several relations, the cones of each are noted under the name `relation`. Throws DomainError for
/// cones of another model, dimension or radius.
void note_cones(Embedding& embedding, const ConeSystem& cones, const std::string& relation = "");
/// The cones that note_cones has noted under this name; no value if there are none. Throws
/// DomainError for notes that are not cones of this embedding.
std::optional<ConeSystem> noted_cones(const Embedding& embedding, const std::string& relation = "");
/// The names of the relations that have noted cones, in alphabetical order, without "".
std::vector<std::string> noted_relations(const Embedding& embedding);
/// The cones of this kind, size and light for the points of an embedding. Throws DomainError for a
/// space without cones, and as ConeSystem::check does.
ConeSystem cones_in(const EmbeddingSpace& space, ConeKind kind, double size,
                    const std::vector<double>& light = {});

/// Counts a pair as related if the descendant lies in the ancestor's cone (cone_angle <=
/// half_aperture). `points` [nodes, dimensions]. Throws ShapeError for points of another shape, for
/// lists of different lengths and for numbers that are not nodes. Throws DomainError as
/// ConeSystem::check does.
BinaryScores classify(const ConeSystem& cones, const Tensor<double>& points,
                      const LabelledPairs& pairs);

/// The accuracy of a classifier of leaves (nodes with nothing below them). Only leaves below
/// exactly one of the nodes `classes` count. The classifier chooses the class whose axis is nearest
/// to the axis of the leaf. In the half-space axes are vertical, and their distance is the distance
/// of the horizontal coordinates. In the ball the distance is the angle at the origin. Of equally
/// near classes the classifier takes the first. The result is NaN if no leaf counts. `storage` is
/// half_space or ball. Throws DomainError for another storage. Throws ShapeError for points of
/// another shape and for classes that are not nodes. Source: Yu 2024, appendix A.1.3.
double class_accuracy(PointStorage storage, const Tensor<double>& points, const Graph& closure,
                      const std::vector<std::int32_t>& classes);

}  // namespace mct::embed
