// How the compiled kernels of products are found; see src/tensor/kernels/registry.hpp.
#pragma once

#include <type_traits>

#include "src/linalg/kernels/product_table.hpp"
#include "src/linalg/kernels/residue_table.hpp"
#include "src/tensor/kernels/registry.hpp"

namespace mct::linalg_detail {

/// The type in which products of P are summed.
template <class P>
struct SumOfProducts {
  using type = P;
};
template <>
struct SumOfProducts<Bfloat16Pair> {
  using type = float;
};
template <>
struct SumOfProducts<Bfloat16Line> {
  using type = float;
};
template <class P>
using SumOf = typename SumOfProducts<P>::type;

/// The type to which the right factor is packed if the left factor is packed to P.
template <class P>
using RightOf = std::conditional_t<std::is_same_v<P, Bfloat16Line>, Bfloat16Pair, P>;
template <class P>
using GemmTableOf = GemmTable<SumOf<P>, P, RightOf<P>>;

// N: components of the result; A, B: of the operands; K: of the format of the accumulation.
MCT_DECLARE_KERNELS(template <class T, int N, int A, class Y, int B> DotKernel<T, Y> dot_kernel();
                    template <class T, class P, int K, int A> PackKernel<T, P> pack_kernel();
                    template <class S, class T, int N> StoreKernel<S, T> store_kernel();
                    template <class P, int K, int LimbsA, int LimbsB>
                    const GemmTableOf<P>& gemm_table();
                    const ResidueTable& residue_table();)

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
#define MCT_DEFINE_STORE(S, T, N)             \
  template <>                                 \
  StoreKernel<S, T> store_kernel<S, T, N>() { \
    return &kernels::store_sums<S, T, N>;     \
  }
#define MCT_DEFINE_GEMM(S, K, A, B)                                    \
  template <>                                                          \
  const GemmTable<S>& gemm_table<S, K, A, B>() {                       \
    static constexpr GemmTable<S> table =                              \
        kernels::make_gemm_table<kernels::widest_batch<S>, K, A, B>(); \
    return table;                                                      \
  }

}  // namespace mct::linalg_detail
