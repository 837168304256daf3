// Plain numbers as numbers of another format, a register at a time.
#pragma once

#include "src/tensor/kernels/narrowing_stores.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

#if MCT_HAVE_WIDENING_LOADS
/// Float lanes that the store rounds to T: bfloat16 to nearest even, a NaN made quiet in the bits
/// that it keeps. (Half is rounded by the instruction that stores it.)
template <class T, class V>
MCT_ALWAYS_INLINE inline V ready_to_narrow(const V& x) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    const V quiet = from_words<V>(to_words(x) | words_of<V>(0x00400000u));
    return detail::blend(x == x, RoundLanes<bfloat16, V>::to_store(x), quiet);
  } else {
    return x;
  }
}

/// Doubles as floats, from which a second rounding makes what one rounding to T would.
template <class T>
MCT_ALWAYS_INLINE inline void store_floats_for(const widest_batch<double>& x, float* p) {
  using V = widest_batch<double>;
  store_converted(detail::blend(x == x, within_float<T>(x), x), p);
  static_assert(lanes<V> <= lanes<widest_batch<float>>);
}
#endif

template <class T, class U>
void convert_loop(std::size_t n, const T* from, U* to) {
  std::size_t i = 0;
#if MCT_HAVE_WIDENING_LOADS
  using V = widest_batch<float>;
  using D = widest_batch<double>;
  if constexpr (std::is_same_v<U, double>) {
    for (; i + lanes<D> <= n; i += lanes<D>) store_lanes(load_converted<D>(from + i), to + i);
  } else if constexpr (std::is_same_v<T, double> && std::is_same_v<U, float>) {
    for (; i + lanes<D> <= n; i += lanes<D>) store_rounded(load_lanes<D>(from + i), to + i);
  } else {
    for (; i + lanes<V> <= n; i += lanes<V>) {
      V x;
      if constexpr (std::is_same_v<T, double>) {
        float buffer[lanes<V>];
        for (std::size_t k = 0; k < lanes<V>; k += lanes<D>)
          store_floats_for<U>(load_lanes<D>(from + i + k), buffer + k);
        x = load_lanes<V>(buffer);
      } else {
        x = load_converted<V>(from + i);
      }
      store_narrow(ready_to_narrow<U>(x), to + i);
    }
  }
#endif
  for (; i < n; ++i) to[i] = U(from[i]);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
