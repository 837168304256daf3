// The loops of the element-wise kernels and the table of them all.
//
// Included by one source file per component type, which is compiled once per instruction set.
// Nothing here may call a function that other code could have in common with a narrower
// instruction set: no standard containers, no streams.
#pragma once

#include <type_traits>
#include <utility>

#include "src/tensor/kernels/elementwise_table.hpp"
#include "src/tensor/kernels/lanes.hpp"
#include "src/tensor/kernels/operations.hpp"
#include "src/tensor/kernels/plain_loops.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

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

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
