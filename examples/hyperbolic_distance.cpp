// Hyperbolic space that keeps its digits: two points 100 away from the origin, in three models.
#include <cmath>
#include <cstdio>
#include <mctensor/geometry/all.hpp>

using namespace mct::geometry;

int main() {
  const PoincareBall<double> ball(1);  // curvature -1
  const HalfSpace<double> half(1);

  // near the origin every model will do; coordinates may be of any type of the library
  const Point<double, 2> x(0.1, 0.2), y(-0.3, 0.4);
  const Point<double, 2> u = ball.logmap(x, y);
  std::printf("distance %.17g, length of the logarithm %.17g\n", ball.dist(x, y), ball.norm(x, u));
  const mct::f64x2 fine = PoincareBall<mct::f64x2>(1).dist(Point<mct::f64x2, 2>(0.1, 0.2),
                                                           Point<mct::f64x2, 2>(-0.3, 0.4));

  // 100 from the origin, plain coordinates of the ball are all on the boundary: a BallPoint carries
  // its distance from it
  const auto a = ball_expmap0(ball, Point<double, 2>(50, 0));
  const auto b = ball_expmap0(ball, Point<double, 2>(0, 50));
  const double far = dist(ball, a, b);
  std::printf("coordinates %.17g %.17g, gap %.3g\n", a.x[0], a.x[1], a.gap);

  // the same points in the half-space, where nothing special is needed
  const double same = half.dist(convert<HalfSpace>(ball, a), convert<HalfSpace>(ball, b));
  const double exact = 2 * std::asinh(std::sinh(100.0) / std::sqrt(2.0));  // a right angle
  std::printf("ball %.17g\nhalf %.17g\nexact %.17g\n", far, same, exact);

  const bool near_agrees = std::fabs(ball.dist(x, y) - double(fine)) < 1e-15;
  const bool far_agrees = std::fabs(far - exact) < 1e-13 && std::fabs(same - exact) < 1e-13;
  return near_agrees && far_agrees ? 0 : 1;
}
