// A tree in the hyperbolic plane, 40 levels deep, drawn as seen from one of its deepest nodes.
#include <cstdio>
#include <filesystem>
#include <mctensor/mctensor.hpp>
#include <string>
#include <vector>

int main() {
  using namespace mct::embed;
  // a spine of nodes with a leaf each: node i lies log 3 below node i - 1, and a little to the
  // right
  constexpr std::int64_t levels = 40;
  auto names = std::make_shared<NameTable>();
  std::vector<std::int32_t> child, parent;
  mct::Tensor<double> points({2, 2 * levels, 2});  // two components; x and height
  mct::f64x2 x = 0;
  double height = 1;
  for (std::int64_t i = 0; i < levels; ++i) {
    for (const bool leaf : {false, true}) {
      const auto node =
          std::int64_t(names->enter((leaf ? "leaf " : "spine ") + std::to_string(i)).first);
      const mct::f64x2 place = leaf ? x - 2 * height : x;
      points.data()[2 * node] = place.limb[0];
      points.data()[2 * (2 * levels + node)] = place.limb[1];
      points.data()[2 * node + 1] = leaf ? height / 2 : height;
      if (node == 0) continue;
      child.push_back(std::int32_t(node));
      parent.push_back(std::int32_t(leaf ? node - 1 : node - 2));
    }
    x = x + height;
    height = height / 3;
  }
  const Embedding embedding(names, {PointStorage::xmc_half_space, 2, 2, 1, 1}, points);
  const Graph edges(names, child, parent);

  // 43 from the root, where doubles alone no longer tell a node from its leaf
  const std::int32_t deepest = embedding.find("spine 39");
  const DiskPoints disk = disk_points(embedding.half_space(), deepest);
  const auto leaf = std::size_t(embedding.find("leaf 39"));
  std::printf("seen from 'spine 39', its leaf lies at (%.3f, %.3f)\n", disk.x[leaf], disk.y[leaf]);

  const auto path = std::filesystem::temp_directory_path() / "mctensor_example_disk.svg";
  PictureOptions options;
  options.centre = deepest;
  const DrawnCounts drawn = write_disk_svg(path, embedding, edges, options);
  std::printf("%s: %zu nodes, %zu edges, %zu labels\n", path.c_str(), drawn.nodes, drawn.edges,
              drawn.labels);
  std::filesystem::remove(path);
  // by hand: 2 u / (u^2 + (v + 1)^2) of (-2, 1/2)
  return std::abs(disk.x[leaf] + 4 / 6.25) < 1e-12 && drawn.nodes > 5 ? 0 : 1;
}
