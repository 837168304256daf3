// The loop of functions of plain numbers: lanes of double whatever the format of the numbers.
#pragma once

#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// The last few numbers among ones, on which every function is quick and harmless.
template <class V, class T>
struct PaddedNumbers {
  T buffer[lanes<V>];

  MCT_ALWAYS_INLINE PaddedNumbers(const T* from, std::size_t count) {
    for (std::size_t i = 0; i < lanes<V>; ++i) buffer[i] = i < count ? from[i] : T(1);
  }
  MCT_ALWAYS_INLINE V value() const { return load_converted<V>(buffer); }
};

/// out = F(in...).
template <class F, class T, class... In>
MCT_ALWAYS_INLINE inline void map_plain(std::size_t n, T* out, const In*... in) {
  using V = widest_batch<double>;
  std::size_t i = 0;
  for (; i + lanes<V> <= n; i += lanes<V>)
    store_converted(detail::plain_value<T, F>(load_converted<V>(in + i)...), out + i);
  if (i == n) return;
  T last[lanes<V>];
  store_converted(detail::plain_value<T, F>(PaddedNumbers<V, In>(in + i, n - i).value()...), last);
  for (std::size_t j = i; j < n; ++j) out[j] = last[j - i];
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
