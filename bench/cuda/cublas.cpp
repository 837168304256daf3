#include "bench/cuda/cublas.hpp"

#include <string>

#include "mctensor/error.hpp"

#if MCT_WITH_CUBLAS
#include <cublas_v2.h>
#endif

namespace mct::bench {

#if MCT_WITH_CUBLAS

namespace {

void check(cublasStatus_t status, const char* call) {
  if (status != CUBLAS_STATUS_SUCCESS) throw DeviceError(call, std::to_string(int(status)));
}

cublasHandle_t handle_on(const cuda::Stream& stream) {
  static cublasHandle_t const handle = [] {
    cublasHandle_t made = nullptr;
    check(cublasCreate(&made), "cublasCreate");
    return made;
  }();
  check(cublasSetStream(handle, static_cast<cudaStream_t>(stream.handle())), "cublasSetStream");
  return handle;
}

// a square product of columns is one of rows with the factors exchanged
template <class Number>
void product(const cuda::Stream& stream, std::int64_t n, const void* a, const void* b, void* c,
             cudaDataType_t factors, cudaDataType_t sums, cublasComputeType_t compute) {
  const Number one = 1;
  const Number zero = 0;
  const auto size = int(n);
  check(
      cublasGemmEx(handle_on(stream), CUBLAS_OP_N, CUBLAS_OP_N, size, size, size, &one, b, factors,
                   size, a, factors, size, &zero, c, sums, size, compute, CUBLAS_GEMM_DEFAULT),
      "cublasGemmEx");
}

}  // namespace

bool has_cublas() { return true; }
void cublas_product(const cuda::Stream& stream, std::int64_t n, const double* a, const double* b,
                    double* c) {
  product<double>(stream, n, a, b, c, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F);
}
void cublas_product(const cuda::Stream& stream, std::int64_t n, const float* a, const float* b,
                    float* c) {
  product<float>(stream, n, a, b, c, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}
void cublas_product(const cuda::Stream& stream, std::int64_t n, const bfloat16* a,
                    const bfloat16* b, float* c) {
  product<float>(stream, n, a, b, c, CUDA_R_16BF, CUDA_R_32F, CUBLAS_COMPUTE_32F);
}

#else

namespace {
[[noreturn]] void refuse() { throw DeviceError("cuBLAS was not found"); }
}  // namespace

bool has_cublas() { return false; }
void cublas_product(const cuda::Stream&, std::int64_t, const double*, const double*, double*) {
  refuse();
}
void cublas_product(const cuda::Stream&, std::int64_t, const float*, const float*, float*) {
  refuse();
}
void cublas_product(const cuda::Stream&, std::int64_t, const bfloat16*, const bfloat16*, float*) {
  refuse();
}

#endif

}  // namespace mct::bench
