// Batches of half-space points in any representation: logarithmic heights and components of half
// and bfloat16 as well, for which there are no kernels. One point after the other, on all threads.
#pragma once

#include <algorithm>
#include <string>

#include "mctensor/geometry/optim/half_space_rows.hpp"
#include "mctensor/geometry/row_groups.hpp"

namespace mct::geometry {

namespace optim_detail {

/// A tensor of `shape(number of pairs)` that f(out, i, points[a[i]], points[b[i]]) fills for every
/// pair. Throws ShapeError for points that are none, indices that are not inside, other than equal
/// numbers of them.
template <class Rows, class S, class F>
auto of_every_pair(const char* who, const Rows& space, const typename Rows::Points& points,
                   const Tensor<std::int64_t>& a, const Tensor<std::int64_t>& b, const S& shape,
                   const F& f) {
  space.check_points(points);
  const RowPairs pairs(who, a, b, space.rows_of(points));
  auto out = Tensor<typename Rows::Work>::uninitialized(shape(pairs.count()));
  pairs.for_each(space, points,
                 [&](std::int64_t i, const auto& p, const auto& q) { f(out, i, p, q); });
  return out;
}

}  // namespace optim_detail

/// Distances of the pairs points[a[i]], points[b[i]]; the points are those of HalfSpaceRows. Errors
/// are those of HalfSpaceRepresentation; results are the same for any number of threads. Throws
/// ShapeError for points that are none and indices that are not inside.
template <class Space, class T, int M, int n>
auto half_space_dist(const HalfSpaceRows<Space, T, M, n>& space,
                     const typename HalfSpaceRows<Space, T, M, n>::Points& points,
                     const Tensor<std::int64_t>& a, const Tensor<std::int64_t>& b) {
  return optim_detail::of_every_pair(
      "half_space_dist", space, points, a, b, [](std::int64_t pairs) { return Shape{pairs}; },
      [&](const auto& out, std::int64_t i, const auto& p, const auto& q) {
        out.data()[i] = space.space().template dist<n>(p, q);
      });
}

/// Unit vectors [pairs, n] in the frame of points[a[i]], away from points[b[i]]: the gradient of
/// the distance divided by K, times the height; 0 where the points coincide.
template <class Space, class T, int M, int n>
auto half_space_direction(const HalfSpaceRows<Space, T, M, n>& space,
                          const typename HalfSpaceRows<Space, T, M, n>::Points& points,
                          const Tensor<std::int64_t>& a, const Tensor<std::int64_t>& b) {
  return optim_detail::of_every_pair(
      "half_space_direction", space, points, a, b,
      [](std::int64_t pairs) {
        return Shape{pairs, n};
      },
      [&](const auto& out, std::int64_t i, const auto& p, const auto& q) {
        space.store_vector(out, i, space.space().template direction<n>(p, q));
      });
}

/// Moves points[rows[i]] by the exponential map of the frame vector frame[i] (shape [count, n]), in
/// place. Vectors of a row that is named several times are added first, in the order of i. A row
/// whose vector is not finite, or whose end is none, stays where it is.
template <class Space, class T, int M, int n>
RowStep half_space_step_(const HalfSpaceRows<Space, T, M, n>& space,
                         const typename HalfSpaceRows<Space, T, M, n>::Points& points,
                         const Tensor<std::int64_t>& rows,
                         const Tensor<typename Space::Work>& frame) {
  space.check_points(points);
  const auto index = optim_detail::checked_rows("half_space_step_", rows, space.rows_of(points));
  if (frame.shape() != Shape{rows.numel(), n})
    throw ShapeError("half_space_step_: vectors of shape " + to_string(frame.shape()) +
                     ", expected " + to_string(Shape{rows.numel(), n}));
  const auto dense = frame.contiguous();
  return optim_detail::for_each_row(index, dense.data(), n,
                                    [&](std::int64_t row, const typename Space::Work* vector) {
                                      typename Space::template Vector<n> v{};
                                      std::copy(vector, vector + n, v.begin());
                                      const auto end = space.expmap(space.load(points, row), v);
                                      if (!space.is_point(end)) return false;
                                      space.store(points, row, end);
                                      return true;
                                    });
}

}  // namespace mct::geometry
