// A function of numbers of any formats, in lanes of double.
#pragma once

#include "src/tensor/kernels/narrowing_stores.hpp"
#include "src/tensor/kernels/widening_loads.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The last few numbers among ones, on which every function is quick and harmless.
template <class V, class T>
struct PaddedNumbers {
  T buffer[lanes<V>];

  MCT_ALWAYS_INLINE PaddedNumbers(const T* from, std::size_t count) {
    for (std::size_t i = 0; i < lanes<V>; ++i) buffer[i] = i < count ? from[i] : T(1);
  }
  MCT_ALWAYS_INLINE V value() const { return load_converted<V>(buffer); }
};

/// out[i] = f(in[i]...) for n numbers, rounded to T.
template <class F, class T, class... In>
MCT_ALWAYS_INLINE inline void map_lanes(std::size_t n, T* out, const F& f, const In*... in) {
  using V = widest_batch<double>;
  std::size_t i = 0;
  for (; i + lanes<V> <= n; i += lanes<V>)
    store_converted(f(load_converted<V>(in + i)...), out + i);
  if (i == n) return;
  T last[lanes<V>];
  store_converted(f(PaddedNumbers<V, In>(in + i, n - i).value()...), last);
  for (std::size_t j = i; j < n; ++j) out[j] = last[j - i];
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
