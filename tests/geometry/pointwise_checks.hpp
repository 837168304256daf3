// Tensor forms of every method of every manifold, for a list of value types: each result has the
// bits of the single call, or of that on tensors of one point, on the points that broadcasting
// brings together.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "mctensor/tensor/threads.hpp"
#include "tests/geometry/pointwise_points.hpp"

namespace mct::geometry_test {

/// The first value or point of a result on tensors that hold one point each.
template <class V>
V only(const tensor_of<V>& x, const V*) {
  return V(x.item());
}
template <class V>
Point<V> only(const tensor_of<V>& x, const Point<V>*) {
  return point_at<V>(x, {});
}

template <class Type>
class PointwiseTest : public ::testing::Test {
 public:
  using Manifold = typename Type::Manifold;
  using Value = typename Manifold::Value;
  using NumberTensor = tensor_of<Value>;
  static constexpr bool compiled =
      HasPointKernels<Manifold, typename NumberTensor::Component, NumberTensor::components>;
  OnTensors<Manifold> space = Type::make();
};
TYPED_TEST_SUITE_P(PointwiseTest);

/// name(m, operands) against m.name of the points; where it is compiled, against itself on tensors
/// of one point: manifold_tensors_test.cpp compares that with the single method.
#define MCT_EXPECT_POINTWISE(name, leading, ...)                                            \
  expect_pointwise<V>(                                                                      \
      #name, name(m, __VA_ARGS__), leading, [&](const auto&... p) { return m.name(p...); }, \
      __VA_ARGS__)
#define MCT_EXPECT_COMPILED(name, leading, ...)                     \
  expect_pointwise<V>(                                              \
      #name, name(m, __VA_ARGS__), leading,                         \
      [&](const auto&... p) {                                       \
        using R = std::remove_cvref_t<decltype(m.name(p...))>;      \
        if constexpr (TestFixture::compiled) {                      \
          const R* kind = nullptr;                                  \
          return only<V>(name(m, tensor_from<V>({p})[0]...), kind); \
        } else {                                                    \
          return m.name(p...);                                      \
        }                                                           \
      },                                                            \
      __VA_ARGS__)

TYPED_TEST_P(PointwiseTest, Methods) {
  using V = typename TestFixture::Value;
  const auto& on = this->space;
  const auto& m = on.m;
  const auto x = on.x(), y = on.y(), u = on.u(), v = on.v();
  const Shape both{3, 2}, first{3, 1}, second{2};
  MCT_EXPECT_COMPILED(dist, both, x, y);
  MCT_EXPECT_COMPILED(dist0, first, x);
  MCT_EXPECT_COMPILED(inner, first, x, u, v);
  MCT_EXPECT_COMPILED(norm, first, x, u);
  MCT_EXPECT_COMPILED(expmap, first, x, u);
  MCT_EXPECT_COMPILED(expmap0, first, u);
  MCT_EXPECT_COMPILED(logmap, both, x, y);
  MCT_EXPECT_COMPILED(logmap0, second, y);
  MCT_EXPECT_COMPILED(retr, first, x, u);
  MCT_EXPECT_COMPILED(ptransp, both, x, y, u);
  MCT_EXPECT_COMPILED(ptransp0, second, y, y);
  MCT_EXPECT_POINTWISE(projx, first, u);
  MCT_EXPECT_COMPILED(proju, both, x, y);
  MCT_EXPECT_COMPILED(egrad2rgrad, both, x, y);
  MCT_EXPECT_POINTWISE(check_point, second, y);
  MCT_EXPECT_POINTWISE(check_vector, both, x, y);
  EXPECT_TRUE(check_point(m, y).at({1}));
}

TYPED_TEST_P(PointwiseTest, NumbersBesidePoints) {
  using V = typename TestFixture::Value;
  using Numbers = typename TestFixture::NumberTensor;
  const auto& m = this->space.m;
  const auto x = this->space.x(), y = this->space.y();
  const V t(0.75f);
  const auto between = [&](const V& part, const Point<V>& a, const Point<V>& b) {
    if constexpr (TestFixture::compiled) {
      return point_at<V>(geodesic(m, part, tensor_from<V>({a}), tensor_from<V>({b})), {0});
    } else {
      return m.geodesic(part, a, b);
    }
  };
  const auto at = [&](const auto& a, const auto& b) { return between(t, a, b); };
  expect_pointwise<V>("geodesic", geodesic(m, t, x, y), {3, 2}, at, x, y);
  const auto times = Numbers::from_values({V(0.25f), V(0.5f)}, {2, 1, 1});
  const auto points = geodesic(m, times, x, y);
  EXPECT_EQ(points.shape(), (Shape{2, 3, 2, this->space.n}));
  for (int i = 0; i < 2; ++i) {
    expect_pointwise<V>(
        "geodesic", points[i], {3, 2},
        [&](const auto& a, const auto& b) {
          return between(V(times.at({i, 0, 0})), a, b);
        },
        x, y);
  }
}

TYPED_TEST_P(PointwiseTest, OriginAndRandomPoints) {
  using V = typename TestFixture::Value;
  const auto& m = this->space.m;
  const int n = this->space.n;
  expect_at(origin(m, n), {}, m.origin(n), "origin");
  const auto x = random_normal(m, {3, 2, n}, 7, 0.25);
  EXPECT_EQ(x.shape(), (Shape{3, 2, n}));
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      expect_at(x, {i, j}, m.random_normal(n, 7, std::uint64_t(2 * i + j), 0.25), "random_normal");
  EXPECT_FALSE(same_bits(V(x.at({0, 0, 0})), V(x.at({0, 1, 0}))));
}

TYPED_TEST_P(PointwiseTest, FrechetMean) {
  using V = typename TestFixture::Value;
  const auto& m = this->space.m;
  const int n = this->space.n;
  const auto x = random_normal(m, {4, 2, n}, 8, 0.25);
  const auto weights = tensor_of<V>::from_values({V(1.f), V(2.f), V(0.5f), V(1.f)}, {4, 1});
  const auto mean = frechet_mean(m, x, weights);
  const auto equal = frechet_mean(m, x, -2);
  EXPECT_EQ(mean.shape(), (Shape{2, n}));
  EXPECT_EQ(equal.shape(), (Shape{4, n}));
  for (int j = 0; j < 2; ++j) {
    std::vector<Point<V>> points;
    std::vector<V> w;
    for (int i = 0; i < 4; ++i) {
      points.push_back(point_at<V>(x, {i, j}));
      w.push_back(V(weights.at({i, 0})));
    }
    expect_at(mean, {j}, frechet_mean(m, points, w), "frechet_mean");
  }
  for (int i = 0; i < 4; ++i) {
    const std::vector<Point<V>> points{point_at<V>(x, {i, 0}), point_at<V>(x, {i, 1})};
    expect_at(equal, {i}, frechet_mean(m, points, std::vector<V>(2, V(1.f))), "frechet_mean");
  }
}

TYPED_TEST_P(PointwiseTest, NoPoints) {
  using Numbers = typename TestFixture::NumberTensor;
  const auto& m = this->space.m;
  const int n = this->space.n;
  const Numbers none({0, 2, n});
  EXPECT_EQ(dist(m, none, this->space.y()).shape(), (Shape{0, 2}));
  EXPECT_EQ(retr(m, none, this->space.y()).shape(), (Shape{0, 2, n}));
  EXPECT_EQ(check_point(m, none).shape(), (Shape{0, 2}));
  EXPECT_EQ(geodesic(m, Numbers({0, 1}), none, this->space.y()).shape(), (Shape{0, 2, n}));
  EXPECT_EQ(random_normal(m, {0, n}, 1).shape(), (Shape{0, n}));
  EXPECT_EQ(frechet_mean(m, none, 1).shape(), (Shape{0, n}));
  EXPECT_THROW(frechet_mean(m, none), ShapeError);
}

TYPED_TEST_P(PointwiseTest, ShapesThatDoNotFit) {
  using Numbers = typename TestFixture::NumberTensor;
  const auto& m = this->space.m;
  const int n = this->space.n;
  const Numbers x({4, n}), longer({4, n + 1}), more({5, n}), flat({4, 0});
  EXPECT_THROW(norm(m, x, longer), ShapeError);
  EXPECT_THROW(inner(m, x, x, more), ShapeError);
  EXPECT_THROW(dist(m, x, more), ShapeError);
  EXPECT_THROW(projx(m, flat), ShapeError);
  EXPECT_THROW(dist0(m, Numbers::scalar(typename Numbers::Value())), ShapeError);
  EXPECT_THROW(geodesic(m, Numbers({3}), x, x), ShapeError);
  EXPECT_THROW(origin(m, 0), ShapeError);
  EXPECT_THROW(random_normal(m, {}, 1), ShapeError);
  EXPECT_THROW(random_normal(m, {2, 0}, 1), ShapeError);
  EXPECT_THROW(frechet_mean(m, x, 1), ShapeError);
  EXPECT_THROW(frechet_mean(m, x, 2), ShapeError);
  EXPECT_THROW(frechet_mean(m, x, Numbers({3})), ShapeError);
  EXPECT_THROW(frechet_mean(m, x, Numbers({2, 4})), ShapeError);
}

TYPED_TEST_P(PointwiseTest, SameBitsForAnyNumberOfThreads) {
  using V = typename TestFixture::Value;
  const auto& m = this->space.m;
  const auto x = random_normal(m, {300, this->space.n}, 9, 0.5);
  const int before = num_threads();
  set_num_threads(1);
  const auto one = ptransp0(m, x, x);
  const auto flags = check_point(m, x, 1);
  set_num_threads(2);
  const auto two = ptransp0(m, x, x);
  const auto again = random_normal(m, {300, this->space.n}, 9, 0.5);
  const auto flags_of_two = check_point(m, x, 1);
  set_num_threads(before);
  const auto a = one.values(), b = two.values(), c = x.values(), d = again.values();
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_TRUE(same_bits(a[i], b[i])) << i;
    EXPECT_TRUE(same_bits(c[i], d[i])) << i;
  }
  EXPECT_EQ(flags.values(), flags_of_two.values());
  EXPECT_FALSE(same_bits(V(a[0]), V(a[std::size_t(this->space.n)])));
}

REGISTER_TYPED_TEST_SUITE_P(PointwiseTest, Methods, NumbersBesidePoints, OriginAndRandomPoints,
                            FrechetMean, NoPoints, ShapesThatDoNotFit,
                            SameBitsForAnyNumberOfThreads);

/// All manifolds on points of V.
template <class V>
using PointwiseTypes = ::testing::Types<Single<PoincareBall, V>, Single<HalfSpace, V>,
                                        Single<Lorentz, V>, Single<Klein, V>, Single<Hemisphere, V>,
                                        Single<Euclidean, V>, Single<Sphere, V>, Parts<V>>;

/// Every formula once, for types that take long to compile.
template <class V>
using FewPointwiseTypes =
    ::testing::Types<Single<HalfSpace, V>, Single<Lorentz, V>, Single<Klein, V>, Parts<V>>;

}  // namespace mct::geometry_test
