#include "cuda/attention/start_attention.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

template void start_attention_backward<64>(const AttentionBackwardLaunch<bfloat16>&, const Stream&);

}  // namespace mct::cuda
