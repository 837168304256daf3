// Compiled like the library's reduce.cpp for the baseline of the processor: on x86-64 without fma,
// so that the bits of means are equal (sums and extremes do not multiply).
#if defined(__x86_64__)
#define MCT_HAS_FMA 0
#endif

#include "cuda/base/run_block.hpp"
#include "cuda/tensor/programs.hpp"

namespace mct::cuda {

#define MCT_REDUCTIONS(T, N) MCT_REDUCTION_PROGRAMS(MCT_COMPILE_PROGRAM, T, N)
MCT_FOR_EACH_DEVICE_TYPE(MCT_REDUCTIONS)
#undef MCT_REDUCTIONS

}  // namespace mct::cuda
