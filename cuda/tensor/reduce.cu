// As the library's reduce.cpp, which is compiled for the baseline of the processor: on x86-64
// without fma, so that the bits of means are equal (sums and extremes multiply nothing).
#if defined(__x86_64__)
#define MCT_HAS_FMA 0
#endif

#include "cuda/base/run_block.hpp"
#include "cuda/tensor/extremes.hpp"
#include "cuda/tensor/guarded_row_sums.hpp"

namespace mct::cuda {

#define MCT_REDUCTIONS(T, N)                \
  MCT_COMPILE_PROGRAM(PieceSums<T, N>)      \
  MCT_COMPILE_PROGRAM(JoinSums<T, N>)       \
  MCT_COMPILE_PROGRAM(GuardedRowSums<T, N>) \
  MCT_COMPILE_PROGRAM(PieceExtremes<T, N>)  \
  MCT_COMPILE_PROGRAM(JoinExtremes<T, N>)

MCT_REDUCTIONS(double, 1)
MCT_REDUCTIONS(double, 2)
MCT_REDUCTIONS(double, 3)
MCT_REDUCTIONS(float, 1)
MCT_REDUCTIONS(float, 2)
MCT_REDUCTIONS(bfloat16, 2)

#undef MCT_REDUCTIONS

}  // namespace mct::cuda
