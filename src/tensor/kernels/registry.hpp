// How compiled kernels are found: a function per table, in a namespace per instruction set.
//
// MCT_KERNELS is the namespace of the instruction set that a kernel source is compiled for:
// kernels_baseline, kernels_avx2 or kernels_avx512.
#pragma once

#include "mctensor/tensor/isa.hpp"
#include "mctensor/tensor/tensor.hpp"
#include "src/tensor/kernels/elementwise_table.hpp"

namespace mct::tensor_detail {

/// Chooses among the tables of the instruction sets: MCT_SELECT_KERNELS(elementwise<double, 2>()).
#if MCT_X86_KERNELS
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
#define MCT_SELECT_KERNELS(...)                                        \
  (mct::active_isa() == mct::Isa::avx512 ? kernels_avx512::__VA_ARGS__ \
   : mct::active_isa() == mct::Isa::avx2 ? kernels_avx2::__VA_ARGS__   \
                                         : kernels_baseline::__VA_ARGS__)
#else
#define MCT_DECLARE_KERNELS(...) \
  namespace kernels_baseline {   \
  __VA_ARGS__                    \
  }
#define MCT_SELECT_KERNELS(...) (kernels_baseline::__VA_ARGS__)
#endif

MCT_DECLARE_KERNELS(template <class T, int N> const ElementwiseTable<T>& elementwise();
                    template <class T, int N> SumKernel<T> sum_kernel();)

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
