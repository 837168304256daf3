// How well cones tell who is above whom.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/graph.hpp"

namespace mct::embed {

enum class ConeKind {
  umbral,      ///< balls of radius `size`, a point of light
  penumbral,   ///< points; light above the height `size`, or a ball of this radius at the origin
  entailment,  ///< in the ball; half-aperture asin(size (1 - |x|^2) / |x|), x in units of K
};
/// "umbral", "penumbral", "entailment".
std::string_view name_of(ConeKind kind);
/// Throws DomainError, which names all, for another.
ConeKind cone_kind_from(std::string_view name);

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

/// Pairs of an ancestor and a descendant, and pairs that look like them and are none.
struct LabelledPairs {
  std::vector<std::int32_t> ancestors;
  std::vector<std::int32_t> descendants;
  std::vector<std::uint8_t> related;
};

/// Every edge of `positives`, and for each `negatives` pairs in which one of its nodes is replaced
/// at random: the descendant in the first half of them, the ancestor in the others. A pair of nodes
/// that has an edge in `closure` and one of a node with itself are none of them; where a node is
/// related to all others there are fewer. Throws ShapeError for graphs with other nodes.
LabelledPairs labelled_pairs(const Graph& positives, const Graph& closure, int negatives,
                             std::uint64_t seed);

/// Counts of a classifier of two classes.
struct BinaryScores {
  std::uint64_t true_positives = 0, false_positives = 0, false_negatives = 0, true_negatives = 0;

  /// 0 where nothing was found.
  double precision() const;
  double recall() const;
  /// Their harmonic mean.
  double f1() const;
};

/// Takes a pair for related where the descendant lies in the ancestor's cone (cone_angle <=
/// half_aperture). `points` [nodes, dimensions]. Throws ShapeError for points of another shape,
/// DomainError as ConeSystem::check.
BinaryScores classify(const ConeSystem& cones, const Tensor<double>& points,
                      const LabelledPairs& pairs);

/// The share of the leaves (nodes that nothing is below) below exactly one of `classes` whose own
/// class is the one with the nearest axis: in the half-space by the distance of the feet, with all
/// heights 1, in the ball by the angle at the origin. Of leaves at the same distance from several
/// the first class is theirs. NaN if there is no such leaf. Throws ShapeError for points of another
/// shape. Source: Yu 2024, appendix A.1.3.
double class_accuracy(Model model, const Tensor<double>& points, const Graph& closure,
                      const std::vector<std::int32_t>& classes);

}  // namespace mct::embed
