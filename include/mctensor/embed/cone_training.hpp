// Points whose cones are a hierarchy: training with shadow and entailment cones.
//
//   const Graph closure = transitive_closure(graph);
//   const EdgeSplit split = split_edges(closure, {.percent = 50});
//   ConeTrainer trainer(split, closure, {.cones = {.dimensions = 5}});
//   while (trainer.epoch() < trainer.options().epochs) trainer.run_epoch();
//   const ConeResult result = trainer.result();
//   result.embedding.save("mammals.safetensors");
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/embed/split.hpp"

namespace mct::embed {

enum class ConeLoss {
  shadow,      ///< geometry::shadow_loss, the mean over pairs and both directions
  max_margin,  ///< geometry::max_margin_loss with the margin gamma_1, over their number
};
inline constexpr Names<ConeLoss, 2> cone_loss_names{
    {{ConeLoss::shadow, "shadow"}, {ConeLoss::max_margin, "max-margin"}}};

struct ConeTrainingOptions {
  ConeSystem cones;
  ConeLoss loss = ConeLoss::shadow;
  int epochs = 400;
  int batch = 16;  ///< edges of a step; the last one of an epoch may have fewer
  double lr = 0.01;
  int burn_in_epochs = 20;
  double burn_in_factor = 0.01;  ///< of lr in these
  int negatives = 10;            ///< of each edge and direction, drawn anew in every epoch
  double gamma_1 = 1e-3;         ///< how far from the cone the others are pushed
  double gamma_2 = 0;            ///< how deep into it those that belong there are drawn
  double gamma_3 = 1e-4;         ///< how far beyond the apex those above it are drawn
  /// Longest gradient of a node in a step. Next to the light the aperture, and with it all
  /// gradients, grow beyond all bounds; in the half-space far above a descendant, too.
  double clip = std::numeric_limits<double>::infinity();
  double start = 1e-3;        ///< points begin at so much from the origin in every coordinate
  int check_every = 20;       ///< epochs between validations; the best points are kept
  std::vector<double> sizes;  ///< of cones, to choose from afterwards; none: the one trained
  std::uint64_t seed = 0;
};

struct ConeResult {
  Embedding embedding;  ///< the best points by validation, with a note of `cones`
  int epoch = 0;        ///< after which they were found
  ConeSystem cones;     ///< with the size that was chosen by validation
  BinaryScores validation, test;
};

/// Learns points such that the descendants of a node lie in its cone. Every edge is trained in both
/// directions: its descendant beside others in the ancestor's cone, and the cones of its ancestor
/// beside those of others around the descendant. Others are those that no trained edge relates so;
/// held-out ones may be among them, as the training knows nothing of these. Riemannian gradient
/// descent, duplicates of a node added; points are kept out of the light.
///
/// Everything depends on the options alone: any number of threads finds the same bits, and so does
/// a trainer that has loaded what another saved. Source: Yu 2024, sections 2.2.2, 2.2.3 and A.1.3,
/// with the corrections of docs/errata.md.
class ConeTrainer {
 public:
  /// The pairs of validation and test have options.negatives others, which no edge of `closure`
  /// relates (all edges of the hierarchy). Throws DomainError for options that make no sense and a
  /// split without training edges, ShapeError for a closure with other nodes.
  ConeTrainer(const EdgeSplit& split, const Graph& closure, const ConeTrainingOptions& options);
  ConeTrainer(ConeTrainer&&) noexcept;
  ~ConeTrainer();

  const ConeTrainingOptions& options() const;
  /// How many have been run.
  int epoch() const;
  /// Goes once through the edges, in random order; the mean loss of the pairs. Every
  /// options().check_every epochs the points are validated.
  double run_epoch();
  /// [nodes, dimensions]; changed in place by run_epoch.
  const Tensor<double>& points() const;
  /// F1 of the last validation, and of the best; 0 before the first.
  double last_f1() const;
  double best_f1() const;
  /// Steps of points that were not taken because they would have left the space's numbers.
  std::int64_t lost_steps() const;

  /// The best points (the last ones, if none have been validated), the size chosen by validation
  /// among options().sizes (of equal ones the first), and what they give on the test.
  ConeResult result() const;

  /// All that run_epoch needs, and the best points, in a safetensors file. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Goes on from there. Throws IoError, naming what differs, for a file of other options or nodes;
  /// then nothing has changed.
  void load(const std::filesystem::path& path);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mct::embed
