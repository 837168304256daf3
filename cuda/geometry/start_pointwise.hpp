// Starts operations of manifolds, for every model. Include it only where the programs are compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/pointwise.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "mctensor/geometry/models.hpp"

namespace mct::cuda {

namespace pointwise_detail {

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

template <class Op, int n, class F, class T, int N>
void start(const F& formulas, const PointwiseLaunch<T, N>& of, const Stream& stream) {
  using Program = Pointwise<Op, F, T, N, n>;
  run(Program{formulas,
              {of.x.data, of.x.plane},
              {of.y.data, of.y.plane},
              {of.out.data, of.out.plane},
              of.count},
      blocks_for(of.count, Program::threads), stream);
}
/// Starts one of the programs for these dimensions.
template <class T, int N, class Dimensions>
void start_among(const PointwiseLaunch<T, N>& of, const Stream& stream, Dimensions dimensions) {
  namespace operation = geometry::operation;
  with_manifold<N>(of.model, of.dimensions, of.radius, dimensions,
                   [&]<class M, int n>(const M& manifold, std::integral_constant<int, n>) {
                     const auto formulas = manifold.formulas();
                     const auto offer = [&]<class Op>(Op) {
                       if (of.operation == Op::number) start<Op, n>(formulas, of, stream);
                       return of.operation == Op::number;
                     };
                     if (!(offer(operation::dist()) || offer(operation::dist_gradient()) ||
                           offer(operation::expmap()) || offer(operation::logmap())))
                       throw DeviceError("geometry: there is no program for this operation");
                   });
}

}  // namespace pointwise_detail

template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>& of, const Stream& stream) {
  pointwise_detail::start_among(of, stream, PointDimensions<N>());
}

}  // namespace mct::cuda
