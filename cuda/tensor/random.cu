// As the library's create.cpp, which is compiled for the baseline of the processor: on x86-64
// without fma, so that the bits of normal numbers are equal.
#if defined(__x86_64__)
#define MCT_HAS_FMA 0
#endif

#include "cuda/tensor/random.hpp"

#include "cuda/base/run_block.hpp"

namespace mct::cuda {

#define MCT_RANDOM(T, N)                    \
  MCT_COMPILE_PROGRAM(UniformNumbers<T, N>) \
  MCT_COMPILE_PROGRAM(NormalNumbers<T, N>)

MCT_RANDOM(double, 1)
MCT_RANDOM(double, 2)
MCT_RANDOM(double, 3)
MCT_RANDOM(float, 1)
MCT_RANDOM(float, 2)
MCT_RANDOM(bfloat16, 2)

#undef MCT_RANDOM

}  // namespace mct::cuda
