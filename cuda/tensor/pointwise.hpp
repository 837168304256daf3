// The operations of mctensor/tensor/operation.hpp as functions for Map: those of the CPU's kernels,
// of one thread's numbers.
#pragma once

#include "cuda/tensor/map.hpp"
#include "mctensor/math/plain/functions.hpp"
#include "src/tensor/kernels/operations.hpp"

namespace mct::cuda {

/// Bit for bit what the CPU's kernels compute where they have fma.
template <auto Op, class T, int N>
struct Pointwise {
  // arithmetic of half and bfloat16 is emulated, and a thread has eight elements of them
  static constexpr bool is_long = kernels::is_function<Op> || sizeof(T) == 2;

  template <class... X>
  MCT_BLOCK Expansion<T, N> operator()(const X&... x) const {
    if constexpr (kernels::is_plain_function<Op, N>) {
      using Function = kernels::function_of<Op>;
      return Expansion<T, N>(mct::detail::plain_function<Function>(x.limb[0]...));
    } else {
      return kernels::apply<Op>(x...);
    }
  }
};

/// The operations that are compiled for a type: functions take nvcc long, and so far only double,
/// float and f64x2 have them.
template <class T, int N>
inline constexpr bool has_functions = N == 1 ? sizeof(T) > 2 : std::is_same_v<T, double>&& N == 2;
template <class T, int N>
inline constexpr int unary_count = has_functions<T, N> ? int(Unary::count)
                                                       : arithmetic_count<Unary>;
template <class T, int N>
inline constexpr int binary_count = has_functions<T, N> ? int(Binary::count)
                                                        : arithmetic_count<Binary>;

template <Unary Op, class T, int N>
using UnaryMap = Map<Pointwise<Op, T, N>, T, N, N>;
template <Binary Op, class T, int N>
using BinaryMap = Map<Pointwise<Op, T, N>, T, N, N, N>;
template <Ternary Op, class T, int N>
using TernaryMap = Map<Pointwise<Op, T, N>, T, N, N, N, N>;

}  // namespace mct::cuda
