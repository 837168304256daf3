#include "cuda/attention/start_edges.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

void start_edges(const EdgeLaunch& of, const Stream& stream) { start_edges_here(of, stream); }
void start_edges_backward(const EdgeBackwardLaunch& of, const Stream& stream) {
  start_edges_backward_here(of, stream);
}

}  // namespace mct::cuda
