// Learns which node of a tree is above which other: umbral cones in the half-plane, the shadow
// loss, Riemannian gradient descent. Prints how many relations the cones tell right.
#include <cstdint>
#include <cstdio>
#include <vector>

#include <mctensor/mctensor.hpp>

using namespace mct;
using namespace mct::geometry;

int main() {
  constexpr std::int64_t nodes = 31;  // node i has the parent (i - 1) / 2
  const auto above = [](std::int64_t a, std::int64_t b) {
    while (b > a) b = (b - 1) / 2;
    return a == b;
  };
  // of every relation both nodes, and beside its first all those that are not below it
  constexpr std::int64_t others = 10;
  std::vector<std::int64_t> upper, lower, wrong;
  std::uint32_t state = 1;
  for (std::int64_t a = 0; a < nodes; ++a)
    for (std::int64_t b = a + 1; b < nodes; ++b)
      if (a > 0 && above(a, b)) {  // everything is below the root
        upper.push_back(a), lower.push_back(b);
        for (std::int64_t drawn = 0; drawn < others;) {
          state = state * 1664525u + 1013904223u;
          const std::int64_t c = (state >> 8) % nodes;
          if (!above(a, c)) wrong.push_back(c), ++drawn;
        }
      }
  const auto count = std::int64_t(upper.size());
  const auto parents = Tensor<std::int64_t>::from_values(upper);
  const auto children = Tensor<std::int64_t>::from_values(lower);
  const auto strangers = Tensor<std::int64_t>::from_values(wrong);

  const UmbralCones cones(HalfSpace<double>(1), 0.1);
  const Variable<double> x(random_normal(cones.manifold(), {nodes, 2}, 1, 0.1), true);
  Radam optimizer(ManifoldRows{cones.manifold()}, x, {.lr = 0.05});
  for (int step = 0; step < 500; ++step) {
    optimizer.zero_grad();
    const auto u = index_select(x, 0, parents), v = index_select(x, 0, children);
    const auto w = index_select(x, 0, strangers).reshape({count, others, 2});
    shadow_loss(cones.cone_distance(u, v, 1e-4), cones.cone_distance(u.unsqueeze(1), w, 1e-4), 0.5,
                0.05)
        .backward();
    optimizer.step();
  }
  const auto told = contains(cones, x.value().unsqueeze(1), x.value());
  int right = 0, all = 0, found = 0;
  for (std::int64_t a = 1; a < nodes; ++a)
    for (std::int64_t b = 0; b < nodes; ++b) {
      const bool is = above(a, b);
      right += told.at({a, b}) == is ? 1 : 0;
      found += is && told.at({a, b}) ? 1 : 0, ++all;
    }
  std::printf("%d of %d pairs, %d of them relations\n", right, all, found);
  return right > all * 0.97 ? 0 : 1;
}
