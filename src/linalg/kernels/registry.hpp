// How the compiled kernels of products are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::linalg_detail {

// N: components of the result; A, B: of the operands.
MCT_DECLARE_KERNELS(template <class T, int N, int A, int B> DotKernel<T> dot_kernel();
                    template <class S, int K, int LimbsA, int LimbsB>
                    const GemmTable<S>& gemm_table();)

#define MCT_DEFINE_DOT(T, N, A, B)               \
  template <>                                    \
  DotKernel<T> dot_kernel<T, N, A, B>() {        \
    return &kernels::dot_kernel<T, N, A, B>;     \
  }
#define MCT_DEFINE_GEMM(S, K, A, B)                                                              \
  template <>                                                                                    \
  const GemmTable<S>& gemm_table<S, K, A, B>() {                                                 \
    static constexpr GemmTable<S> table =                                                        \
        kernels::make_gemm_table<kernels::widest_batch<S>, K, A, B>();                           \
    return table;                                                                                \
  }

}  // namespace mct::linalg_detail
