// How the compiled kernels of products are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include "src/linalg/kernels/product_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::linalg_detail {

// N: components of the result; A, B: of the operands; K: of the format of the accumulation.
MCT_DECLARE_KERNELS(template <class T, int N, int A, class Y, int B> DotKernel<T, Y> dot_kernel();
                    template <class T, class S, int K, int A> PackKernel<T, S> pack_kernel();
                    template <class S, int K, int LimbsA, int LimbsB>
                    const GemmTable<S>& gemm_table();)

#define MCT_DEFINE_DOT(T, N, A, Y, B)           \
  template <>                                   \
  DotKernel<T, Y> dot_kernel<T, N, A, Y, B>() { \
    return &kernels::dot_kernel<T, N, A, Y, B>; \
  }
#define MCT_DEFINE_PACK(T, S, K, A)            \
  template <>                                  \
  PackKernel<T, S> pack_kernel<T, S, K, A>() { \
    return &kernels::pack_kernel<T, S, K, A>;  \
  }
#define MCT_DEFINE_GEMM(S, K, A, B)                                    \
  template <>                                                          \
  const GemmTable<S>& gemm_table<S, K, A, B>() {                       \
    static constexpr GemmTable<S> table =                              \
        kernels::make_gemm_table<kernels::widest_batch<S>, K, A, B>(); \
    return table;                                                      \
  }

}  // namespace mct::linalg_detail
