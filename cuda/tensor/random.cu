// Compiled like the library's create.cpp for the baseline of the processor: on x86-64 without fma,
// so that the bits of normal numbers of four doubles are equal, too.
#if defined(__x86_64__)
#define MCT_HAS_FMA 0
#endif

#include "cuda/base/run_block.hpp"
#include "cuda/tensor/programs.hpp"

namespace mct::cuda {

#define MCT_RANDOM(T, N) MCT_RANDOM_PROGRAMS(MCT_COMPILE_PROGRAM, T, N)
MCT_FOR_EACH_DEVICE_TYPE(MCT_RANDOM)
#undef MCT_RANDOM

}  // namespace mct::cuda
