#include "cuda/attention/start_attention.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

template void start_attention<64>(const AttentionLaunch<bfloat16, true>&, const Stream&);
template void start_attention<128>(const AttentionLaunch<bfloat16, true>&, const Stream&);
template void start_attention<64>(const AttentionLaunch<float, true>&, const Stream&);
template void start_attention<128>(const AttentionLaunch<float, true>&, const Stream&);

}  // namespace mct::cuda
