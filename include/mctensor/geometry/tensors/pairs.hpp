// All pairs of two sets of points: their distances, and for each point of one set the nearest
// points of the other.
//
// Error of topk: distances have the bound of dist, and points have the order of their computed
// distances. Source: dist of each pair.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "mctensor/geometry/tensors.hpp"
#include "mctensor/tensor/parallel_for.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The distances of every point of x (..., a, n) from every point of y (..., b, n): (..., a, b), on
/// tensors or variables. It equals dist with an added dimension, and has the bound of dist.
template <class M, class X, class Y>
auto cdist(const M& m, const X& x, const Y& y) {
  return dist(m, x.unsqueeze(-2), y.unsqueeze(-3));
}

/// The k nearest points of y to every point of x, nearest first.
template <class T, int N>
struct Nearest {
  Tensor<T, N> distances;        ///< (a, k)
  Tensor<std::int64_t> indices;  ///< (a, k), into y
};

namespace detail {

/// The indices of the k smallest values, in order. NaN counts as the largest. Equal values keep
/// their order.
template <class V>
void least_of(const std::vector<V>& values, std::vector<std::int64_t>& order, std::int64_t k) {
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + k, order.end(),
                    [&](std::int64_t i, std::int64_t j) {
                      const V& a = values[std::size_t(i)];
                      const V& b = values[std::size_t(j)];
                      const bool a_is = a == a, b_is = b == b;
                      if (a_is != b_is) return a_is;
                      if (a_is && (a < b || b < a)) return a < b;
                      return i < j;
                    });
}

}  // namespace detail

/// The k points of y (b, n) that are nearest to each point of x (a, n). Each thread computes one
/// row of distances at a time, so it needs memory for b distances, not for a b distances. With
/// `skip_same`, x and y are the same points, and no point is its own neighbour. Throws ShapeError
/// unless 0 <= k <= b (with skip_same: b - 1).
template <class M, class T, int N>
requires TensorManifold<M, T, N> Nearest<T, N> topk(const M& m, const Tensor<T, N>& x,
                                                    const Tensor<T, N>& y, std::int64_t k,
                                                    bool skip_same = false) {
  using V = typename Tensor<T, N>::Value;
  if (x.dim() != 2 || y.dim() != 2 || (skip_same && x.size(0) != y.size(0)))
    throw ShapeError("topk: points of shapes " + to_string(x.shape()) + " and " +
                     to_string(y.shape()) + ", expected (a, n) and (b, n)" +
                     (skip_same ? " with a = b" : ""));
  detail::require_points_of("topk", m, x, y);
  const std::int64_t count = x.size(0);
  const std::int64_t others = y.size(0) - (skip_same ? 1 : 0);
  if (k < 0 || k > others)
    throw ShapeError("topk: k is " + std::to_string(k) + ", expected 0 to " +
                     std::to_string(others) + ", the number of other points");
  Nearest<T, N> r{Tensor<T, N>::uninitialized({count, k}),
                  Tensor<std::int64_t>::uninitialized({count, k})};
  parallel_for(count, double(count) * double(y.numel()) * 50 * N * N,
               [&](std::int64_t begin, std::int64_t end) {
                 std::vector<std::int64_t> order(std::size_t(y.size(0)));
                 for (std::int64_t i = begin; i < end; ++i) {
                   std::vector<V> row = dist(m, x[i], y).values();
                   if (skip_same) row[std::size_t(i)] = V(FloatTraits<T>::nan);
                   detail::least_of(row, order, k);
                   for (std::int64_t j = 0; j < k; ++j) {
                     r.indices.set({i, j}, order[std::size_t(j)]);
                     r.distances.set({i, j}, row[std::size_t(order[std::size_t(j)])]);
                   }
                 }
               });
  return r;
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
