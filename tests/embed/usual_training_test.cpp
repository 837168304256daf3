// What the settings that are chosen reach in a few epochs, so that they do not get worse unnoticed.
#include <gtest/gtest.h>

#include <memory>

#include "mctensor/embed/evaluate.hpp"
#include "mctensor/embed/read_graph.hpp"
#include "mctensor/embed/train.hpp"
#include "mctensor/embed/usual_options.hpp"

namespace mct::embed {
namespace {

/// Of WordNet's mammals by what is chosen for so many epochs.
RankingReport of_mammals(int dimensions, int factors, std::int64_t epochs) {
  static const auto graph =
      std::make_shared<const Graph>(read_graph(MCT_SOURCE_DATA_DIR "/wordnet_mammals.tsv"));
  EmbeddingSpace space;
  space.dimensions = dimensions;
  space.factors = factors;
  Trainer trainer(graph, usual_options(space, Optimizer::rsgd, graph->edge_count(), {}, epochs));
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
}

}  // namespace
}  // namespace mct::embed
