// The start functions of a library that was built without CUDA: they throw DeviceError.
#include "cuda/attention/attention_launch.hpp"
#include "cuda/attention/edge_operands.hpp"
#include "cuda/attention/prepare.hpp"

namespace mct::cuda {

#define MCT_REFUSE_ATTENTION(D, T, biased)                                                     \
  template <>                                                                                  \
  void start_attention<D>(const AttentionLaunch<T, biased>&, const Stream&) {                  \
    refuse_launch();                                                                           \
  }                                                                                            \
  template <>                                                                                  \
  void start_attention_backward<D>(const AttentionBackwardLaunch<T, biased>&, const Stream&) { \
    refuse_launch();                                                                           \
  }
MCT_REFUSE_ATTENTION(64, bfloat16, false)
MCT_REFUSE_ATTENTION(128, bfloat16, false)
MCT_REFUSE_ATTENTION(64, float, false)
MCT_REFUSE_ATTENTION(128, float, false)
MCT_REFUSE_ATTENTION(64, bfloat16, true)
MCT_REFUSE_ATTENTION(128, bfloat16, true)
MCT_REFUSE_ATTENTION(64, float, true)
MCT_REFUSE_ATTENTION(128, float, true)

#define MCT_REFUSE_PROGRAM(...)                         \
  template <>                                           \
  void launch(const __VA_ARGS__&, const Grid&, void*) { \
    refuse_launch();                                    \
  }
MCT_FOR_EACH_ATTENTION_PREPARATION(MCT_REFUSE_PROGRAM)

void start_edges(const EdgeLaunch& /*of*/, const Stream& /*stream*/) { refuse_launch(); }
void start_edges_backward(const EdgeBackwardLaunch& /*of*/, const Stream& /*stream*/) {
  refuse_launch();
}

}  // namespace mct::cuda
