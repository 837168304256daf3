// Two points one apart, 100 from the origin of the hyperbolic plane: double coordinates cannot tell
// where they are, four components can; then one is trained to find the other.
#include <array>
#include <cmath>
#include <cstdio>
#include <mctensor/geometry/optim/all.hpp>
#include <mctensor/geometry/storage/halfspace/all.hpp>

using namespace mct::geometry;

/// Goes down ten times, each step 10 long, then 1 aside; the distance of the last two points.
template <class Space>
double last_distance(const Space& space) {
  auto p = Space::template origin<2>();
  for (int i = 0; i < 10; ++i) p = space.template expmap<2>(p, std::array<double, 2>{6, -8});
  const auto q = space.template expmap<2>(p, std::array<double, 2>{1, 0});
  return space.template dist<2>(p, q);
}

int main() {
  const double plain = last_distance(XmcHalfSpace<double, 1>());
  const double accurate = last_distance(XmcHalfSpace<double, 4>());
  std::printf("exact        1\ndouble       %.15g\n4 components %.15g\n", plain, accurate);

  using Rows = HalfSpaceRows<XmcHalfSpace<double, 4>, double, 4, 2>;
  const Rows rows(1.0);  // radius of curvature
  auto goal = XmcHalfSpace<double, 4>::origin<2>();
  for (int i = 0; i < 10; ++i) goal = rows.expmap(goal, {6, -8});
  const mct::Tensor<double, 4> points({1, 2});
  rows.store(points, 0, rows.expmap(goal, {0.3, 0.4}));
  Rsgd<Rows> optimizer(rows, points, {.lr = 0.5});
  for (int i = 0; i < 60; ++i) {
    const auto x = rows.load(points, 0);
    // the gradient of d^2 / 2 in coordinates
    auto g = rows.space().dist_gradient<2>(x, goal);
    for (double& c : g) c *= rows.space().dist<2>(x, goal);
    optimizer.step(mct::Tensor<double>::from_values({g[0], g[1]}, {1, 2}));
  }
  const double left = rows.space().dist<2>(rows.load(points, 0), goal);
  std::printf("trained to   %.2g\n", left);
  return std::fabs(accurate - 1) < 1e-13 && left < 1e-12 && !(std::fabs(plain - 1) < 1e-3) ? 0 : 1;
}
