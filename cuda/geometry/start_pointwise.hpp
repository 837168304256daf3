// Starts operations of manifolds, for every model. Include it only where the programs are compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/pointwise.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "cuda/geometry/with_manifold.hpp"

namespace mct::cuda {

namespace pointwise_detail {

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
  using geometry::TensorOperation;
  namespace operation = geometry::operation;
  with_manifold<N>(of.model, of.dimensions, of.radius, dimensions,
                   [&]<class M, int n>(const M& manifold, std::integral_constant<int, n>) {
                     const auto formulas = manifold.formulas();
                     switch (of.operation) {
                       case TensorOperation::dist:
                         return start<operation::dist, n>(formulas, of, stream);
                       case TensorOperation::dist_gradient:
                         return start<operation::dist_gradient, n>(formulas, of, stream);
                       case TensorOperation::expmap:
                         return start<operation::expmap, n>(formulas, of, stream);
                       case TensorOperation::logmap:
                         return start<operation::logmap, n>(formulas, of, stream);
                       default:
                         throw DeviceError("geometry: there is no program for this operation");
                     }
                   });
}

}  // namespace pointwise_detail

template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>& of, const Stream& stream) {
  pointwise_detail::start_among(of, stream, PointDimensions<N>());
}

}  // namespace mct::cuda
