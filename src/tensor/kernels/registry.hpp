// How compiled kernels are found: a function per table, in a namespace per instruction set.
//
// MCT_KERNELS is the namespace of the instruction set that a kernel source is compiled for:
// kernels_baseline, kernels_avx2 or kernels_avx512.
#pragma once

#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/tensor/kernels/elementwise_table.hpp"

namespace mct::tensor_detail {

// Which instruction sets this build has kernels for; at least one. (Option MCT_KERNELS of the
// build.)
#if MCT_KERNELS_BASELINE
#define MCT_LAST_KERNELS kernels_baseline
#elif MCT_KERNELS_AVX2
#define MCT_LAST_KERNELS kernels_avx2
#else
#define MCT_LAST_KERNELS kernels_avx512
#endif
#if MCT_KERNELS_AVX512 && (MCT_KERNELS_AVX2 || MCT_KERNELS_BASELINE)
#define MCT_TRY_AVX512(...) mct::active_isa() == mct::Isa::avx512 ? kernels_avx512::__VA_ARGS__:
#else
#define MCT_TRY_AVX512(...)
#endif
#if MCT_KERNELS_AVX2 && MCT_KERNELS_BASELINE
#define MCT_TRY_AVX2(...) mct::active_isa() == mct::Isa::avx2 ? kernels_avx2::__VA_ARGS__:
#else
#define MCT_TRY_AVX2(...)
#endif

/// Declares the same functions for every instruction set; a build without one never calls them.
#define MCT_DECLARE_KERNELS(...) \
  namespace kernels_baseline {   \
  __VA_ARGS__                    \
  }                              \
  namespace kernels_avx2 {       \
  __VA_ARGS__                    \
  }                              \
  namespace kernels_avx512 {     \
  __VA_ARGS__                    \
  }
/// Chooses among the tables of the instruction sets: MCT_SELECT_KERNELS(elementwise<double, 2>()).
/// active_isa() throws where this processor has none of them.
#define MCT_SELECT_KERNELS(...)          \
  (static_cast<void>(mct::active_isa()), \
   MCT_TRY_AVX512(__VA_ARGS__) MCT_TRY_AVX2(__VA_ARGS__) MCT_LAST_KERNELS::__VA_ARGS__)

MCT_DECLARE_KERNELS(template <class T, int N> const ElementwiseTable<T>& elementwise();
                    template <class T, int N> SumKernel<T> sum_kernel();)

/// The loop of an operation for this processor.
template <class T, int N>
UnaryKernel<T> unary_kernel(Unary op) {
  return MCT_SELECT_KERNELS(elementwise<T, N>()).unary[int(op)];
}

#define MCT_DEFINE_ELEMENTWISE(T, N)                                                      \
  template <>                                                                             \
  const ElementwiseTable<T>& elementwise<T, N>() {                                        \
    static constexpr ElementwiseTable<T> table = kernels::make_elementwise_table<T, N>(); \
    return table;                                                                         \
  }

#define MCT_DEFINE_SUM(T, N)           \
  template <>                          \
  SumKernel<T> sum_kernel<T, N>() {    \
    return &kernels::sum_kernel<T, N>; \
  }

}  // namespace mct::tensor_detail
