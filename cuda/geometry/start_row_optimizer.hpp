// Starts steps of Riemannian optimizers: includes the programs of every model, so that it belongs
// where they are compiled.
#pragma once

#include "cuda/device/run.hpp"
#include "cuda/geometry/thread_row.hpp"
#include "cuda/geometry/with_formulas.hpp"

namespace mct::cuda {

/// With programs for these dimensions.
template <class Options, int N, class Dimensions>
void start_row_optimizer_among(const RowOptimizerLaunch<Options, N>& of, const Stream& stream,
                               Dimensions dimensions) {
  with_formulas<N>(of.model, of.dimensions, of.radius, dimensions,
                   [&]<class F, int n>(const F& formulas, std::integral_constant<int, n>) {
                     using Program = FollowGradients<Options, F, N, n>;
                     run(Program{formulas,
                                 of.options,
                                 of.rate,
                                 {of.points.data, of.points.plane},
                                 of.gradients,
                                 of.states,
                                 of.rows},
                         blocks_for(of.rows, Program::threads), stream);
                   });
}

template <class Options, int N>
void start_row_optimizer(const RowOptimizerLaunch<Options, N>& of, const Stream& stream) {
  start_row_optimizer_among(of, stream, OptimizedDimensions<N>());
}

}  // namespace mct::cuda
