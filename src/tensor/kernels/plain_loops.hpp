// The loop of functions of plain numbers: lanes of double whatever the format of the numbers.
#pragma once

#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"
#include "src/tensor/kernels/twice.hpp"

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

/// True where F has an interval without special cases.
template <class F, class... In>
constexpr bool has_within() {
  if constexpr (requires { F::lowest; }) {
    return sizeof...(In) == 1 && lanes<widest_batch<float>> == 2 * lanes<widest_batch<double>>;
  } else {
    return false;
  }
}

/// True in the lanes whose argument F::within() takes.
template <class F, class V>
MCT_ALWAYS_INLINE inline auto is_within(const V& x) {
  constexpr float least = detail::least_argument<F>;
  constexpr float vanishing = detail::last_vanishing<F>;
  const auto inside = [&] {
    if constexpr (F::lowest == -F::highest) {
      return detail::magnitude(x) <= V(F::highest);
    } else {
      return x >= V(F::lowest) && x <= V(F::highest);
    }
  }();
  if constexpr (least > 0) {
    return inside && detail::magnitude(x) >= V(least);
  } else if constexpr (vanishing > -FloatTraits<float>::max) {
    return inside || x <= V(vanishing);
  } else {
    return inside;
  }
}

/// out = F(in...) for two batches, if that is quickly done: false, and nothing, if a number is near
/// a midpoint or out of the ordinary. One look at both costs little more than at one.
template <class F, class T, class... In>
MCT_ALWAYS_INLINE inline bool map_quickly(T* out, const In*... in) {
  using V = widest_batch<double>;
  using Both = Twice<V>;
  constexpr std::size_t next = lanes<V>;
  Both y;
  bool ordinary = true;
  // results of within() are normal in float, and so in bfloat16
  bool may_be_subnormal = FloatTraits<T>::emax < FloatTraits<float>::emax;
  if constexpr (has_within<F, In...>()) {
    y = F::within(Both(load_converted<V>(in), load_converted<V>(in + next))...);
    ordinary = detail::all_lanes(is_within<F>(load_converted<widest_batch<float>>(in)...));
  } else {
    y = F::template at<1>(Both(load_converted<V>(in), load_converted<V>(in + next))...);
    may_be_subnormal = true;
  }
  if (may_be_subnormal && !detail::all_lanes(detail::magnitude(y) >= Both(detail::least_normal<T>)))
    return false;
  const auto near = detail::is_near_normal_midpoint<T>(y, detail::midpoint_window);
  if (!ordinary || !detail::no_lane(near)) return false;
  store_converted(y.low, out);
  store_converted(y.high, out + next);
  return true;
}
/// The same in any case.
template <class F, class T, class... In>
[[gnu::noinline]] void map_carefully(T* out, const In*... in) {
  using V = widest_batch<double>;
  for (std::size_t i = 0; i < 2 * lanes<V>; i += lanes<V>)
    store_converted(detail::plain_value<T, F>(load_converted<V>(in + i)...), out + i);
}

/// out = F(in...).
template <class F, class T, class... In>
MCT_ALWAYS_INLINE inline void map_plain(std::size_t n, T* out, const In*... in) {
  using V = widest_batch<double>;
  std::size_t i = 0;
  if constexpr (!std::is_same_v<T, double> && lanes < V >> 1)
    for (; i + 2 * lanes<V> <= n; i += 2 * lanes<V>)
      if (!map_quickly<F>(out + i, in + i...)) map_carefully<F>(out + i, in + i...);
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
