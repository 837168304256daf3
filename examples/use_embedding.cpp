// An embedding without training: how good it is, what lies next to a node, and its points for
// other programs.
#include <cstdio>
#include <filesystem>
#include <mctensor/mctensor.hpp>
#include <string>

int main() {
  using namespace mct::embed;
  auto names = std::make_shared<NameTable>();
  for (const char* name : {"animal", "mammal", "bird", "dog", "fox", "cat", "owl", "hen"})
    names->enter(name);
  const Graph parents(names, {1, 2, 3, 4, 5, 6, 7}, {0, 0, 1, 1, 1, 2, 2});

  CombinatorialOptions options;
  options.edge_length = 3;
  const Embedding embedding = combinatorial_embedding(parents, options);
  const HalfSpacePoints points = embedding.half_space();

  const RankingReport own = evaluate(points, parents);
  const RankingReport all = evaluate(points, transitive_closure(parents));
  std::printf("parents: MAP %.3f, mean rank %.2f\n", own.mean_average_precision, own.mean_rank);
  std::printf("all ancestors: MAP %.3f, mean rank %.2f\n", all.mean_average_precision,
              all.mean_rank);

  const auto around = nearest(points, embedding.find("dog"), 3);
  for (const NodeDistance& other : around)
    std::printf("dog to %s: %.3f\n", std::string(embedding.name(other.node)).c_str(),
                other.distance);
  std::printf("the centre is %s\n", std::string(embedding.name(central_node(points))).c_str());

  const auto directory = std::filesystem::temp_directory_path();
  const auto file = directory / "mctensor_example_use.safetensors";
  const auto vectors = directory / "mctensor_example_use.txt";
  embedding.save(file);  // for `mct eval`, `mct nearest`, `mct export`
  save_word_vectors(vectors, *names, ball_coordinates(embedding));
  const bool same =
      Embedding::load(file).coordinates().values() == embedding.coordinates().values();
  std::filesystem::remove(file);
  std::filesystem::remove(vectors);
  return same && own.mean_average_precision > 0.7 && embedding.name(around[0].node) == "mammal" ? 0
                                                                                                : 1;
}
