// Starts the programs of attention along edges. Include it only where they are compiled.
#pragma once

#include "cuda/attention/edges.hpp"
#include "cuda/device/run.hpp"

namespace mct::cuda {

inline void start_edges_here(const EdgeLaunch& of, const Stream& stream) {
  attention::with_score(of.score, [&]<class S>(S /*score*/) {
    run(AttendEdges<S>{of.of, of.weights, of.out, of.log_sum}, {int(of.of.queries), of.groups},
        stream);
  });
}
inline void start_edges_backward_here(const EdgeBackwardLaunch& of, const Stream& stream) {
  attention::with_score(of.score, [&]<class S>(S /*score*/) {
    run(DeriveEdgesByQueries<S>{of.of, of.edge, of.values, of.log_sum, of.gradient, of.to_x,
                                of.to_a},
        {int(of.of.queries), of.groups}, stream);
    run(DeriveEdgesByKeys<S::from_distance>{of.of, of.edge, of.by_keys, S::keys, of.gradient,
                                            of.to_y, of.to_b, of.to_v},
        {int(of.of.keys), of.groups}, stream);
  });
}

}  // namespace mct::cuda
