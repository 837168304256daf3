// Arrays of numbers as doubles and back, on the calling thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "src/tensor/kernels/convert_table.hpp"

namespace mct::distributed_detail {

template <class T>
void widen(const T* from, double* to, std::size_t count) {
  if constexpr (std::is_same_v<T, double>) {
    std::copy_n(from, count, to);
  } else {
    tensor_detail::find_convert_kernel<T, double>()(count, from, to);
  }
}

/// Rounded to nearest, ties to even.
template <class T>
void narrow(const double* from, T* to, std::size_t count) {
  if constexpr (std::is_same_v<T, double>) {
    std::copy_n(from, count, to);
  } else {
    tensor_detail::find_convert_kernel<double, T>()(count, from, to);
  }
}

}  // namespace mct::distributed_detail
