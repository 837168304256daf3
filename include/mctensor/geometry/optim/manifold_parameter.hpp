// Points of any storage as a leaf of autograd, for losses over pairs of points.
//
//   using Rows = TilingRows<LTiling<double>>;
//   ManifoldParameter<Rows> table(Rows(), TilingPoints(count, LTiling<double>().origin()));
//   Radam<Rows> adam(table, {.lr = 0.1});
//   sum(dist(table, a, b)).backward();      // a, b: the numbers of the points of each pair
//   adam.step();
//
// Points whose storage is coordinates (ManifoldRows) are a variable, with every operation of
// autograd.hpp. Points of other storages are no tensors of numbers that can be added. So their leaf
// holds only gradients, by the coordinates that the optimizer moves.
//
// Source: the distance between points of the storage, and its gradient.
#pragma once

#include <cstdint>
#include <utility>

#include "mctensor/autograd/indexing.hpp"
#include "mctensor/autograd/record.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::geometry {

namespace optim_detail {

/// The type of the variable that receives the gradients of a space's points, and a function that
/// makes it.
template <class Rows>
struct LeafOf {
  using type = Variable<typename Rows::Component, 1, 1>;

  static type of(const Rows& space, const typename Rows::Points& points) {
    using T = typename Rows::Component;
    const Shape shape{space.rows_of(points), space.columns_of(points)};
    return type(Tensor<T>({1, 1}).expand(shape), true);
  }
};
template <class M>
struct LeafOf<ManifoldRows<M>> {
  using Points = typename ManifoldRows<M>::Points;
  using type = Variable<typename Points::Component, Points::components, 1>;

  static type of(const ManifoldRows<M>&, const Points& points) { return type(points, true); }
};

}  // namespace optim_detail

/// The points of a space of rows, and their gradients. A ManifoldParameter is a handle: copies
/// share the points.
template <class Rows>
class ManifoldParameter {
 public:
  using Points = typename Rows::Points;
  using Leaf = typename optim_detail::LeafOf<Rows>::type;

  /// Throws ShapeError unless `points` have the shape of points of the space. For tilings also
  /// throws DomainError for a point outside its tile.
  ManifoldParameter(Rows space, Points points)
      : space_(std::move(space)), points_(std::move(points)), leaf_(checked()) {}

  const Rows& space() const { return space_; }
  const Points& points() const { return points_; }
  std::int64_t rows() const { return space_.rows_of(points_); }
  std::int64_t columns() const { return space_.columns_of(points_); }
  /// The variable, of shape (rows, columns). For ManifoldRows its value is the points. For other
  /// storages its value has no meaning.
  const Leaf& leaf() const { return leaf_; }

 private:
  Leaf checked() const {
    space_.check_points(points_);
    return optim_detail::LeafOf<Rows>::of(space_, points_);
  }

  Rows space_;
  Points points_;
  Leaf leaf_;
};

/// The distances of the pairs points[a[i]], points[b[i]], of shape (pairs). For ManifoldRows they
/// have the components of the points; for other storages they are rounded to one component. Their
/// gradients reach the parameter as sparse rows. Equal points have gradient 0. Throws ShapeError
/// unless a and b have equal lengths and all indices exist.
template <class Rows>
auto dist(const ManifoldParameter<Rows>& parameter, const Tensor<std::int64_t>& a,
          const Tensor<std::int64_t>& b) {
  using T = typename Rows::Component;
  const optim_detail::RowPairs pairs("dist", a, b, parameter.rows());
  return autograd_detail::record(
      parameter.space().dist(parameter.points(), pairs),
      [space = parameter.space(), points = parameter.points(), pairs](const auto& graph,
                                                                      const Tensor<T>& grad) {
        const auto weights = grad.reshape({-1, 1});
        const auto rows = cat<T, 1>({space.dist_gradient(points, pairs) * weights,
                                     space.dist_gradient(points, pairs.swapped()) * weights},
                                    0);
        auto index = pairs.a;
        index.insert(index.end(), pairs.b.begin(), pairs.b.end());
        graph.give_rows(0, {Tensor<std::int64_t>::from_values(index), rows});
      },
      parameter.leaf());
}
template <class M>
auto dist(const ManifoldParameter<ManifoldRows<M>>& parameter, const Tensor<std::int64_t>& a,
          const Tensor<std::int64_t>& b) {
  // checks the indices
  static_cast<void>(optim_detail::RowPairs("dist", a, b, parameter.rows()));
  return parameter.space().manifold().dist(embedding(parameter.leaf(), a, -1, true),
                                           embedding(parameter.leaf(), b, -1, true));
}

}  // namespace mct::geometry
