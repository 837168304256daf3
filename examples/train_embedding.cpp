// A hierarchy is embedded, and what came out is looked at.
#include <cstdio>
#include <memory>
#include <string>

#include "mctensor/embed/all.hpp"

int main() {
  using namespace mct::embed;
  // a tree of three children each, four levels deep
  auto names = std::make_shared<NameTable>();
  std::vector<std::int32_t> sources, targets;
  for (int node = 0; node < 121; ++node) {
    names->enter("node " + std::to_string(node));
    if (node == 0) continue;
    sources.push_back(node);
    targets.push_back((node - 1) / 3);
  }
  const auto closure =
      std::make_shared<const Graph>(transitive_closure(Graph(names, sources, targets)));

  TrainOptions options;
  options.space = {PointStorage::xmc_half_space, 2, 2};  // two dimensions, two components
  options.epochs = 400;
  options.lr = 3;
  Trainer trainer(closure, options);
  while (!trainer.done()) trainer.advance(1000);  // batches

  const Embedding embedding = trainer.embedding();
  const HalfSpacePoints points = embedding.half_space();
  const RankingReport report = evaluate(points, *closure);
  std::printf("MAP %.3f, mean rank %.3f\n", report.mean_average_precision, report.mean_rank);
  for (const NodeDistance& other : nearest(points, embedding.find("node 5"), 3))
    std::printf("%s is %.2f from node 5\n", std::string(embedding.name(other.node)).c_str(),
                other.distance);
  return report.mean_average_precision > 0.9 ? 0 : 1;
}
