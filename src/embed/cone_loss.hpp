// The loss of cones: descendants lie in their ancestors' cones, others outside, for each relation
// in the cones of its light.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mctensor/embed/cone_training.hpp"
#include "src/embed/cone_relation.hpp"
#include "src/embed/corrupted_pairs.hpp"
#include "src/embed/training_loss.hpp"

namespace mct::embed {

/// The cones of the same figure in a space of this radius. Training has points at radius 1.
ConeSystem at_radius(double radius, ConeSystem cones);

/// The edges that are trained of all relations, one relation after the other. Throws as
/// ConeTrainer.
Graph joined_edges(const std::vector<TrainedRelation>& relations);

/// The first row of an example is in all its pairs: an edge's ancestor, in the edge's second
/// example the descendant. The next one is the other node of the edge, and the rest are others in
/// its place. Keeps the best points by validation.
class LossOfCones final : public TrainingLoss {
 public:
  LossOfCones(const std::vector<TrainedRelation>& relations, const ConeTrainingOptions& options);

  /// One of the relations.
  struct Part {
    std::string name;
    ConeSystem cones;
    std::size_t first_edge, edges;  // among joined_edges
    CorruptedPairs corrupted;
    LabelledPairs validation, test;
    std::unique_ptr<ConeRelation> relation;  // at radius 1
  };
  const ConeTrainingOptions& options() const { return options_; }
  const std::vector<Part>& parts() const { return parts_; }
  /// The best points by validation.
  struct Best {
    Tensor<double> points{{0, 0}};
    std::int64_t epoch = 0;  // 0: none has been validated
    double f1 = 0, last_f1 = 0;
    double radius = 0;
  };
  const Best& best() const { return best_; }
  /// Names where points begin, other than near the origin.
  void set_start(std::string start) { start_ = std::move(start); }

  int width() const override { return 2 + options_.negatives; }
  int examples_of_edge() const override { return 2; }
  void prepare(int threads) override;
  void draw(const EdgeBatch& batch, std::int64_t begin, std::int64_t end, int thread,
            std::int32_t* rows, double* shares) override;
  void find_gradients(const EdgeBatch& batch, const embed_detail::PointTable<const double>& points,
                      std::int64_t begin, std::int64_t end, int thread, std::int32_t* rows,
                      const double* shares, const embed_detail::AnyResults& results) override;
  bool settles() const override { return true; }
  void settle(double* point) const override;
  void end_epoch(std::int64_t epochs, bool is_last, const Tensor<double>& points,
                 double radius) override;
  void describe(Description& description) const override;
  void save(SafetensorsWriter& writer) const override;
  std::function<void()> load(const std::string& file, const SafetensorsReader& reader) override;

 private:
  /// The pairs of an example on their way.
  struct Pairs {
    std::vector<int> places;  // of their other nodes in the example
    std::vector<double> distances, slopes;
    std::vector<double> by_first, by_other;
  };

  const Part& part_of(std::size_t edge) const;
  void require_lights_apart() const;
  double loss_of(Pairs& pairs, double scale) const;

  ConeTrainingOptions options_;
  std::vector<Part> parts_;
  double nearest_ = 0;  // to the light that points of the ball come, as a coordinate
  std::int64_t nodes_;
  std::string start_ = "near the origin";
  Best best_;
  std::vector<Pairs> pairs_;  // of the threads
};

}  // namespace mct::embed
