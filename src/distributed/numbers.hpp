// Arrays of numbers as doubles and back, on the calling thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "src/distributed/kernels/exact_sum_table.hpp"
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

/// Finite sums of numbers of T, at most sum_block of them, rounded to nearest, ties to even.
template <class T>
void narrow(const double* from, T* to, std::size_t count) {
  if constexpr (std::is_same_v<T, double>) {
    std::copy_n(from, count, to);
  } else if constexpr (std::is_same_v<T, float>) {
    tensor_detail::find_convert_kernel<double, T>()(count, from, to);
  } else {  // by way of float, whose conversions take a fraction of the time
    std::array<float, sum_block> floats;
    find_exact_sum_table().round_to_odd_floats(from, count, floats.data());
    tensor_detail::find_convert_kernel<float, T>()(count, floats.data(), to);
  }
}

}  // namespace mct::distributed_detail
