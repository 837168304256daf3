#include "cuda/attention/start_attention_by_warpgroups.hpp"
#include "cuda/base/run_block.hpp"

namespace mct::cuda {

template bool start_attention_by_warpgroups<64>(const AttentionLaunch<bfloat16>&, const Stream&);
template bool start_attention_by_warpgroups<128>(const AttentionLaunch<bfloat16>&, const Stream&);

}  // namespace mct::cuda
