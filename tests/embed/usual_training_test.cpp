// What the settings that are chosen reach in a few epochs, so that they do not get worse unnoticed.
#include <gtest/gtest.h>

#include <memory>

#include "mctensor/embed/cone_training.hpp"
#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/embed/usual_options.hpp"
#include "mctensor/graph/read_graph.hpp"
#include "mctensor/graph/split.hpp"

namespace mct::embed {
namespace {

/// Of WordNet's mammals by what is chosen for so many epochs.
RankingReport of_mammals(int dimensions, int factors, std::int64_t epochs,
                         Dtype dtype = Dtype::float64) {
  static const auto graph =
      std::make_shared<const Graph>(read_graph(MCT_SOURCE_DATA_DIR "/wordnet_mammals.tsv"));
  EmbeddingSpace space;
  space.dimensions = dimensions;
  space.factors = factors;
  TrainOptions options = usual_options(space, Optimizer::rsgd, graph->edge_count(), {}, epochs);
  options.dtype = dtype;
  if (dtype == Dtype::float32) options.space.components = 1;
  Trainer trainer(graph, options);
  while (!trainer.done()) trainer.advance(1000);
  return evaluate(trainer.embedding().half_space(), *graph);
}

TEST(UsualTraining, OfMammalsIsAsGoodAsItWas) {
  EXPECT_NEAR(of_mammals(2, 1, 120).mean_average_precision, 0.94, 0.03);
  const RankingReport space = of_mammals(5, 1, 60);
  EXPECT_NEAR(space.mean_average_precision, 0.96, 0.02);
  EXPECT_LT(space.mean_rank, 1.4);
  const RankingReport planes = of_mammals(2, 5, 60);
  EXPECT_NEAR(planes.mean_average_precision, 0.94, 0.03);
  EXPECT_LT(planes.mean_rank, 1.4);
  EXPECT_NEAR(of_mammals(2, 1, 120, Dtype::float32).mean_average_precision, 0.94, 0.03);
  EXPECT_NEAR(of_mammals(5, 1, 60, Dtype::float32).mean_average_precision, 0.96, 0.02);
}

/// F1 of the test, of mammals in 5 dimensions, after a tenth of the usual epochs.
double f1_of_cones(ConeSystem cones, double percent) {
  static const Graph closure =
      without_roots(read_graph(MCT_SOURCE_DATA_DIR "/wordnet_mammals.tsv"));
  cones.dimensions = 5;
  ConeTrainingOptions options = usual_options(cones, {}, percent == 0);
  options.epochs = 40;
  options.burn_in = 8;
  ConeTrainer trainer(split_edges(closure, {percent, 5, 5, 0}), closure, options);
  while (!trainer.done()) trainer.advance(1000);
  return trainer.result().test.f1();
}

TEST(UsualTraining, OfConesIsAsGoodAsItWas) {
  EXPECT_NEAR(f1_of_cones({ConeKind::umbral, PointStorage::half_space}, 0), 0.53, 0.08);
  EXPECT_NEAR(f1_of_cones({ConeKind::umbral, PointStorage::half_space}, 25), 0.81, 0.08);
  EXPECT_NEAR(f1_of_cones({ConeKind::penumbral, PointStorage::half_space}, 25), 0.79, 0.08);
  EXPECT_NEAR(f1_of_cones({ConeKind::umbral, PointStorage::ball}, 25), 0.64, 0.08);
}

}  // namespace
}  // namespace mct::embed
