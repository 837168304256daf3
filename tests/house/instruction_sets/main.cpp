// A program for another instruction set than the library's: that it links is the test. It calls
// what is compiled once and reached through templates of headers.
#include <cmath>
#include <cstdio>
#include <mctensor/geometry/optim/all.hpp>
#include <mctensor/mctensor.hpp>

namespace {

using namespace mct;
using namespace mct::geometry;

template <class Rows>
double radius_after(const Rows& space, const typename Rows::Points& points) {
  Rsgd<Rows> optimizer(space, points, {.lr = 0.1, .momentum = 0.5});
  optimizer.set_radius(2, Rescaling::keep_distances);
  return optimizer.space().radius();
}

double radii() {
  using Tiling = TilingRows<LTiling<double>>;
  using Cubes = TilingRows<HTiling<double, 3>>;
  using Long = HalfSpaceRows<XmcHalfSpace<double, 6>, double, 6, 2>;
  using Ball = ManifoldRows<PoincareBall<Expansion<double, 2>>>;
  const LTiling<double> plane;
  const HTiling<double, 3> cubes;
  const Long space(1);
  const Tensor<double> far({6, 2, 2});
  for (int row = 0; row < 2; ++row) space.store(far, row, XmcHalfSpace<double, 6>::origin<2>());
  return radius_after(Tiling(plane), Tiling::Points(2, plane.from_polar(0.5, {0.6, 0.8}))) +
         radius_after(Cubes(cubes), Cubes::Points(2, cubes.from_half_space({0.5, -3, 0.25}))) +
         radius_after(space, far) + radius_after(Ball(1), Tensor<double, 2>({2, 3}));
}

double points() {
  const PoincareBall<double> ball(1);
  const auto a = random_normal(ball, {8, 2}, 1);
  const auto b = random_normal(ball, {8, 2}, 2);
  const auto half = convert<HalfSpace>(ball, a);
  const auto rows = Tensor<std::int64_t>::from_values({0, 1, 2});
  half_space_expmap_(PointStorage::xmc_half_space, half, Tensor<double>({8, 2}));
  return sum(dist(ball, a, b)).item() + sum(half_space_dist(half, half)).item() +
         sum(half_space_direction(half, rows, rows)).item();
}

double products() {
  const Tensor<double, 2> x({4, 4});
  return double(sum(matmul(x, x)).item());
}

}  // namespace

int main() {
  const double sum = radii() + points() + products();
  std::printf("%s %.17g\n", to_string(f64x2("0.1"), 32).c_str(), sum);
  return std::isfinite(sum) ? 0 : 1;
}
