// Trains points so that their cones represent a hierarchy. Cones are shadow cones (umbral,
// penumbral) or entailment cones.
//
//   const Graph closure = transitive_closure(graph);
//   const EdgeSplit split = split_edges(closure, {.percent = 50});
//   ConeTrainer trainer(split, closure, usual_options(ConeSystem{.dimensions = 5}));
//   while (!trainer.done()) trainer.advance(trainer.batches_in_epoch());
//   const ConeResult result = trainer.result();
//   result.embedding.save("mammals.safetensors");
//
// Points may have several relations, such as "is a" and "is part of". Each relation has its own
// light (Yu 2024, "Multi-relation embeddings"); usual_lights(cones, 2) gives two lights.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/graph/split.hpp"

namespace mct::embed {

enum class ConeLoss {
  shadow,      ///< the mean of geometry::shadow_loss over edges, summed over both directions
  max_margin,  ///< the same with geometry::max_margin_loss and the margin gamma_1
};
inline constexpr Names<ConeLoss, 2> cone_loss_names{
    {{ConeLoss::shadow, "shadow"}, {ConeLoss::max_margin, "max-margin"}}};
inline std::string_view name_of(ConeLoss loss) { return cone_loss_names.of(loss); }

/// Options of a training of cones. The options of TrainOptions have the same meaning, with two
/// differences: `space` is not read, because `cones` describes the space, and `sharpness`
/// multiplies distances from cones instead of distances between points.
struct ConeTrainingOptions : TrainOptions {
  ConeTrainingOptions() {
    lr = 0.01;
    batch = 16;
    negatives = 10;  // of an edge in each direction
    sharpness = 1;
    epochs = 400;
    init = 1e-5;
  }

  ConeSystem cones;
  ConeLoss loss = ConeLoss::shadow;
  double gamma_1 = 1e-3;  ///< how far outside a cone points that do not belong there are pushed
  double gamma_2 = 0;     ///< how deep into a cone points that belong there are drawn
  double gamma_3 = 1e-4;  ///< how far beyond the apex points above the apex are drawn, in radii
  /// True: each epoch draws new negatives. False: an edge keeps its negatives, so most untrained
  /// edges that follow from trained edges are never drawn as negatives.
  bool fresh_negatives = true;
  int check_every = 20;  ///< epochs between validations; the points of the best validation are kept
  std::vector<double> sizes;  ///< sizes from which validation chooses; empty: the trained size

  /// Throws DomainError for an invalid option; the message names the option.
  void check() const;
};

/// A relation to train: `split` has parts of the edges of `closure`.
struct TrainedRelation {
  std::string name;  ///< the name in the notes of the embedding; may be "" for a single relation
  EdgeSplit split;
  Graph closure;
  std::vector<double> light = {};  ///< ConeSystem::light of its cones
};

/// The scores of a relation's held-out edges.
struct RelationResult {
  std::string name;
  ConeSystem cones;  ///< with the size that was chosen by validation
  BinaryScores validation, test;
};

struct ConeResult {
  Embedding embedding;     ///< the best points by validation, with a note of the cones
  std::int64_t epoch = 0;  ///< the epoch after which the points were found
  std::vector<RelationResult> relations;
  ConeSystem cones;               ///< of the first relation
  BinaryScores validation, test;  ///< all pairs of all relations
};

/// A Trainer that learns points so that the descendants of a node lie in its cone. Every edge has
/// two examples. The first compares the ancestor's cone with the descendant and with negatives. The
/// second compares the descendant with the cones of the ancestor and of negatives. A negative is a
/// node without such a trained edge, so held-out relatives may be negatives. Points are kept out of
/// the light. A learned radius (radius_lr) scales the sizes of cones as it scales distances, so it
/// does not change which cones hold which points.
///
/// Bits, files and steps are the same as for Trainer. Source: Yu 2024, sections 2.2.2, 2.2.3 and
/// A.1.3, with the corrections of docs/errata.md.
class ConeTrainer : public Trainer {
 public:
  /// `closure` has all edges of the hierarchy. For each pair of validation and test the trainer
  /// draws options.negatives pairs that are not edges of `closure`. Throws DomainError for invalid
  /// options and a split without training edges, and ShapeError for a closure with other nodes.
  ConeTrainer(const EdgeSplit& split, const Graph& closure, const ConeTrainingOptions& options);
  /// Trains relations among the same nodes at once; options.cones.light is not read. A batch has
  /// edges of all relations; each relation has its own negatives and its own size. Also throws
  /// DomainError if there are no relations, if names are equal, and if lights overlap without being
  /// equal. Throws ShapeError for graphs of other nodes.
  ConeTrainer(const std::vector<TrainedRelation>& relations, const ConeTrainingOptions& options);

  const ConeTrainingOptions& options() const;
  /// Call start_from before the first epoch. Each node begins at the point of the node with the
  /// same name in `embedding`, moved out of the light. Points of other models keep their distances
  /// in radii. Throws DomainError, which names the node, if the embedding lacks a node or has no
  /// valid point for it. Also throws it for another number of dimensions and after the first batch.
  void start_from(const Embedding& embedding);
  /// The points [nodes, dimensions], at radius 1. advance changes them in place.
  const Tensor<double>& points() const;
  /// F1 of the last validation and of the best one, over the pairs of all relations; 0 before the
  /// first validation.
  double last_f1() const;
  double best_f1() const;
  /// The best points, or the last ones if there was no validation. For each relation the result has
  /// the size of cones and the scores on the test. Validation chooses the size among
  /// options().sizes; of equally good sizes it takes the first.
  ConeResult result() const;
};

}  // namespace mct::embed
