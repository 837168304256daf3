// How the compiled loops that convert plain numbers are found; see registry.hpp.
#pragma once

#include "src/tensor/kernels/registry.hpp"

namespace mct::tensor_detail {

/// to[i] = U(from[i]), as a conversion of single numbers rounds it, NaN included.
template <class T, class U>
using ConvertKernel = void (*)(std::size_t n, const T* from, U* to);

MCT_DECLARE_KERNELS(template <class T, class U> ConvertKernel<T, U> convert_kernel();)

template <class T, class U>
ConvertKernel<T, U> find_convert_kernel() {
  return MCT_SELECT_KERNELS(convert_kernel<T, U>());
}

/// The other plain types, from which numbers are converted.
#define MCT_FOR_EACH_CONVERSION(DO) \
  DO(double, float)                 \
  DO(double, half)                  \
  DO(double, bfloat16)              \
  DO(float, double)                 \
  DO(float, half)                   \
  DO(float, bfloat16)               \
  DO(half, double)                  \
  DO(half, float)                   \
  DO(half, bfloat16)                \
  DO(bfloat16, double)              \
  DO(bfloat16, float)               \
  DO(bfloat16, half)

#define MCT_DEFINE_CONVERT(T, U)               \
  template <>                                  \
  ConvertKernel<T, U> convert_kernel<T, U>() { \
    return &kernels::convert_loop<T, U>;       \
  }

}  // namespace mct::tensor_detail
