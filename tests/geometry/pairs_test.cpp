// All pairs and nearest neighbours, beside single distances; kernels where they are expected.
#include "mctensor/geometry/tensors/pairs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "mctensor/autograd/all.hpp"
#include "mctensor/geometry/autograd.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/models/stereographic.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;

TEST(Pairs, MethodsTakeCompiledKernels) {
  using B = Manifold<geometry::detail::BallFormulas, double>;
  using L = Manifold<geometry::detail::LorentzFormulas, f64x2>;
  using T = Tensor<double>;
  using T2 = Tensor<double, 2>;
  static_assert(geometry::detail::Compiled<operation::dist, B, T, T>);
  static_assert(geometry::detail::Compiled<operation::dist_gradient, B, T, T>);
  static_assert(geometry::detail::Compiled<operation::mobius_add, B, T, T>);
  static_assert(geometry::detail::Compiled<operation::expmap, PoincareBall<double>, T, T>);
  static_assert(geometry::detail::Compiled<operation::logmap, L, T2, T2>);
  static_assert(!geometry::detail::has_operation<operation::mobius_add, L>());
  static_assert(geometry::detail::Compiled<operation::dist_gradient, L, T2, T2>);
  static_assert(!geometry::detail::Compiled<operation::dist, Klein<double>, T, T>);
  static_assert(geometry::detail::Compiled<operation::convert<HalfSpace>, PoincareBall<double>, T>);
}

template <class M>
void expect_all_pairs(const M& m, int n) {
  // 37 in a row: some blocks of points reach into the next row
  const auto x = random_normal(m, {5, n}, 1), y = random_normal(m, {37, n}, 2);
  const auto d = cdist(m, x, y);
  ASSERT_EQ(d.shape(), (Shape{5, 37}));
  using V = typename M::Value;
  const auto point = [&](const auto& t, std::int64_t i) {
    return geometry::detail::generate<Point<V>>(n, [&](int c) { return V(t.at({i, c})); });
  };
  for (std::int64_t i = 0; i < 5; ++i)
    for (std::int64_t j = 0; j < 37; ++j) {
      const double expected(m.dist(point(x, i), point(y, j)));
      EXPECT_NEAR(double(d.at({i, j})), expected, 1e-13 * (1 + expected)) << i << " " << j;
    }
}
TEST(Pairs, DistancesAreThoseOfPoints) {
  for (const int n : {1, 2, 3, 4, 5, 8, 9, 12}) {
    expect_all_pairs(PoincareBall<double>(1.5), n);
    expect_all_pairs(HalfSpace<double>(1.5), n);
    expect_all_pairs(Lorentz<double>(1.5), n + 1);
  }
  expect_all_pairs(PoincareBall<f64x2>(f64x2(1.5)), 3);
  expect_all_pairs(Sphere<double>(1.5), 3);
}

TEST(Pairs, OfVariables) {
  const PoincareBall<double> ball(1.5);
  const auto a = random_normal(ball, {3, 2}, 1), b = random_normal(ball, {4, 2}, 2);
  const Variable<double> x(a, true), y(b, true);
  const auto d = cdist(ball, x, y);
  EXPECT_EQ(d.value().values(), cdist(ball, a, b).values());
  sum(d * d).backward();
  const Variable<double> x2(a, true);
  Tensor<double> expected({3, 2});
  for (std::int64_t j = 0; j < 4; ++j) {
    const Variable<double> one(a, true);
    const auto row = ball.dist(one, b[j]);
    sum(row * row).backward();
    add_(expected, one.grad());
  }
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_NEAR(x.grad().data()[i], expected.data()[i], 1e-12);
}

TEST(Pairs, NearestNeighbours) {
  const HalfSpace<double> m(1.5);
  const auto x = random_normal(m, {20, 3}, 1);
  const auto d = cdist(m, x, x);
  const int before = num_threads();
  set_num_threads(2);
  const auto nearest = topk(m, x, x, 4, true);
  set_num_threads(before);
  for (std::int64_t i = 0; i < 20; ++i) {
    double last = 0;
    for (std::int64_t j = 0; j < 4; ++j) {
      const std::int64_t at = nearest.indices.at({i, j});
      EXPECT_NE(at, i);
      EXPECT_NEAR(nearest.distances.at({i, j}), d.at({i, at}), 1e-13);
      EXPECT_GE(nearest.distances.at({i, j}), last);
      last = nearest.distances.at({i, j});
    }
    int nearer = 0;
    for (std::int64_t j = 0; j < 20; ++j) nearer += j != i && d.at({i, j}) < last * (1 - 1e-12);
    EXPECT_EQ(nearer, 3);
  }
  EXPECT_EQ(topk(m, x, x, 1).indices.at({7, 0}), 7);
}
TEST(Pairs, NaNIsFarthestAndShapesAreChecked) {
  const HalfSpace<double> m(1);
  auto y = random_normal(m, {3, 2}, 1);
  y.set({0, 1}, -1.0);  // no point
  const auto r = topk(m, y.narrow(0, 1, 1), y, 3);
  EXPECT_EQ(r.indices.at({0, 0}), 1);
  EXPECT_EQ(r.indices.at({0, 2}), 0);
  EXPECT_TRUE(std::isnan(r.distances.at({0, 2})));
  EXPECT_EQ(testing::message_of<ShapeError>([&] { topk(m, y, y, 3, true); }),
            "topk: k is 3, expected 0 to 2, the number of other points");
  EXPECT_THROW(topk(m, y[0], y, 1), ShapeError);
  EXPECT_THROW(cdist(m, y, Tensor<double>({4, 3})), ShapeError);
}

TEST(Pairs, GradientOfLorentzAtTheEndsOfTheRange) {
  const Lorentz<double> m;
  const auto at = [&](double a, double b) { return m.projx(Point<double, 3>{1.0, a, b}); };
  for (const double far : {1e100, 1e163, 1e290}) {
    const auto from_origin = m.dist_gradient(at(0, 0), at(far, 0));
    EXPECT_NEAR(from_origin[1], -1, 1e-14) << far;
    EXPECT_EQ(from_origin[2], 0) << far;
    // (b X / a - Y) / sinh d, where sinh d is a b - X.Y
    const auto g = m.dist_gradient(at(far, 0), at(0, 0.1));
    EXPECT_NEAR(g[1] * far, 1, 1e-14) << far;
    EXPECT_NEAR(g[2] * far, -0.1 / std::sqrt(1.01), 1e-14) << far;
  }
}
TEST(Pairs, GradientToNoPointIsNaN) {
  const Point<double, 2> in{0.1, 0.0};
  const Point<double, 2> out{2.0, 0.0};
  EXPECT_TRUE(std::isnan(PoincareBall<double>(1).dist_gradient(in, out)[0]));
  EXPECT_TRUE(std::isnan(PoincareBall<double>(1).dist_gradient(out, in)[0]));
  const Point<double, 2> high{0.1, 1.0};
  const Point<double, 2> below{2.0, -1.0};
  EXPECT_TRUE(std::isnan(HalfSpace<double>(1).dist_gradient(high, below)[0]));
  EXPECT_TRUE(std::isnan(HalfSpace<double>(1).dist_gradient(below, below)[0]));
  EXPECT_TRUE(std::isnan(Stereographic<double>(-1).dist_gradient(in, out)[0]));
}
/// A point's results have the same bits whatever stands beside it in a register: equal, tiny, huge
/// and far points go other ways than ordinary ones.
template <template <class> class M, int N>
void expect_lanes_apart() {
  using V = typename Tensor<double, N>::Value;
  for (const double radius : {1.5, 1e-45, 5e44}) {
    const M<V> m{V(radius)};
    constexpr std::int64_t count = 67;
    const double deviation = std::fmin(1, 100 * radius);  // time and space are numbers there
    auto x = random_normal(m, {count, 4}, 1, deviation);
    auto y = random_normal(m, {count, 4}, 2, deviation);
    for (std::int64_t i = 0; i < count; ++i) {
      const double size = i % 7 == 3 ? 1e-170 : i % 7 == 5 ? 1e-90 : 1;
      for (std::int64_t c = 0; c < 3; ++c) x.set({i, c}, x.at({i, c}) * V(size));
      const auto from = i % 5 == 2 ? x : y;
      for (std::int64_t c = 0; c < 4; ++c) y.set({i, c}, from.at({i, c}));
    }
    const auto u = logmap(m, x, y);
    const auto expect_same = [&](const char* name, const auto& f) {
      const auto all = f(x, y, u);
      for (std::int64_t i = 0; i < count; ++i) {
        const auto alone = f(x.narrow(0, i, 1), y.narrow(0, i, 1), u.narrow(0, i, 1));
        const auto beside = all.narrow(0, i, 1).contiguous();
        for (int limb = 0; limb < N; ++limb)
          EXPECT_EQ(std::memcmp(alone.data(limb), beside.data(limb),
                                std::size_t(alone.numel()) * sizeof(double)),
                    0)
              << name << " of point " << i << ", radius " << radius;
      }
    };
    expect_same("dist", [&](auto a, auto b, auto) { return dist(m, a, b); });
    expect_same("dist_gradient", [&](auto a, auto b, auto) { return dist_gradient(m, a, b); });
    expect_same("logmap", [&](auto a, auto b, auto) { return logmap(m, a, b); });
    expect_same("expmap", [&](auto a, auto, auto v) { return expmap(m, a, v); });
    expect_same("ptransp", [&](auto a, auto b, auto v) { return ptransp(m, a, b, v); });
  }
}
TEST(Pairs, NoLaneDependsOnItsNeighbours) {
  expect_lanes_apart<PoincareBall, 1>();
  expect_lanes_apart<PoincareBall, 2>();
  expect_lanes_apart<HalfSpace, 1>();
  expect_lanes_apart<HalfSpace, 2>();
  expect_lanes_apart<Lorentz, 1>();
  expect_lanes_apart<Lorentz, 2>();
}
/// The partial derivatives of the distance, by differences.
template <class M>
void expect_gradient(const M& m, int n) {
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto x = m.random_normal(n, 1, i), y = m.random_normal(n, 2, i);
    const auto g = m.dist_gradient(x, y);
    for (int c = 0; c < n; ++c) {
      auto above = x, below = x;
      above[c] = above[c] + f64x2(1e-12);
      below[c] = below[c] - f64x2(1e-12);
      const double slope((m.dist(above, y) - m.dist(below, y)) / f64x2(2e-12));
      EXPECT_NEAR(double(g[c]), slope, 1e-9 * (1 + std::fabs(slope)));
    }
    EXPECT_EQ(double(m.dist_gradient(x, x)[0]), 0);
  }
}
TEST(Pairs, GradientOfTheDistance) {
  expect_gradient(PoincareBall<f64x2>(f64x2(1.5)), 3);
  expect_gradient(HalfSpace<f64x2>(f64x2(1.5)), 3);
  expect_gradient(Euclidean<f64x2>(), 3);
  expect_gradient(Lorentz<f64x2>(f64x2(1.5)), 4);
}
/// Of far points on one ray it is nearly 0 beside their coordinates: 1 / x_0 for the first of two.
TEST(Pairs, GradientOfLorentzFarAway) {
  const Lorentz<double> m;
  const Lorentz<f64x4> exact;
  for (const double r : {1e-3, 1.0, 5.0, 10.0, 15.0, 18.0})
    for (const double d : {-0.5, 0.01, 1.0, 3.0, 30.0})
      for (const double turn : {0.0, 1e-6, 0.3, 3.0}) {
        const Point<double, 3> x{std::cosh(r), std::sinh(r), 0.0};
        const Point<double, 3> y{std::cosh(r + d), std::sinh(r + d) * std::cos(turn),
                                 std::sinh(r + d) * std::sin(turn)};
        const auto wide = [](const auto& z) {
          return Point<f64x4, 3>{f64x4(z[0]), f64x4(z[1]), f64x4(z[2])};
        };
        const auto g = m.dist_gradient(x, y);
        const auto truth = exact.dist_gradient(wide(x), wide(y));
        // to u |z| and u^2 |Y| / (K sinh d)
        const double size = std::hypot(double(truth[1]), double(truth[2]));
        const double way = std::sinh(m.dist(x, y));
        const double error =
            std::hypot(double(truth[1] - f64x4(g[1])), double(truth[2] - f64x4(g[2])));
        EXPECT_LE(error, 64 * 0x1p-53 * (size + 0x1p-53 * std::hypot(y[1], y[2]) / way))
            << r << ' ' << d << ' ' << turn;
        EXPECT_EQ(g[0], 0);
        EXPECT_EQ(m.dist_gradient(x, x)[1], 0);
      }
}
/// By kernel and by notes.
template <template <class> class M>
void expect_same_gradients() {
  const M<double> m(1.5);
  const auto a = random_normal(m, {40, 8}, 1), b = random_normal(m, {8}, 2);
  const Variable<double> x(a, true), y(b, true), u(a, true), v(b, true);
  const Variable<double> radius(Tensor<double>::scalar(1.5), true);
  sum(m.dist(x, y)).backward();
  sum(Learnable<M<double>>(radius).dist(u, v)).backward();
  for (std::int64_t i = 0; i < 320; ++i)
    EXPECT_NEAR(x.grad().data()[i], u.grad().data()[i],
                1e-13 * (1 + std::fabs(u.grad().data()[i])));
  for (std::int64_t i = 0; i < 8; ++i) EXPECT_NEAR(y.grad().data()[i], v.grad().data()[i], 1e-12);
}
TEST(Pairs, GradientsOfVariablesTwoWays) {
  expect_same_gradients<PoincareBall>();
  expect_same_gradients<HalfSpace>();
  expect_same_gradients<Lorentz>();
}

}  // namespace
}  // namespace mct::geometry_test
