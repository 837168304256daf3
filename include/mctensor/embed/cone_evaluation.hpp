// How well cones tell who is above whom.
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
  umbral,      ///< balls of radius `size`, a point of light
  penumbral,   ///< points; light above the height `size`, or a ball of this radius at the origin
  entailment,  ///< in the ball; half-aperture asin(size (1 - |x|^2) / |x|), x in units of K
};
inline constexpr Names<ConeKind, 3> cone_kind_names{{{ConeKind::umbral, "umbral"},
                                                     {ConeKind::penumbral, "penumbral"},
                                                     {ConeKind::entailment, "entailment"}}};
inline std::string_view name_of(ConeKind kind) { return cone_kind_names.of(kind); }
/// Throws DomainError, which names all, for another.
inline ConeKind cone_kind_from(std::string_view name) {
  return cone_kind_names.value("there are no cones", name);
}

/// Cones of points in the half-space or the ball (Model::half_space, Model::poincare).
struct ConeSystem {
  ConeKind kind = ConeKind::umbral;
  Model model = Model::half_space;
  int dimensions = 2;
  double radius = 1;  ///< K: the curvature is -1 / K^2
  double size = 0.05;

  friend bool operator==(const ConeSystem&, const ConeSystem&) = default;
  /// "umbral cones, half-space, 2 dimensions, size 0.05".
  std::string text() const;
  /// Throws DomainError naming what is out of range or does not go together.
  void check() const;
};

/// Notes in an embedding the cones for which its points were trained. Throws DomainError for cones
/// of another model, dimension or radius.
void note_cones(Embedding& embedding, const ConeSystem& cones);
/// What note_cones has noted; nothing if it has not. Throws DomainError for notes that are no
/// cones of this embedding.
std::optional<ConeSystem> noted_cones(const Embedding& embedding);
/// The cones of a kind and size that an embedding's points have. Throws DomainError for a space in
/// which there are none, and as ConeSystem::check.
ConeSystem cones_in(const EmbeddingSpace& space, ConeKind kind, double size);

/// Takes a pair for related where the descendant lies in the ancestor's cone (cone_angle <=
/// half_aperture). `points` [nodes, dimensions]. Throws ShapeError for points of another shape, for
/// lists of different lengths and for numbers that are no node's; DomainError as
/// ConeSystem::check.
BinaryScores classify(const ConeSystem& cones, const Tensor<double>& points,
                      const LabelledPairs& pairs);

/// The share of the leaves (nodes that nothing is below) below exactly one of `classes` whose own
/// class is the one with the nearest axis: in the half-space by the distance of the feet, with all
/// heights 1, in the ball by the angle at the origin. Of leaves at the same distance from several
/// the first class is theirs. NaN if there is no such leaf. `model` is half_space or poincare.
/// Throws DomainError for another one, ShapeError for points of another shape and for classes that
/// are no nodes. Source: Yu 2024, appendix A.1.3.
double class_accuracy(Model model, const Tensor<double>& points, const Graph& closure,
                      const std::vector<std::int32_t>& classes);

}  // namespace mct::embed
