#include "cuda/attention/start_attention.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

template void start_attention_backward<64>(const AttentionBackwardLaunch<float>&, const Stream&);
template void start_attention_backward<128>(const AttentionBackwardLaunch<float>&, const Stream&);

}  // namespace mct::cuda
