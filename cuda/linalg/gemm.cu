#include "cuda/linalg/gemm.hpp"

#include "cuda/base/run_block.hpp"
#include "cuda/linalg/guarded_sums.hpp"
#include "cuda/linalg/pack.hpp"

namespace mct::cuda {

#define MCT_PRODUCTS(T, N)                                                  \
  template cudaError_t launch(const PackFactor<T, N>&, dim3, cudaStream_t); \
  template cudaError_t launch(const Gemm<T, N>&, dim3, cudaStream_t);       \
  template cudaError_t launch(const GuardedSums<T, N>&, dim3, cudaStream_t);

MCT_PRODUCTS(double, 2)
MCT_PRODUCTS(double, 3)
MCT_PRODUCTS(float, 2)
MCT_PRODUCTS(float, 3)

#undef MCT_PRODUCTS

}  // namespace mct::cuda
