// Embeds a binary tree in the Poincaré disk, with gradients by autograd, Riemannian Adam and a
// learned curvature, and prints by how much distances are stretched beside Sarkar's construction.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <mctensor/embed/all.hpp>
#include <mctensor/mctensor.hpp>

using namespace mct;
using namespace mct::geometry;

/// The largest stretch over the smallest.
double distortion(const std::vector<double>& distances, const std::vector<double>& edges) {
  double least = HUGE_VAL, largest = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    least = std::min(least, distances[i] / edges[i]);
    largest = std::max(largest, distances[i] / edges[i]);
  }
  return largest / least;
}

int main() {
  constexpr std::int64_t nodes = 15;  // node i has the parent (i - 1) / 2
  std::vector<std::int64_t> from, to;
  std::vector<double> edges;
  for (std::int64_t i = 0; i < nodes; ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      double count = 0;
      for (std::int64_t a = i + 1, b = j + 1; a != b; ++count) (a > b ? a : b) /= 2;
      from.push_back(i), to.push_back(j), edges.push_back(count);
    }
  const auto wanted = Tensor<double>::from_values(edges);
  const auto first = Tensor<std::int64_t>::from_values(from);
  const auto second = Tensor<std::int64_t>::from_values(to);

  const Variable<double> radius(Tensor<double>::scalar(1.0), true);
  const Learnable<PoincareBall<double>> ball(radius);
  const Variable<double> x(random_normal(ball.manifold(), {nodes, 2}, 1, 0.1), true);
  Radam adam(ManifoldRows{ball.manifold()}, x, {.lr = 0.03});
  adam.learn_radius(radius, {.lr = 0.03});
  const auto distances = [&] {
    return ball.dist(index_select(x, 0, first), index_select(x, 0, second));
  };
  for (int step = 0; step < 1000; ++step) {
    adam.zero_grad();
    const auto error = distances() / wanted - 1.0;
    mean(error * error).backward();
    adam.step();
  }
  const double learned = distortion(distances().value().values(), edges);
  std::printf("learned:  distortion %.3f, curvature %.3f\n", learned,
              -1 / (radius.item() * radius.item()));

  std::vector<std::pair<std::string, std::string>> parents{{"0", ""}};
  for (std::int64_t i = 1; i < nodes; ++i)
    parents.emplace_back(std::to_string(i), std::to_string((i - 1) / 2));
  const auto tree = embed::Tree::from_parents(parents);
  const LTiling<double> plane;
  const auto points = embed::sarkar_embedding(plane, tree, embed::sarkar_edge_length(tree, 0.1));
  std::vector<std::size_t> place(nodes);  // the tree has an order of its own
  for (std::size_t i = 0; i < tree.size(); ++i) place[std::stoul(tree.name(i))] = i;
  std::vector<double> built;
  for (std::size_t k = 0; k < edges.size(); ++k)
    built.push_back(
        plane.dist(points[place[std::size_t(from[k])]], points[place[std::size_t(to[k])]]));
  std::printf("Sarkar's: distortion %.3f, edges of length %.1f\n", distortion(built, edges),
              embed::sarkar_edge_length(tree, 0.1));
  return learned < 2 && distortion(built, edges) <= 1.1 ? 0 : 1;
}
