// Tensor forms of gyrovector operations, horospheres, the Lorentz group, isometries, conversions
// and midpoints: the bits of the single calls; numbers of one component and messages of errors.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/geometry/pointwise_points.hpp"
#include "tests/message_of.hpp"

namespace mct::geometry_test {
namespace {

template <class V>
class PointwiseMaps : public ::testing::Test {};
#ifdef MCT_EXHAUSTIVE
using MapTypes = ::testing::Types<double, f64x2, f64x4, bfloat16, f16x3>;
#else
using MapTypes = ::testing::Types<f64x2, bfloat16>;
#endif
TYPED_TEST_SUITE(PointwiseMaps, MapTypes);

template <template <class> class M, class V>
inline constexpr bool in_lanes =
    HasPointKernels<M<V>, typename tensor_of<V>::Component, tensor_of<V>::components>;

/// f(m, operands) against itself on points.
#define MCT_EXPECT_FUNCTION(f, leading, ...)                                                  \
  expect_pointwise<V>(                                                                        \
      #f, f(m, __VA_ARGS__), leading, [&](const auto&... p) { return geometry::f(m, p...); }, \
      __VA_ARGS__)
/// The same of what runs in SIMD lanes, where it differs from the single call by its rounding: then
/// against itself on tensors of one point.
#define MCT_EXPECT_IN_LANES(f, leading, ...)                     \
  expect_pointwise<V>(                                           \
      #f, f(m, __VA_ARGS__), leading,                            \
      [&](const auto&... p) {                                    \
        if constexpr (in_lanes<PoincareBall, V>) {               \
          return point_at<V>(f(m, tensor_from<V>({p})...), {0}); \
        } else {                                                 \
          return geometry::f(m, p...);                           \
        }                                                        \
      },                                                         \
      __VA_ARGS__)

TYPED_TEST(PointwiseMaps, Gyrovectors) {
  using V = TypeParam;
  const auto on = Single<PoincareBall, V>::make();
  const auto& m = on.m;
  const auto x = on.x(), y = on.y(), u = on.u();
  const Shape both{3, 2};
  MCT_EXPECT_IN_LANES(mobius_sub, both, x, y);
  MCT_EXPECT_IN_LANES(gyration, both, x, y, u);
  MCT_EXPECT_IN_LANES(mobius_add, both, x, y);
  const auto multiple = [&](const V& times, const Point<V>& p) {
    if constexpr (in_lanes<PoincareBall, V>) {
      return point_at<V>(mobius_scalar_mul(m, times, tensor_from<V>({p})), {0});
    } else {
      return geometry::mobius_scalar_mul(m, times, p);
    }
  };
  const V r(-1.5f);
  expect_pointwise<V>(
      "mobius_scalar_mul", mobius_scalar_mul(m, r, x), {3, 1},
      [&](const auto& p) { return multiple(r, p); }, x);
  const auto rs = tensor_of<V>::from_values({V(0.5f), V(2.f)}, {2});
  const auto multiples = mobius_scalar_mul(m, rs, x);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      expect_at(multiples, {i, j}, multiple(V(rs.at({j})), point_at<V>(x, {i, 0})),
                "mobius_scalar_mul");
    }
  // from 3 to 2 coordinates, the matrix transposed in memory
  const std::vector<Point<V>> rows{on.some(1), on.some(2)};
  const auto matrix = tensor_from(rows).t().contiguous().t();
  expect_pointwise<V>(
      "mobius_matvec", mobius_matvec(m, matrix, y), {2},
      [&](const auto& p) { return geometry::mobius_matvec(m, rows, p); }, y);
}

TYPED_TEST(PointwiseMaps, Horospheres) {
  using V = TypeParam;
  const auto on = Single<PoincareBall, V>::make();
  const auto& m = on.m;
  const auto x = on.x();
  const Sphere<V> sphere(V(1.f));
  const auto omega = random_normal(sphere, {2, on.n}, 3);
  const Shape both{3, 2};
  MCT_EXPECT_FUNCTION(busemann, both, x, omega);
  MCT_EXPECT_FUNCTION(horosphere_projection, both, x, omega);
}

TYPED_TEST(PointwiseMaps, LorentzGroup) {
  using V = TypeParam;
  const auto on = Single<Lorentz, V>::make();
  const auto& m = on.m;
  const auto x = on.x();
  const Sphere<V> sphere(V(1.f));
  const auto e = random_normal(sphere, {2, on.n - 1}, 3);
  const auto angles = tensor_of<V>::from_values({V(0.5f), V(-2.f)}, {2, 1, 1});
  const auto boosted = lorentz_boost(m, x, e, angles);
  const auto rotated = lorentz_rotation(m, x, e, e.slice(0, 1, -3, -1), angles);
  EXPECT_EQ(boosted.shape(), (Shape{2, 3, 2, on.n}));
  EXPECT_EQ(rotated.shape(), (Shape{2, 3, 2, on.n}));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 2; ++k) {
        const V angle(angles.at({i, 0, 0}));
        const auto p = point_at<V>(x, {j, 0}), e1 = point_at<V>(e, {k}),
                   e2 = point_at<V>(e, {1 - k});
        expect_at(boosted, {i, j, k}, geometry::lorentz_boost(m, p, e1, angle), "boost");
        expect_at(rotated, {i, j, k}, geometry::lorentz_rotation(m, p, e1, e2, angle), "rotation");
      }
  expect_pointwise<V>(
      "lorentz_boost", lorentz_boost(m, x, e, V(0.5f)), {3, 2},
      [&](const auto& p, const auto& d) { return geometry::lorentz_boost(m, p, d, V(0.5f)); }, x,
      e);
}

template <template <class> class From, template <class> class To, class V>
void expect_conversion() {
  const auto on = Single<From, V>::make();
  const auto x = on.x();
  const auto z = convert<To>(on.m, x);
  using T = typename tensor_of<V>::Component;
  constexpr int N = tensor_of<V>::components;
  if constexpr (HasPointKernels<From<V>, T, N> && HasPointKernels<To<V>, T, N> &&
                !std::is_same_v<From<V>, To<V>>) {
    expect_pointwise<V>(
        "convert", z, {3, 1},
        [&](const auto& p) { return point_at<V>(convert<To>(on.m, tensor_from<V>({p})), {0}); }, x);
  } else {
    expect_pointwise<V>(
        "convert", z, {3, 1}, [&](const auto& p) { return geometry::convert<To>(on.m, p); }, x);
  }
}
template <template <class> class From, class V>
void expect_conversions() {
  expect_conversion<From, PoincareBall, V>();
  expect_conversion<From, HalfSpace, V>();
  expect_conversion<From, Lorentz, V>();
  expect_conversion<From, Klein, V>();
  expect_conversion<From, Hemisphere, V>();
}

TYPED_TEST(PointwiseMaps, Conversions) {
  expect_conversions<PoincareBall, TypeParam>();
  expect_conversions<HalfSpace, TypeParam>();
  expect_conversions<Lorentz, TypeParam>();
  expect_conversions<Klein, TypeParam>();
  expect_conversions<Hemisphere, TypeParam>();
}

template <template <class> class M, class V>
void expect_midpoints() {
  const auto on = Single<M, V>::make();
  const auto x = random_normal(on.m, {2, 3, on.n}, 4, 0.5);
  const auto weights = tensor_of<V>::from_values({V(1.f), V(2.f), V(0.5f)}, {3});
  const auto means = weighted_midpoint(on.m, x, weights, 1);
  const auto equal = weighted_midpoint(on.m, x);
  EXPECT_EQ(means.shape(), (Shape{2, on.n}));
  EXPECT_EQ(equal.shape(), (Shape{3, on.n}));
  for (int i = 0; i < 2; ++i) {
    std::vector<Point<V>> points;
    points.reserve(3);
    for (int j = 0; j < 3; ++j) points.push_back(point_at<V>(x, {i, j}));
    expect_at(means, {i}, weighted_midpoint(on.m, points, std::vector<V>{V(1.f), V(2.f), V(0.5f)}),
              "midpoint");
  }
  for (int j = 0; j < 3; ++j) {
    const std::vector<Point<V>> points{point_at<V>(x, {0, j}), point_at<V>(x, {1, j})};
    expect_at(equal, {j}, weighted_midpoint(on.m, points, std::vector<V>(2, V(1.f))), "midpoint");
  }
}

TYPED_TEST(PointwiseMaps, Midpoints) {
  expect_midpoints<PoincareBall, TypeParam>();
  expect_midpoints<Klein, TypeParam>();
  expect_midpoints<Lorentz, TypeParam>();
}

template <class V, class F>
void expect_images(const F& f, const tensor_of<V>& x) {
  expect_pointwise<V>(
      "apply", apply(f, x), {3, 1}, [&](const auto& p) { return f(p); }, x);
}
template <class V>
void expect_isometries() {
  const auto ball = Single<PoincareBall, V>::make();
  const auto half = Single<HalfSpace, V>::make();
  const Point<V> a = point_at<V>(ball.y(), {0});
  Point<V> c = half.some(1);
  c[2] = V(0.f);
  const auto f = compose(translate(ball.m, a), rotate(ball.m, a, 0, 1, V(0.5f)));
  expect_images<V>(f, ball.x());
  expect_images<V>(translate(half.m, c, V(2.f)), half.x());
  // of a number of coordinates that is known at compile time
  Point<V, 3> fixed(a[0], a[1], a[2]);
  const auto g = translate(ball.m, fixed);
  expect_pointwise<V>(
      "apply", apply(g, ball.x()), {3, 1},
      [&](const Point<V>& p) { return Point<V>(g(Point<V, 3>(p[0], p[1], p[2]))); }, ball.x());
}

TEST(PointwiseIsometries, Apply) {
  expect_isometries<double>();
  expect_isometries<f64x2>();
  expect_isometries<f64x4>();
}

template <class T, int N>
void expect_number_tensor() {
  using V = typename Tensor<T, N>::Value;
  const auto on = Single<Klein, V>::make();
  const auto& m = on.m;
  const auto x = on.x(), y = on.y();
  expect_pointwise<V>(
      "dist", dist(m, x, y), {3, 2}, [&](const auto& p, const auto& q) { return m.dist(p, q); }, x,
      y);
  expect_pointwise<V>(
      "proju", proju(m, x, y), {3, 2}, [&](const auto& p, const auto& q) { return m.proju(p, q); },
      x, y);
}

TEST(PointwiseTypes, EveryNumberTensor) {
#define MCT_EXPECT_NUMBER_TENSOR(T, N) expect_number_tensor<T, N>();
  MCT_FOR_EACH_NUMBER_TENSOR(MCT_EXPECT_NUMBER_TENSOR)
#undef MCT_EXPECT_NUMBER_TENSOR
}

/// Manifolds of one component as an expansion: tensors of plain numbers.
TEST(PointwiseTypes, ExpansionsOfOneComponent) {
  const PoincareBall<f64x1> m(f64x1(1.5));
  const PoincareBall<double> plain(1.5);
  const auto x = random_normal(plain, {3, 2}, 1);
  const auto one = dist0(m, x), two = dist0(plain, x);
  const auto a = norm(m, x, x), b = norm(plain, x, x);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(one.at({i}), two.at({i}));
    EXPECT_EQ(a.at({i}), b.at({i}));
  }
}

/// A tensor of one component is a number beside points of several.
TEST(PointwiseTypes, PlainNumbers) {
  const Klein<f64x2> m(f64x2(1));
  const auto x = random_normal(m, {2, 3}, 1);
  const auto t = Tensor<double>::from_values(std::vector<double>{0.25, 0.5});
  const auto z = geodesic(m, t, x, x[0]);
  for (int i = 0; i < 2; ++i) {
    expect_at(z, {i},
              m.geodesic(f64x2(t.at({i})), point_at<f64x2>(x, {i}), point_at<f64x2>(x, {0})),
              "geodesic");
  }
}

template <class F>
std::string shape_error(const F& f) {
  return testing::message_of<ShapeError>(f);
}

TEST(PointwiseErrors, NameFunctionAndShapes) {
  const Klein<double> klein(1);
  const Lorentz<double> lorentz(1);
  const PoincareBall<double> ball(1);
  const Product space(ProductPart{ball, 2}, ProductPart{lorentz, 3});
  const Tensor<double> x({4, 3}), line({4, 1}), pair({4, 2}), more({5, 3});
  EXPECT_EQ(shape_error([&] { inner(klein, x, pair, x); }),
            "inner: points of shapes (4, 3), (4, 2), (4, 3) differ in their number of coordinates");
  EXPECT_EQ(shape_error([&] { retr(klein, x, more); }),
            "retr: leading dimensions: shapes (4,) and (5,) cannot be broadcast together");
  EXPECT_EQ(shape_error([&] { norm(lorentz, line, line); }),
            "norm: points of shape (4, 1) have 1 coordinates, not 2 or more");
  EXPECT_EQ(shape_error([&] { dist0(space, x); }),
            "dist0: points of shape (4, 3) have 3 coordinates, not 5");
  EXPECT_EQ(shape_error([&] {
              projx(klein, Tensor<double>({4, 0}));
            }),
            "projx: the last dimension holds coordinates, the shape is (4, 0)");
  EXPECT_EQ(shape_error([&] { mobius_matvec(ball, pair, x); }),
            "mobius_matvec: a matrix of shape (4, 2) and points of shape (4, 3), expected (m, n) "
            "and (.., n)");
  EXPECT_EQ(shape_error([&] { lorentz_boost(lorentz, x, x, 0.5); }),
            "lorentz_boost: spatial vectors of shape (4, 3) for points of shape (4, 3); they must "
            "have one coordinate less than the points");
  EXPECT_EQ(shape_error([&] { lorentz_rotation(lorentz, x, pair, line, 0.5); }),
            "lorentz_rotation: spatial vectors of shape (4, 1) for points of shape (4, 3); they "
            "must have one coordinate less than the points");
  EXPECT_EQ(shape_error([&] {
              apply(translate(ball, Point<double>{0.1, 0.2}), x);
            }),
            "apply: points of shape (4, 3) have 3 coordinates, not 2");
  EXPECT_EQ(shape_error([&] { frechet_mean(klein, x, -1); }),
            "frechet_mean: dimension -1 of shape (4, 3) holds coordinates, not points");
  EXPECT_EQ(shape_error([&] {
              weighted_midpoint(klein, x, Tensor<double>({2, 4}));
            }),
            "weighted_midpoint: weights of shape (2, 4) do not fit points of shape (4, 3)");
  EXPECT_EQ(shape_error([&] { origin(lorentz, 1); }),
            "origin: points of shape (1,) have 1 coordinates, not 2 or more");
  EXPECT_EQ(shape_error([&] {
              random_normal(lorentz, {0, 1}, 1);
            }),
            "random_normal: points of shape (0, 1) have 1 coordinates, not 2 or more");
  EXPECT_EQ(
      shape_error([&] {
        frechet_mean(klein, Tensor<double>({0, 0, 2}));
      }),
      "frechet_mean: dimension 0 of shape (0, 0, 2) has size 0; at least one point is needed");
  EXPECT_NE(shape_error([&] {
              Product(ProductPart{ball, 2}, ProductPart{lorentz, 1});
            }).find("expected at least 2 coordinates"),
            std::string::npos);
}

}  // namespace
}  // namespace mct::geometry_test
