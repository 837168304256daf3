// Starts steps of Riemannian optimizers: includes the programs of every space, so that it belongs
// where they are compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/thread_row.hpp"
#include "cuda/geometry/with_formulas.hpp"

namespace mct::cuda {

namespace row_optimizer_detail {

template <class Space, class Options, RowKind kind, int N>
void start(const Space& space, const RowOptimizerLaunch<Options, kind, N>& of,
           const Stream& stream) {
  using Program = FollowGradients<Options, Space>;
  run(Program{space, of.options, of.rate, of.gradients, of.states},
      blocks_for(of.gradients.count, Program::threads), stream);
}
/// With programs for these dimensions.
template <class Options, int N, class Dimensions>
void start_among(const RowOptimizerLaunch<Options, RowKind::manifold, N>& of, const Stream& stream,
                 Dimensions dimensions) {
  with_formulas<N>(
      of.model, of.dimensions, of.radius, dimensions,
      [&]<class F, int n>(const F& formulas, std::integral_constant<int, n>) {
        start(ManifoldSpace<F, N, n>{formulas, {of.points.data, of.points.plane}}, of, stream);
      });
}
template <class Options, RowKind kind, int M, class Dimensions>
requires(kind != RowKind::manifold) void start_among(const RowOptimizerLaunch<Options, kind, M>& of,
                                                     const Stream& stream, Dimensions dimensions) {
  with_dimension(of.dimensions, dimensions, [&]<int n>(std::integral_constant<int, n>) {
    using Space = std::conditional_t<kind == RowKind::half_space, XmcHalfSpaceSpace<M, n>,
                                     McHalfSpaceSpace<M, n>>;
    start(Space{typename Space::Space(of.radius), {of.points.data, of.points.plane}}, of, stream);
  });
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
