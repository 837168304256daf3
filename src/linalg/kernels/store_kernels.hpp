// Sums of products as numbers in memory.
#pragma once

#include <cstring>

#include "src/tensor/kernels/convert_loops.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Whether none of them is infinite or NaN.
template <class S>
bool all_finite(std::size_t count, const S* x) {
  using V = widest_batch<S>;
  std::size_t i = 0;
  for (; i + lanes<V> <= count; i += lanes<V>)
    if (!detail::all_lanes(detail::is_finite_mask(load_lanes<V>(x + i)))) return false;
  for (; i < count; ++i)
    if (!detail::is_finite_mask(x[i])) return false;
  return true;
}

template <class S, class T>
bool store_sums(std::size_t count, const S* sums, T* out) {
  if (!all_finite(count, sums)) return false;
  if constexpr (std::is_same_v<S, T>) {
    std::memcpy(out, sums, count * sizeof(T));
  } else {
    convert_loop(count, sums, out);
  }
  return true;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
