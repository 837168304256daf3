// Attention on the simulated device, of scores, widths and types some: they take long to compile.
#include "cuda/attention/prepare.hpp"
#include "cuda/attention/start_attention.hpp"
#include "cuda/attention/start_edges.hpp"
#include "tests/cuda/simulator/device.hpp"

namespace mct::cuda {

MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_SIMULATE_PROGRAM)

using attention::DotProduct;
using attention::Umbral;

/// The programs of one score, of every launch but those whose score it is not.
template <class S, int D, class Launch>
void start_only(attention::Score score, const Launch& of, const Stream& stream) {
  if (of.score != score) throw DeviceError("the simulated device has no program of this score");
  start_attention_of<S, D>(of, stream);
}
#define MCT_SIMULATE_ATTENTION(D, T, biased, S, score)                                  \
  template <>                                                                           \
  void start_attention<D>(const AttentionLaunch<T, biased>& of, const Stream& stream) { \
    start_only<S, D>(attention::Score::score, of, stream);                              \
  }                                                                                     \
  template <>                                                                           \
  void start_attention_backward<D>(const AttentionBackwardLaunch<T, biased>& of,        \
                                   const Stream& stream) {                              \
    start_only<S, D>(attention::Score::score, of, stream);                              \
  }
MCT_SIMULATE_ATTENTION(128, float, false, DotProduct, dot_product)
MCT_SIMULATE_ATTENTION(64, bfloat16, false, Umbral, umbral)
MCT_SIMULATE_ATTENTION(64, float, true, Umbral, umbral)
#undef MCT_SIMULATE_ATTENTION
template void start_attention<64>(const AttentionLaunch<float>&, const Stream&);
template void start_attention_backward<64>(const AttentionBackwardLaunch<float>&, const Stream&);

/// What there is not.
#define MCT_NO_ATTENTION(D, T, biased)                                                         \
  template <>                                                                                  \
  void start_attention<D>(const AttentionLaunch<T, biased>&, const Stream&) {                  \
    throw DeviceError("the simulated device has no attention of " #D ", " #T);                 \
  }                                                                                            \
  template <>                                                                                  \
  void start_attention_backward<D>(const AttentionBackwardLaunch<T, biased>&, const Stream&) { \
    throw DeviceError("the simulated device has no attention of " #D ", " #T);                 \
  }
MCT_NO_ATTENTION(128, bfloat16, false)
MCT_NO_ATTENTION(128, float, true)
MCT_NO_ATTENTION(64, bfloat16, true)
MCT_NO_ATTENTION(128, bfloat16, true)
#undef MCT_NO_ATTENTION

void start_edges(const EdgeLaunch& of, const Stream& stream) { start_edges_here(of, stream); }
void start_edges_backward(const EdgeBackwardLaunch& of, const Stream& stream) {
  start_edges_backward_here(of, stream);
}

}  // namespace mct::cuda
