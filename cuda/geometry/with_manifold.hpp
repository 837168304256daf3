// A manifold, whose model is known at run time, for points of some dimension.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/geometry/row_memory.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::cuda {

/// Calls f(n) with the dimension as a constant. Throws DeviceError for one not in the sequence.
template <int... dimensions, class F>
void with_dimension(int dimension, std::integer_sequence<int, dimensions...>, const F& f) {
  const auto offer = [&]<int n>(std::integral_constant<int, n> constant) {
    if (dimension == n) f(constant);
    return dimension == n;
  };
  if (!(offer(std::integral_constant<int, dimensions>()) || ...))
    throw DeviceError("geometry: there is no program for this dimension");
}

/// Calls f(manifold, n) with the number of coordinates as a constant. Throws DeviceError as
/// with_dimension.
template <int N, class Dimensions, class F>
void with_manifold(geometry::Model model, int dimension,
                   const geometry::value_of<double, N>& radius, Dimensions dimensions, const F& f) {
  using Value = geometry::value_of<double, N>;
  const auto with = [&]<class M>(const M& manifold) {
    constexpr int more = decltype(manifold.formulas())::least_coordinates - 1;
    with_dimension(dimension, dimensions, [&]<int n>(std::integral_constant<int, n>) {
      f(manifold, std::integral_constant<int, n + more>());
    });
  };
  switch (model) {
    case geometry::Model::ball:
      return with(geometry::PoincareBall<Value>(radius));
    case geometry::Model::half_space:
      return with(geometry::HalfSpace<Value>(radius));
    default:
      return with(geometry::Lorentz<Value>(radius));
  }
}

}  // namespace mct::cuda
