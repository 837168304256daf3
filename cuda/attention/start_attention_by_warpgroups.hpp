// Starts the attention programs that use the matrix instructions of a warpgroup. Include it only
// where these programs are compiled, for compute capability 9.0.
#pragma once

#include "cuda/attention/attention_launch.hpp"
#include "cuda/attention/forward.hpp"
#include "cuda/device/run.hpp"

namespace mct::cuda {

template <int D>
bool start_attention_by_warpgroups(const AttentionLaunch<bfloat16>& of, const Stream& stream) {
  if (!warpgroups_are_wanted()) return false;
  return attention::with_score(of.score, [&]<class S>(S /*score*/) {
    if constexpr (S::in_double) {
      return false;
    } else {
      using Program = AttentionForward<S, D, bfloat16, false, ByWarpgroups>;
      {
        const runtime::DeviceScope scope(stream.device());
        if (!runs_here<Program>()) return false;
      }
      run(Program{of.x, of.y, of.v, of.a, of.b, of.sizes, of.out, of.rest, of.log_sum},
          {tiles_of(of.sizes.queries, Program::queries), of.groups}, stream);
      return true;
    }
  });
}

}  // namespace mct::cuda
