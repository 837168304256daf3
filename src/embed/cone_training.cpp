// Training of cones: a Trainer with the loss of cones.
#include "mctensor/embed/cone_training.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/export.hpp"
#include "mctensor/error.hpp"
#include "src/embed/cone_loss.hpp"
#include "src/embed/point_table.hpp"
#include "src/embed/trainer_state.hpp"
#include "src/graph/fingerprint.hpp"

namespace mct::embed {
namespace {

ConeTrainingOptions in_space_of_cones(ConeTrainingOptions options) {
  options.space = {.storage = options.cones.storage,
                   .dimensions = options.cones.dimensions,
                   .components = 1,
                   .factors = 1,
                   .radius = options.cones.radius};
  return options;
}

void check_number(const char* name, double value, double least) {
  if (!(value >= least) || !std::isfinite(value))
    throw DomainError("cone training: " + std::string(name) + " " + number_text(value) +
                      ", expected at least " + number_text(least));
}

}  // namespace

void ConeTrainingOptions::check() const {
  cones.check();
  in_space_of_cones(*this).TrainOptions::check("cone training");
  check_number("gamma_1", gamma_1, 0);
  check_number("gamma_2", gamma_2, 0);
  check_number("gamma_3", gamma_3, 0);
  check_number("check_every", check_every, 1);
  for (const double size : sizes) {
    ConeSystem system = cones;
    system.size = size;
    system.check();
  }
}

namespace {

const LossOfCones& loss_in(const TrainingLoss& loss) {
  return static_cast<const LossOfCones&>(loss);
}

}  // namespace

ConeTrainer::ConeTrainer(const EdgeSplit& split, const Graph& closure,
                         const ConeTrainingOptions& options)
    : ConeTrainer({{"", split, closure, options.cones.light}}, options) {}
ConeTrainer::ConeTrainer(const std::vector<TrainedRelation>& relations,
                         const ConeTrainingOptions& options)
    : Trainer([&] {
        auto edges = std::make_shared<const Graph>(joined_edges(relations));
        auto loss = std::make_unique<LossOfCones>(relations, in_space_of_cones(options));
        const TrainOptions& of_all = loss->options();
        return std::make_unique<State>(std::move(edges), of_all, nullptr, std::move(loss));
      }()) {}

const ConeTrainingOptions& ConeTrainer::options() const { return loss_in(*state().loss).options(); }
const Tensor<double>& ConeTrainer::points() const { return state().points; }
double ConeTrainer::last_f1() const { return loss_in(*state().loss).best().last_f1; }
double ConeTrainer::best_f1() const { return loss_in(*state().loss).best().f1; }

void ConeTrainer::start_from(const Embedding& embedding) {
  if (epochs() > 0 || batches() > 0)
    throw DomainError("cone training: points begin before the first batch");
  const EmbeddingSpace& space = options().space;
  const EmbeddingSpace& from = embedding.space();
  if (from.dimensions != space.dimensions || from.factors != 1)
    throw DomainError("cone training: initial points of " + from.text() + ", expected " +
                      std::to_string(space.dimensions) + " dimensions of one factor");
  const bool in_ball = space.storage == PointStorage::ball;
  const HalfSpacePoints in_half_space = embedding.half_space();  // throws for invalid points
  const Tensor<double> found = in_ball ? ball_coordinates(embedding) : in_half_space.factors[0];
  const std::int64_t planes = in_ball ? 1 : found.size(0);
  const double unit = in_ball ? 1 / from.radius : 1;
  const Graph& graph = *state().graph;
  Tensor<double> points(state().points.shape());  // zeros
  const std::int64_t n = points.size(1);
  for (std::int64_t row = 0; row < points.size(0); ++row) {
    const std::string_view name = graph.name(std::int32_t(row));
    const std::int32_t node = embedding.find(name);
    if (node < 0)
      throw DomainError("cone training: the embedding has no point for '" + std::string(name) +
                        "'");
    double* const to = points.data() + row * n;
    for (std::int64_t k = 0; k < planes; ++k)
      for (std::int64_t i = 0; i < n; ++i)
        to[i] += unit * found.data()[(k * std::int64_t(embedding.size()) + node) * n + i];
    state().loss->settle(to);
  }
  static_cast<LossOfCones&>(*state().loss).set_start(fingerprint(points));
  state().points.copy_(points);
}

namespace {

/// The size that validation chooses, and the scores with it. `radius`: of the resulting cones.
RelationResult result_of(const LossOfCones::Part& part, std::vector<double> sizes,
                         const Tensor<double>& points, double radius) {
  if (sizes.empty()) sizes = {part.cones.size};
  std::optional<BinaryScores> best;
  ConeSystem chosen = part.cones;
  for (const double size : sizes) {
    ConeSystem cones = part.cones;
    cones.size = size;
    const BinaryScores scores = classify(at_radius(1, cones), points, part.validation);
    if (best && scores.f1() <= best->f1()) continue;
    best = scores;
    chosen = cones;
  }
  const BinaryScores test = classify(at_radius(1, chosen), points, part.test);
  return {part.name, at_radius(radius, chosen), *best, test};
}

}  // namespace

ConeResult ConeTrainer::result() const {
  const LossOfCones& loss = loss_in(*state().loss);
  const bool validated = loss.best().epoch > 0;
  const Tensor<double>& points = validated ? loss.best().points : state().points;
  EmbeddingSpace space = options().space;
  // where a radius is learned, the lengths of cones go with it
  space.radius = validated ? loss.best().radius : radius();
  ConeResult result{Embedding(state().graph->names(), space, coordinates_of(space, points)),
                    validated ? loss.best().epoch : epochs(),
                    {},
                    {},
                    {},
                    {}};
  for (const LossOfCones::Part& part : loss.parts()) {
    const RelationResult& found =
        result.relations.emplace_back(result_of(part, options().sizes, points, space.radius));
    note_cones(result.embedding, found.cones, found.name);
    result.validation += found.validation;
    result.test += found.test;
  }
  result.cones = result.relations[0].cones;
  return result;
}

}  // namespace mct::embed
