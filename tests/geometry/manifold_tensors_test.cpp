// Manifold operations on tensors: the values of the scalar methods under every instruction set,
// broadcasting, views, threads, and shapes that do not fit.
#include <gtest/gtest.h>

#include <string>

#include "mctensor/geometry/tensors.hpp"
#include "mctensor/tensor/elementwise.hpp"
#include "mctensor/tensor/threads.hpp"
#include "tests/geometry/manifold_cases.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::validation;

/// A manifold on tensors of Expansion<T, N>.
template <template <class> class M, class T, int N>
struct TensorsOf {
  using Numbers = Tensor<T, N>;
  using V = typename Numbers::Value;
  static constexpr int n = Cases<M, V>::n;
  using P = geometry::Point<V, n>;

  static Numbers tensor(const std::vector<P>& points) {
    std::vector<V> values;
    for (const P& p : points)
      for (int i = 0; i < n; ++i) values.push_back(p[i]);
    return Numbers::from_values(values, {std::int64_t(points.size()), n});
  }

  /// A point of m coordinates.
  template <int m = n>
  static geometry::Point<V, m> row(const Numbers& t, std::int64_t i) {
    geometry::Point<V, m> p;
    for (int j = 0; j < m; ++j) p[j] = t.at({i, j});
    return p;
  }
};

/// The difference of results in u^N of their length: they differ by the last steps' rounding.
template <class V, int n>
void expect_close(const geometry::Point<V, n>& x, const geometry::Point<V, n>& y, double units,
                  const std::string& what) {
  // beyond the largest number of few bits
  bool finite = true;
  for (int i = 0; i < n; ++i) {
    const double exact = double(geometry::detail::lead(y[i]));
    if (!std::isinf(exact)) continue;
    EXPECT_EQ(double(geometry::detail::lead(x[i])), exact) << what;
    finite = false;
  }
  if (!finite) return;
  const BigVector a = big_vector(x);
  const BigVector b = big_vector(y);
  EXPECT_TRUE(norm(a - b) <= Big(units) * unit<V>() * norm(b)) << what;
}

template <template <class> class M, class T, int N>
void expect_scalar_results(const std::string& where) {
  using Of = TensorsOf<M, T, N>;
  using V = typename Of::V;
  constexpr int n = Of::n;
  Cases<M, V> cases(1.5);
  const M<V>& m = cases.manifold;
  std::vector<typename Of::P> xs, ys, us;
  constexpr int count = 41;  // more than a block, and no multiple of a register's lanes
  for (int i = 0; i < count; ++i) {
    xs.push_back(cases.point(cases.uniform(0, 3)));
    ys.push_back(i % 7 == 0 ? xs.back() : cases.point(cases.uniform(0, 3)));
    us.push_back(cases.tangent(xs.back(), i % 5 == 0 ? 1e-30 : cases.uniform(0, 2)));
  }
  const auto x = Of::tensor(xs), y = Of::tensor(ys), u = Of::tensor(us);
  const auto d = dist(m, x, y), d0 = dist0(m, x);
  const auto exp = expmap(m, x, u), exp0 = expmap0(m, u), log = logmap(m, x, y),
             log0 = logmap0(m, x), moved = ptransp(m, x, y, u), gradient = egrad2rgrad(m, x, u);
  EXPECT_EQ(d.shape(), (Shape{count}));
  EXPECT_EQ(exp.shape(), x.shape());
  const double units = 4 * geometry::manifold_bound<V>(n) * std::exp(3);
  for (int i = 0; i < count; ++i) {
    const auto at = std::size_t(i);
    const std::string what = where + ", point " + std::to_string(i);
    using One = geometry::Point<V, 1>;
    expect_close(One(V(d.at({i}))), One(m.dist(xs[at], ys[at])), units, what + " dist");
    expect_close(One(V(d0.at({i}))), One(m.dist0(xs[at])), units, what + " dist0");
    expect_close(Of::row(exp, i), m.expmap(xs[at], us[at]), units, what + " expmap");
    expect_close(Of::row(log, i), m.logmap(xs[at], ys[at]), units, what + " logmap");
    expect_close(Of::row(log0, i), m.logmap0(xs[at]), units, what + " logmap0");
    expect_close(Of::row(moved, i), m.ptransp(xs[at], ys[at], us[at]), units, what + " ptransp");
    expect_close(Of::row(gradient, i), m.egrad2rgrad(xs[at], us[at]), units, what + " gradient");
    const auto origin = m.template origin<n>();
    expect_close(Of::row(exp0, i), m.expmap(origin, us[at]), units, what + " expmap0");
    if constexpr (std::is_same_v<M<V>, geometry::PoincareBall<V>>) {
      const auto sum = mobius_add(m, x, y);
      expect_close(Of::row(sum, i), geometry::mobius_add(m, xs[at], ys[at]), units, what + " sum");
    }
    const auto lorentz = convert<geometry::Lorentz>(m, x);
    const auto half = convert<geometry::HalfSpace>(m, x);
    const auto ball = convert<geometry::PoincareBall>(m, x);
    expect_close(Of::template row<4>(lorentz, i), geometry::convert<geometry::Lorentz>(m, xs[at]),
                 units, what + " to Lorentz");
    expect_close(Of::template row<3>(half, i), geometry::convert<geometry::HalfSpace>(m, xs[at]),
                 units, what + " to half-space");
    expect_close(Of::template row<3>(ball, i), geometry::convert<geometry::PoincareBall>(m, xs[at]),
                 units, what + " to ball");
    // in the same model to the last bit
    const auto same = convert<M>(m, x);
    EXPECT_TRUE(Of::row(same, i) == geometry::convert<M>(m, xs[at])) << what;
    const auto projected = projx(m, x);
    // the time of Lorentz is computed; others leave their points
    if constexpr (std::is_same_v<M<V>, geometry::Lorentz<V>>) {
      expect_close(Of::row(projected, i), m.projx(xs[at]), 4, what + " projx");
    } else {
      EXPECT_TRUE(Of::row(projected, i) == m.projx(xs[at])) << what;
    }
  }
}

template <class T, int N>
void expect_scalar_results_of_type(const std::string& where) {
  expect_scalar_results<geometry::PoincareBall, T, N>(where + " ball");
  expect_scalar_results<geometry::HalfSpace, T, N>(where + " half-space");
  expect_scalar_results<geometry::Lorentz, T, N>(where + " Lorentz");
}

/// Under one instruction set: each run of this program has its own.
TEST(ManifoldTensors, AgreeWithScalars) {
  expect_scalar_results_of_type<double, 1>("double");
  expect_scalar_results_of_type<double, 2>("f64x2");
  expect_scalar_results_of_type<double, 3>("f64x3");
  expect_scalar_results_of_type<float, 1>("float");
  expect_scalar_results_of_type<float, 2>("f32x2");
  expect_scalar_results_of_type<half, 1>("half");
  expect_scalar_results_of_type<half, 2>("f16x2");
  expect_scalar_results_of_type<bfloat16, 1>("bfloat16");
  expect_scalar_results_of_type<bfloat16, 2>("bf16x2");
}

TEST(ManifoldTensors, TimesAreComputedAnew) {
  const geometry::Lorentz<double> lorentz(2);
  const auto x = Tensor<double>::from_values(std::vector<double>{9, 1, 2, 0, 3, -4}, {2, 3});
  const auto z = convert<geometry::Lorentz>(lorentz, x);
  EXPECT_EQ(z.at({0, 0}), 3);
  EXPECT_EQ(z.at({0, 2}), 2);
  EXPECT_EQ(z.at({1, 0}), std::sqrt(29.0));
  EXPECT_EQ(
      geometry::convert<geometry::Lorentz>(lorentz, geometry::Point<double, 3>(9.0, 1.0, 2.0))[0],
      3);
}

TEST(ManifoldTensors, BroadcastAndViews) {
  const geometry::PoincareBall<double> ball(2);
  Tensor<double> x({4, 3});
  Tensor<double> y({3, 5});
  for (std::int64_t i = 0; i < 12; ++i) x.data()[i] = 0.05 * double(i) - 0.2;
  for (std::int64_t i = 0; i < 15; ++i) y.data()[i] = 0.3 - 0.04 * double(i);
  // all pairs, the second tensor transposed
  const auto d = dist(ball, x.unsqueeze(1), y.t().unsqueeze(0));
  ASSERT_EQ(d.shape(), (Shape{4, 5}));
  for (std::int64_t i = 0; i < 4; ++i)
    for (std::int64_t j = 0; j < 5; ++j) {
      const geometry::Point<double, 3> a(x.at({i, 0}), x.at({i, 1}), x.at({i, 2}));
      const geometry::Point<double, 3> b(y.at({0, j}), y.at({1, j}), y.at({2, j}));
      EXPECT_NEAR(d.at({i, j}), ball.dist(a, b), 1e-15);
    }
  // a single point, and none
  EXPECT_EQ(dist(ball, x[0], x[1]).shape(), Shape{});
  EXPECT_EQ(expmap(ball, x[0], x).shape(), (Shape{4, 3}));
  EXPECT_EQ(dist(ball, Tensor<double>({0, 3}), x[0]).shape(), (Shape{0}));
}

// Enough points to fill registers, whose two coordinates are no neighbours.
TEST(ManifoldTensors, CoordinatesApartInWholeRegisters) {
  const geometry::PoincareBall<double> ball(2);
  Tensor<double> x({2, 100});
  for (std::int64_t i = 0; i < x.numel(); ++i) x.data()[i] = double(i * 7919 % 1000) / 1000;
  const auto points = x.t();
  const Tensor<double> origin({2});
  const auto d = dist(ball, points, origin);
  const auto expected = dist(ball, points.contiguous(), origin);
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(d.at({i}), expected.at({i})) << i;
}

TEST(ManifoldTensors, SameBitsForAnyNumberOfThreads) {
  const geometry::HalfSpace<f64x2> half(f64x2(1));
  Tensor<double, 2> x({1000, 20});
  Tensor<double, 2> y({1000, 20});
  for (std::int64_t i = 0; i < x.numel(); ++i) {
    x.data()[i] = 1 + double(i * 7919 % 1000) / 1000;
    y.data()[i] = 1 + double(i * 104729 % 1000) / 1000;
  }
  const int before = num_threads();
  set_num_threads(1);
  const auto one = logmap(half, x, y);
  set_num_threads(4);
  const auto four = logmap(half, x, y);
  set_num_threads(before);
  for (std::int64_t i = 0; i < one.numel(); ++i) {
    ASSERT_EQ(one.data(0)[i], four.data(0)[i]);
    ASSERT_EQ(one.data(1)[i], four.data(1)[i]);
  }
}

TEST(ManifoldTensors, ShapesThatDoNotFit) {
  const geometry::PoincareBall<double> ball;
  const geometry::Lorentz<double> lorentz;
  const Tensor<double> x({4, 3});
  EXPECT_EQ(testing::message_of<ShapeError>([&] {
              dist(ball, x, Tensor<double>({4, 2}));
            }),
            "dist: points of shapes (4, 3), (4, 2) differ in their number of coordinates");
  EXPECT_THROW(dist(ball, x, Tensor<double>({5, 3})), ShapeError);
  EXPECT_THROW(ptransp(ball, x, x, Tensor<double>({2, 3})), ShapeError);
  EXPECT_EQ(testing::message_of<ShapeError>([&] { logmap0(ball, Tensor<double>::scalar(1)); }),
            "logmap0: the last dimension holds coordinates, the shape is ()");
  EXPECT_THROW(expmap(ball, Tensor<double>({4, 0}), Tensor<double>({4, 0})), ShapeError);
  EXPECT_THROW(dist(lorentz, Tensor<double>({4, 1}), Tensor<double>({4, 1})), ShapeError);
}

}  // namespace
}  // namespace mct::geometry_test
