// Points of any storage as a leaf of autograd: what a loss over pairs of them is made of.
//
//   using Rows = TilingRows<LTiling<double>>;
//   ManifoldParameter<Rows> table(Rows(), TilingPoints(count, LTiling<double>().origin()));
//   Radam<Rows> adam(table, {.lr = 0.1});
//   sum(dist(table, a, b)).backward();      // a, b: the numbers of the points of each pair
//   adam.step();
//
// Points of plain coordinates (ManifoldRows) have a variable of their own, and every operation of
// autograd.hpp; those of other storages are no tensors of numbers that could be added. Their leaf
// holds gradients alone, by the coordinates that an optimizer's step takes them for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "mctensor/autograd/indexing.hpp"
#include "mctensor/autograd/record.hpp"
#include "mctensor/geometry/optim/manifold_rows.hpp"
#include "mctensor/geometry/row_groups.hpp"

namespace mct::geometry {

namespace optim_detail {

/// The variable that the gradients of a space's points arrive at, and its value.
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

/// The points of a space of rows, and their gradients. A handle as tensors and variables are.
template <class Rows>
class ManifoldParameter {
 public:
  using Points = typename Rows::Points;
  using Leaf = typename optim_detail::LeafOf<Rows>::type;

  /// Throws ShapeError, and of tilings DomainError, for what are no points of the space.
  ManifoldParameter(Rows space, Points points)
      : space_(std::move(space)), points_(std::move(points)), leaf_(checked()) {}

  const Rows& space() const { return space_; }
  const Points& points() const { return points_; }
  std::int64_t rows() const { return space_.rows_of(points_); }
  std::int64_t columns() const { return space_.columns_of(points_); }
  /// Of shape (rows, columns). Of ManifoldRows its value are the points, of others it has none.
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

namespace optim_detail {

/// f(i, points[a[i]], points[b[i]]) for every pair, on all threads.
template <class Rows, class F>
void for_each_pair(const Rows& space, const typename Rows::Points& points,
                   const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b,
                   const F& f) {
  const auto count = std::int64_t(a.size());
  parallel_for(count, row_cost * double(count), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i)
      f(i, space.load(points, a[std::size_t(i)]), space.load(points, b[std::size_t(i)]));
  });
}

}  // namespace optim_detail

/// The distances of the pairs points[a[i]], points[b[i]], of shape (pairs): those of the storage,
/// rounded to one component. Their gradients reach the parameter as sparse rows; equal points have
/// none. Throws ShapeError for other than equal numbers of indices that exist.
template <class Rows>
auto dist(const ManifoldParameter<Rows>& parameter, const Tensor<std::int64_t>& a,
          const Tensor<std::int64_t>& b) {
  using T = typename Rows::Component;
  const Rows& space = parameter.space();
  const auto from = optim_detail::checked_rows("dist", a, parameter.rows());
  const auto to = optim_detail::checked_rows("dist", b, parameter.rows());
  if (from.size() != to.size())
    throw ShapeError("dist: " + std::to_string(from.size()) + " and " + std::to_string(to.size()) +
                     " indices");
  const auto value = Tensor<T>::uninitialized({std::int64_t(from.size())});
  optim_detail::for_each_pair(
      space, parameter.points(), from, to,
      [&](std::int64_t i, const auto& x, const auto& y) { value.data()[i] = T(space.dist(x, y)); });
  return autograd_detail::record(
      value,
      [space, points = parameter.points(), columns = parameter.columns(), from, to](
          const auto& graph, const Tensor<T>& grad) {
        const auto pairs = std::int64_t(from.size());
        const auto rows = Tensor<T>::uninitialized({2 * pairs, columns});
        const auto weights = grad.contiguous();
        optim_detail::for_each_pair(space, points, from, to,
                                    [&](std::int64_t i, const auto& x, const auto& y) {
                                      const T weight = weights.data()[i];
                                      T* first = rows.data() + i * columns;
                                      T* second = rows.data() + (pairs + i) * columns;
                                      space.dist_gradient(x, y, first);
                                      space.dist_gradient(y, x, second);
                                      for (std::int64_t c = 0; c < columns; ++c) {
                                        first[c] = first[c] * weight;
                                        second[c] = second[c] * weight;
                                      }
                                    });
        auto index = from;
        index.insert(index.end(), to.begin(), to.end());
        graph.give_rows(0, {Tensor<std::int64_t>::from_values(index), rows});
      },
      parameter.leaf());
}
template <class M>
auto dist(const ManifoldParameter<ManifoldRows<M>>& parameter, const Tensor<std::int64_t>& a,
          const Tensor<std::int64_t>& b) {
  optim_detail::checked_rows("dist", a, parameter.rows());
  optim_detail::checked_rows("dist", b, parameter.rows());
  return parameter.space().manifold().dist(embedding(parameter.leaf(), a, -1, true),
                                           embedding(parameter.leaf(), b, -1, true));
}

}  // namespace mct::geometry
