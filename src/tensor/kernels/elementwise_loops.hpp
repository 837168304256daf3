// The loops of the element-wise kernels, and their table.
//
// Included by one source file per component type, which is compiled once per instruction set.
// Nothing here may call a function that other code could have in common with a narrower
// instruction set: no standard containers, no streams.
#pragma once

#include <type_traits>
#include <utility>

#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/elementwise_table.hpp"
#include "src/tensor/kernels/lanes.hpp"
#include "src/tensor/kernels/map_lanes.hpp"
#include "src/tensor/kernels/narrowing_stores.hpp"
#include "src/tensor/kernels/operations.hpp"
#include "src/tensor/kernels/twice.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

// The loop of functions of plain numbers: lanes of double whatever the format of the numbers.

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

/// out = F(in...) for two batches, if that is quick. Otherwise (a number is near a midpoint or is
/// not ordinary) returns false and writes nothing. Checking both batches costs little more than
/// checking one.
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
/// The same for all numbers.
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
  map_lanes(
      n - i, out + i, [](const auto&... x) { return detail::plain_value<T, F>(x...); }, in + i...);
}

template <auto Op, class T, int N>
using kernel_value = std::conditional_t<is_scalar_only<Op>(), T, widest_batch<T>>;

/// out = op(in...), M... the components of the operands.
template <auto Op, class T, int N, int... M, class... In>
MCT_ALWAYS_INLINE inline void map_elements(std::size_t n, T* const* out, In... in) {
  using V = kernel_value<Op, T, N>;
  std::size_t i = 0;
  for (; i + lanes<V> <= n; i += lanes<V>)
    store_expansion<V, N>(apply<Op>(load_expansion<V, M>(in, i)...), out, i);
  if constexpr (lanes < V >> 1) {
    if (i == n) return;
    Tail<V, N> result;
    store_expansion<V, N>(apply<Op>(Tail<V, M>(in, i, n - i).value()...), result.planes, 0);
    for (int k = 0; k < N; ++k)
      for (std::size_t j = i; j < n; ++j) out[k][j] = result.buffer[k][j - i];
  }
}

template <auto Op, class T, int N>
void unary_kernel(std::size_t n, T* const* out, const T* const* a) {
  if constexpr (is_plain_function<Op, N>) {
    map_plain<function_of<Op>>(n, out[0], a[0]);
  } else {
    map_elements<Op, T, N, N>(n, out, a);
  }
}
template <auto Op, class T, int N, int A, int B>
void binary_kernel(std::size_t n, T* const* out, const T* const* a, const T* const* b) {
  if constexpr (is_plain_function<Op, N>) {
    map_plain<function_of<Op>>(n, out[0], a[0], b[0]);
  } else {
    map_elements<Op, T, N, A, B>(n, out, a, b);
  }
}
template <auto Op, class T, int N>
void ternary_kernel(std::size_t n, T* const* out, const T* const* a, const T* const* b,
                    const T* const* c) {
  map_elements<Op, T, N, N, N, N>(n, out, a, b, c);
}
template <auto Op, class T, int A, int B>
void compare_kernel(std::size_t n, bool* const* out, const T* const* a, const T* const* b) {
  using V = widest_batch<T>;
  std::size_t i = 0;
  for (; i + lanes<V> <= n; i += lanes<V>)
    store_mask(apply<Op>(load_expansion<V, A>(a, i), load_expansion<V, B>(b, i)), out[0] + i);
  if constexpr (lanes < V >> 1) {
    if (i == n) return;
    bool result[lanes<V>];
    store_mask(apply<Op>(Tail<V, A>(a, i, n - i).value(), Tail<V, B>(b, i, n - i).value()), result);
    for (std::size_t j = i; j < n; ++j) out[0][j] = result[j - i];
  }
}

/// f of every operation of an enumeration, as a constant.
template <class Op, class F>
constexpr void for_each_operation(const F& f) {
  [&]<int... I>(std::integer_sequence<int, I...>) { (f(std::integral_constant<Op, Op(I)>()), ...); }
  (std::make_integer_sequence<int, int(Op::count)>());
}

template <class T, int N>
constexpr tensor_detail::ElementwiseTable<T> make_elementwise_table() {
  using tensor_detail::Mix;
  tensor_detail::ElementwiseTable<T> table{};
  for_each_operation<Unary>([&](auto op) { table.unary[int(op())] = &unary_kernel<op(), T, N>; });
  for_each_operation<Binary>([&](auto op) {
    auto& of_mix = table.binary[int(op())];
    of_mix[int(Mix::none)] = &binary_kernel<op(), T, N, N, N>;
    of_mix[int(Mix::left)] = &binary_kernel<op(), T, N, 1, N>;
    of_mix[int(Mix::right)] = &binary_kernel<op(), T, N, N, 1>;
  });
  for_each_operation<Ternary>(
      [&](auto op) { table.ternary[int(op())] = &ternary_kernel<op(), T, N>; });
  for_each_operation<Compare>([&](auto op) {
    auto& of_mix = table.compare[int(op())];
    of_mix[int(Mix::none)] = &compare_kernel<op(), T, N, N>;
    of_mix[int(Mix::left)] = &compare_kernel<op(), T, 1, N>;
    of_mix[int(Mix::right)] = &compare_kernel<op(), T, N, 1>;
  });
  return table;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
