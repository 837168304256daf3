// The loop of functions of plain numbers: lanes of double whatever the format of the numbers.
#pragma once

#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// out = F(in...).
template <class F, class T, class... In>
MCT_ALWAYS_INLINE inline void map_plain(std::size_t n, T* out, const In*... in) {
  using V = widest_batch<double>;
  constexpr std::size_t width = lanes<V>;
  std::size_t i = 0;
  for (; i + width <= n; i += width)
    store_converted(detail::plain_value<T, F>(load_converted<V>(in + i)...), out + i);
  if (i == n) return;
  // the last few among ones, on which every function is quick and harmless
  T result[width];
  const auto padded = [&](const T* from, T(&buffer)[width]) {
    for (std::size_t j = 0; j < width; ++j) buffer[j] = i + j < n ? from[i + j] : T(1);
    return load_converted<V>(buffer);
  };
  T buffers[sizeof...(In)][width];
  std::size_t used = 0;
  if constexpr (sizeof...(In) == 1) {
    store_converted(detail::plain_value<T, F>(padded(in, buffers[used])...), result);
  } else {
    const auto apply = [&](const T* a, const T* b) {
      return detail::plain_value<T, F>(padded(a, buffers[0]), padded(b, buffers[1]));
    };
    store_converted(apply(in...), result);
  }
  for (std::size_t j = i; j < n; ++j) out[j] = result[j - i];
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
