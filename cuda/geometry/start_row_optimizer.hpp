// Starts steps of Riemannian optimizers, for every space. Include it only where the programs are
// compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/thread_row.hpp"

namespace mct::cuda {

namespace row_optimizer_detail {

template <int n, class Rows, class Options, class Space>
void start(const Rows& space, const RowOptimizerLaunch<Options, Space>& of, const Stream& stream) {
  using Program = FollowGradients<Options, Rows, n>;
  run(
      Program{
          space, {of.points.data, of.points.plane}, of.options, of.rate, of.gradients, of.states},
      blocks_for(of.gradients.count, Program::threads), stream);
}
/// Starts one of the programs for these dimensions.
template <class Options, class Space, class Dimensions>
void start_among(const RowOptimizerLaunch<Options, Space>& of, const Stream& stream,
                 Dimensions dimensions) {
  with_dimension(of.dimensions, dimensions, [&]<int n>(std::integral_constant<int, n>) {
    if constexpr (geometry_detail::RowsThere<Space>::of_manifold) {
      start<n + coordinates_beyond<Space>>(geometry::ManifoldRows<Space>(of.space), of, stream);
    } else {
      constexpr int M = geometry_detail::RowsThere<Space>::points;
      start<n>(geometry::HalfSpaceRows<Space, double, M, n>(of.space.radius()), of, stream);
    }
  });
}

}  // namespace row_optimizer_detail

template <class Options, class Space>
void start_row_optimizer(const RowOptimizerLaunch<Options, Space>& of, const Stream& stream) {
  row_optimizer_detail::start_among(of, stream, OptimizedDimensions<Space>());
}

/// Compiles the programs of a space.
#define MCT_START_ROW_OPTIMIZERS(...)                                                \
  template void mct::cuda::start_row_optimizer(                                      \
      const RowOptimizerLaunch<geometry::RsgdOptions, __VA_ARGS__>&, const Stream&); \
  template void mct::cuda::start_row_optimizer(                                      \
      const RowOptimizerLaunch<geometry::RadamOptions, __VA_ARGS__>&, const Stream&);

}  // namespace mct::cuda
