// Starts operations of manifolds: includes the programs of every model, so that it belongs where
// they are compiled.
#pragma once

#include <type_traits>
#include <utility>

#include "cuda/device/run.hpp"
#include "cuda/geometry/pointwise.hpp"
#include "cuda/geometry/pointwise_launch.hpp"
#include "mctensor/geometry/models.hpp"

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
template <int n, class F, class T, int N>
void start_operation(const F& formulas, const PointwiseLaunch<T, N>& of, const Stream& stream) {
  switch (of.operation) {
    case geometry::TensorOperation::dist:
      return start<geometry::operation::dist, n>(formulas, of, stream);
    case geometry::TensorOperation::expmap:
      return start<geometry::operation::expmap, n>(formulas, of, stream);
    case geometry::TensorOperation::logmap:
      return start<geometry::operation::logmap, n>(formulas, of, stream);
    default:
      throw DeviceError("geometry: there is no program for this operation");
  }
}
/// Of a model whose points have `more` coordinates than dimensions.
template <int more, class F, class T, int N, int... dimensions>
void start_model(const F& formulas, const PointwiseLaunch<T, N>& of, const Stream& stream,
                 std::integer_sequence<int, dimensions...>) {
  const auto try_one = [&]<int n>(std::integral_constant<int, n>) {
    if (of.dimensions == n) start_operation<n + more>(formulas, of, stream);
    return of.dimensions == n;
  };
  if (!(try_one(std::integral_constant<int, dimensions>()) || ...))
    throw DeviceError("geometry: there is no program for this dimension");
}

/// With programs for these dimensions.
template <class T, int N, class Dimensions>
void start_among(const PointwiseLaunch<T, N>& of, const Stream& stream, Dimensions dimensions) {
  using Value = PointNumber<T, N>;
  switch (of.model) {
    case geometry::TensorModel::ball:
      return start_model<0>(geometry::PoincareBall<Value>(of.radius).formulas(), of, stream,
                            dimensions);
    case geometry::TensorModel::half_space:
      return start_model<0>(geometry::HalfSpace<Value>(of.radius).formulas(), of, stream,
                            dimensions);
    default:
      return start_model<1>(geometry::Lorentz<Value>(of.radius).formulas(), of, stream, dimensions);
  }
}

}  // namespace pointwise_detail

template <class T, int N>
void start_pointwise(const PointwiseLaunch<T, N>& of, const Stream& stream) {
  pointwise_detail::start_among(of, stream, PointDimensions<N>());
}

}  // namespace mct::cuda
