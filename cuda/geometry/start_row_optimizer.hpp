// Starts steps of Riemannian optimizers: includes the programs of every space, so that it belongs
// where they are compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/thread_row.hpp"
#include "cuda/geometry/with_manifold.hpp"

namespace mct::cuda {

namespace row_optimizer_detail {

template <int n, class Rows, class Options, RowKind kind, int N>
void start(const Rows& space, const RowOptimizerLaunch<Options, kind, N>& of,
           const Stream& stream) {
  using Program = FollowGradients<Options, Rows, n>;
  run(
      Program{
          space, {of.points.data, of.points.plane}, of.options, of.rate, of.gradients, of.states},
      blocks_for(of.gradients.count, Program::threads), stream);
}
/// With programs for these dimensions.
template <class Options, RowKind kind, int N, class Dimensions>
void start_among(const RowOptimizerLaunch<Options, kind, N>& of, const Stream& stream,
                 Dimensions dimensions) {
  if constexpr (kind == RowKind::manifold) {
    with_manifold<N>(of.model, of.dimensions, of.radius, dimensions,
                     [&]<class M, int n>(const M& manifold, std::integral_constant<int, n>) {
                       start<n>(geometry::ManifoldRows<M>(manifold), of, stream);
                     });
  } else {
    with_dimension(of.dimensions, dimensions, [&]<int n>(std::integral_constant<int, n>) {
      using Space =
          std::conditional_t<kind == RowKind::half_space, geometry::XmcHalfSpace<double, N>,
                             geometry::McHalfSpace<double, N>>;
      start<n>(geometry::HalfSpaceRows<Space, double, N, n>(of.radius), of, stream);
    });
  }
}

}  // namespace row_optimizer_detail

template <class Options, RowKind kind, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, kind, N>& of, const Stream& stream) {
  row_optimizer_detail::start_among(of, stream, OptimizedDimensions<kind, N>());
}

/// Compiles them.
#define MCT_START_ROW_OPTIMIZERS(kind, N)                                                 \
  template void mct::cuda::start_row_optimizer(                                           \
      const RowOptimizerLaunch<geometry::RsgdOptions, RowKind::kind, N>&, const Stream&); \
  template void mct::cuda::start_row_optimizer(                                           \
      const RowOptimizerLaunch<geometry::RadamOptions, RowKind::kind, N>&, const Stream&);

}  // namespace mct::cuda
