// Starts the attention programs of every score. Include it only where these programs are compiled.
#pragma once

#include "cuda/attention/attention_launch.hpp"
#include "cuda/attention/backward.hpp"
#include "cuda/attention/forward.hpp"
#include "cuda/device/run.hpp"

namespace mct::cuda {

/// The programs of one score.
template <class S, int D, class T, bool biased>
void start_attention_of(const AttentionLaunch<T, biased>& of, const Stream& stream) {
  using Program = AttentionForward<S, D, T, biased>;
  run(Program{of.x, of.y, of.v, of.a, of.b, of.sizes, of.out, of.rest, of.log_sum, of.bias},
      {tiles_of(of.sizes.queries, Program::queries), of.groups}, stream);
}
template <class S, int D, class T, bool biased>
void start_attention_of(const AttentionBackwardLaunch<T, biased>& of, const Stream& stream) {
  using Queries = AttentionBackward<S, D, T, true, biased>;
  run(Queries{of.queries, of.keys, of.sizes, of.to_x, of.to_a, nullptr, of.bias},
      {tiles_of(of.sizes.queries, Queries::rows), of.groups}, stream);
  using Keys = AttentionBackward<S, D, T, false, biased>;
  run(Keys{of.queries, of.keys, of.sizes, of.to_y, of.to_b, of.to_v, of.bias},
      {tiles_of(of.sizes.keys, Keys::rows), of.groups}, stream);
}

template <int D, class T, bool biased>
void start_attention(const AttentionLaunch<T, biased>& of, const Stream& stream) {
  if constexpr (parts_of<T> == 1 && !biased)
    if (start_attention_by_warpgroups<D>(of, stream)) return;
  attention::with_score(of.score,
                        [&]<class S>(S /*score*/) { start_attention_of<S, D>(of, stream); });
}

template <int D, class T, bool biased>
void start_attention_backward(const AttentionBackwardLaunch<T, biased>& of, const Stream& stream) {
  attention::with_score(of.score,
                        [&]<class S>(S /*score*/) { start_attention_of<S, D>(of, stream); });
}

}  // namespace mct::cuda
