#include "cuda/attention/start_attention.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

template void start_attention_backward<64>(const AttentionBackwardLaunch<bfloat16, true>&,
                                           const Stream&);
template void start_attention_backward<128>(const AttentionBackwardLaunch<bfloat16, true>&,
                                            const Stream&);

}  // namespace mct::cuda
