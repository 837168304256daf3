// Points whose cones are a hierarchy: training with shadow and entailment cones.
//
//   const Graph closure = transitive_closure(graph);
//   const EdgeSplit split = split_edges(closure, {.percent = 50});
//   ConeTrainer trainer(split, closure, usual_options(ConeSystem{.dimensions = 5}));
//   while (!trainer.done()) trainer.advance(trainer.batches_in_epoch());
//   const ConeResult result = trainer.result();
//   result.embedding.save("mammals.safetensors");
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/graph/split.hpp"

namespace mct::embed {

enum class ConeLoss {
  shadow,      ///< geometry::shadow_loss, the mean over edges, of both directions added
  max_margin,  ///< geometry::max_margin_loss with the margin gamma_1, likewise
};
inline constexpr Names<ConeLoss, 2> cone_loss_names{
    {{ConeLoss::shadow, "shadow"}, {ConeLoss::max_margin, "max-margin"}}};
inline std::string_view name_of(ConeLoss loss) { return cone_loss_names.of(loss); }

/// Options of a training of cones. Those of TrainOptions mean what they mean there, with two
/// differences: `space` is not read, because it is that of the cones, and distances from cones take
/// the place of distances between points, so that `sharpness` multiplies those.
struct ConeTrainingOptions : TrainOptions {
  ConeTrainingOptions() {
    lr = 0.01;
    batch = 16;
    negatives = 10;  // of each edge and direction
    sharpness = 1;
    epochs = 400;
    init = 1e-5;
  }

  ConeSystem cones;
  ConeLoss loss = ConeLoss::shadow;
  double gamma_1 = 1e-3;  ///< how far from the cone the others are pushed
  double gamma_2 = 0;     ///< how deep into it those that belong there are drawn
  double gamma_3 = 1e-4;  ///< how far beyond the apex those above it are drawn, in radii
  /// Whether each epoch draws other negatives. If not, an edge has the same ones for ever: then
  /// most edges that follow from the trained ones, which nobody knows, are never taken for
  /// negatives.
  bool fresh_negatives = true;
  int check_every = 20;       ///< epochs between validations; the best points are kept
  std::vector<double> sizes;  ///< of cones, to choose from afterwards; none: the one trained

  /// Throws DomainError naming the option that makes no sense.
  void check() const;
};

struct ConeResult {
  Embedding embedding;     ///< the best points by validation, with a note of `cones`
  std::int64_t epoch = 0;  ///< after which they were found
  ConeSystem cones;        ///< with the size that was chosen by validation
  BinaryScores validation, test;
};

/// A Trainer that learns points such that the descendants of a node lie in its cone. Every edge has
/// two examples: its descendant beside others in the ancestor's cone, and the cones of its ancestor
/// beside those of others around the descendant. Others are those that no trained edge relates so;
/// held-out ones may be among them, as the training knows nothing of these. Points are kept out of
/// the light. A radius that is learned (radius_lr) goes with the sizes of cones: the figure stays,
/// and its distances grow.
///
/// Bits, files and steps are as Trainer's. Source: Yu 2024, sections 2.2.2, 2.2.3 and A.1.3, with
/// the corrections of docs/errata.md.
class ConeTrainer : public Trainer {
 public:
  /// The pairs of validation and test have options.negatives others, which no edge of `closure`
  /// relates (all edges of the hierarchy). Throws DomainError for options that make no sense and a
  /// split without training edges, ShapeError for a closure with other nodes.
  ConeTrainer(const EdgeSplit& split, const Graph& closure, const ConeTrainingOptions& options);

  const ConeTrainingOptions& options() const;
  /// Before the first epoch: points begin where they are in an embedding, which has a point for
  /// every node by its name, and are moved out of the light. Points of other models come along with
  /// their distances, in radii. Throws DomainError, naming the node, for one that it does not have
  /// or that is no point, for another number of dimensions and after the first batch.
  void start_from(const Embedding& embedding);
  /// [nodes, dimensions], at radius 1; changed in place by advance.
  const Tensor<double>& points() const;
  /// F1 of the last validation, and of the best; 0 before the first.
  double last_f1() const;
  double best_f1() const;
  /// The best points (the last ones, if none have been validated), the size chosen by validation
  /// among options().sizes (of equal ones the first), and what they give on the test.
  ConeResult result() const;
};

}  // namespace mct::embed
