#include "cuda/linalg/gemm.hpp"

#include "cuda/base/run_block.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/pack.hpp"

namespace mct::cuda {

#define MCT_PRODUCTS(T, N)              \
  MCT_COMPILE_PROGRAM(PackFactor<T, N>) \
  MCT_COMPILE_PROGRAM(Gemm<T, N>)       \
  MCT_COMPILE_PROGRAM(GuardedSums<T, N>)

MCT_PRODUCTS(double, 2)
MCT_PRODUCTS(double, 3)
MCT_PRODUCTS(float, 2)
MCT_PRODUCTS(float, 3)

#undef MCT_PRODUCTS

}  // namespace mct::cuda
