// Points in tensors for the tests of tensor forms: reading them one by one, comparing results with
// single calls.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "mctensor/geometry/tensors.hpp"

namespace mct::geometry_test {

using namespace mct::geometry;

template <class V>
bool same_bits(const V& a, const V& b) {
  return std::memcmp(&a, &b, sizeof(V)) == 0;
}

/// A point of a tensor by the index of its leading dimensions, of which those of size 1 and those
/// that are missing stretch.
template <class V, class T, int N>
Point<V> point_at(const Tensor<T, N>& x, const Shape& index) {
  const std::size_t missing = index.size() + 1 - std::size_t(x.dim());
  Shape at;
  for (std::size_t d = missing; d < index.size(); ++d)
    at.push_back(x.shape()[d - missing] == 1 ? 0 : index[d]);
  at.push_back(0);
  Point<V> p(int(x.size(-1)));
  for (int i = 0; i < p.size(); ++i) {
    at.back() = i;
    p[i] = V(x.at(at));
  }
  return p;
}

/// The points as a tensor of shape (count, n).
template <class V>
tensor_of<V> tensor_from(const std::vector<Point<V>>& points) {
  const int n = points.at(0).size();
  tensor_of<V> x({std::int64_t(points.size()), n});
  for (std::int64_t p = 0; p < x.size(0); ++p)
    for (int i = 0; i < n; ++i) x.set({p, i}, points[std::size_t(p)][i]);
  return x;
}

/// out at an index against what a single call returns.
template <class Out, class V>
void expect_at(const Out& out, Shape index, const V& value, const std::string& what) {
  EXPECT_TRUE(same_bits(V(out.at(index)), value)) << what << " at " << to_string(index);
}
template <class Out, class V>
void expect_at(const Out& out, Shape index, const Point<V>& value, const std::string& what) {
  ASSERT_EQ(out.size(-1), value.size()) << what;
  index.push_back(0);
  for (int i = 0; i < value.size(); ++i) {
    index.back() = i;
    EXPECT_TRUE(same_bits(V(out.at(index)), value[i])) << what << " at " << to_string(index);
  }
}

/// out = f(points ...) for all indices of the given leading shape.
template <class V, class Out, class F, class... In>
void expect_pointwise(const std::string& what, const Out& out, const Shape& leading, const F& f,
                      const In&... in) {
  Shape index(leading.size(), 0);
  for (std::int64_t p = 0; p < numel(leading); ++p) {
    std::int64_t rest = p;
    for (std::size_t d = leading.size(); d-- > 0; rest /= leading[d]) index[d] = rest % leading[d];
    const auto expected = f(point_at<V>(in, index)...);
    constexpr bool is_point = requires { expected.size(); };
    ASSERT_EQ(out.dim(), int(leading.size()) + is_point) << what;
    for (std::size_t d = 0; d < leading.size(); ++d) ASSERT_EQ(out.shape()[d], leading[d]) << what;
    expect_at(out, index, expected, what);
  }
}

/// A manifold of V, the number of its coordinates, and points in tensors that are not contiguous
/// and broadcast to (3, 2): x of shape (3, 1, n), y of shape (2, n).
template <class M>
struct OnTensors {
  using V = typename M::Value;
  using Numbers = tensor_of<V>;

  M m;
  int n;

  /// Points by random_normal, the tangent vectors u of the first.
  Numbers x() const { return columns(10).unsqueeze(1); }
  Numbers y() const {
    std::vector<Point<V>> points;
    for (int i = 0; i < 4; ++i) points.push_back(m.random_normal(n, 20, std::uint64_t(i), 0.5));
    return tensor_from(points).slice(0, 3, -100, -2);
  }
  Numbers u() const {
    std::vector<Point<V>> vectors;
    for (int i = 0; i < 3; ++i) vectors.push_back(m.proju(point_at<V>(x(), {i, 0}), some(30 + i)));
    return tensor_from(vectors).unsqueeze(1);
  }
  Numbers v() const {
    std::vector<Point<V>> vectors;
    for (int i = 0; i < 3; ++i) vectors.push_back(m.proju(point_at<V>(x(), {i, 0}), some(40 + i)));
    return tensor_from(vectors).unsqueeze(1);
  }
  /// Any vector.
  Point<V> some(int i) const { return Euclidean<V>().random_normal(n, std::uint64_t(i), 0, 0.5); }

 private:
  /// Three points in the columns of a matrix.
  Numbers columns(std::uint64_t seed) const {
    Numbers t({n, 3});
    for (int i = 0; i < 3; ++i) {
      const Point<V> p = m.random_normal(n, seed, std::uint64_t(i), 0.5);
      for (int j = 0; j < n; ++j) t.set({j, i}, p[j]);
    }
    return t.t();
  }
};

template <template <class> class M, class V>
struct Single {
  using Manifold = M<V>;
  static OnTensors<Manifold> make() {
    constexpr bool extra = decltype(Manifold().formulas())::least_coordinates == 2 ||
                           std::is_same_v<Manifold, Sphere<V>>;
    return {Manifold(V(1.5f)), extra ? 4 : 3};
  }
};
template <class V>
struct Parts {
  using Manifold = Product<PoincareBall<V>, Sphere<V>, Euclidean<V>>;
  static OnTensors<Manifold> make() {
    const Product product(ProductPart{PoincareBall<V>(V(1.5f)), 2},
                          ProductPart{Sphere<V>(V(2.0f)), 3, 0.5}, ProductPart{Euclidean<V>(), 1});
    return {product, 6};
  }
};

}  // namespace mct::geometry_test
