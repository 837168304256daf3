// The element-wise operations as function objects on Expansion<V, N>, V a scalar or a SIMD batch:
// the library's own scalar templates, under one name each.
#pragma once

#include <algorithm>
#include <cmath>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/math/all.hpp"
#include "mctensor/tensor/operation.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// The function that an operation computes; NoFunction for arithmetic.
template <auto Op>
struct FunctionOf {
  using type = detail::NoFunction;
};
#define MCT_FUNCTION_OF(operation, Type) \
  template <>                            \
  struct FunctionOf<operation> {         \
    using type = detail::Type;           \
  };
#define MCT_FUNCTION_OF_UNARY(name, Type, ...) MCT_FUNCTION_OF(Unary::name, Type)
#define MCT_FUNCTION_OF_BINARY(name, Type, ...) MCT_FUNCTION_OF(Binary::name, Type)
MCT_FOR_EACH_UNARY(MCT_FUNCTION_OF_UNARY)
MCT_FOR_EACH_BINARY(MCT_FUNCTION_OF_BINARY)
#undef MCT_FUNCTION_OF
#undef MCT_FUNCTION_OF_UNARY
#undef MCT_FUNCTION_OF_BINARY
template <auto Op>
using function_of = typename FunctionOf<Op>::type;
template <auto Op>
inline constexpr bool is_function = !std::is_same_v<function_of<Op>, detail::NoFunction>;

/// True for functions of plain numbers, which are computed in lanes of double
/// (elementwise_loops.hpp).
template <auto Op, int N>
inline constexpr bool is_plain_function = N == 1 && is_function<Op>;

/// True for operations that go element by element: those that branch on their operands.
template <auto Op>
constexpr bool is_scalar_only() {
  if constexpr (requires { entry_of(Op); }) {
    return entry_of(Op).kind == OperationKind::scalar;
  } else {
    return false;
  }
}

/// True in the lanes that hold a NaN. (The != of a batch library may be false for NaN: that of
/// xsimd 8.1 is with AVX.)
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_nan_mask(const V& x) {
  return !(x == x);
}

/// True in the lanes where maximum(x, y) is x.
template <class V, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr auto is_maximum(const Expansion<V, N>& x,
                                                   const Expansion<V, N>& y) {
  return x >= y || is_nan_mask(x.limb[0]);
}
/// The larger (smaller) operand; NaN if one of them is NaN.
template <class V, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> maximum(const Expansion<V, N>& x,
                                                           const Expansion<V, N>& y) {
  return detail::blend(is_maximum(x, y), x, y);
}
template <class V, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> minimum(const Expansion<V, N>& x,
                                                           const Expansion<V, N>& y) {
  return detail::blend(x <= y || is_nan_mask(x.limb[0]), x, y);
}

/// The functions of expansions are for double and float; half and bfloat16 go through two doubles,
/// which hold every value of these types up to a relative 2^-106 in the lowest limb.
template <class T, int N, class F>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<T, N> in_wider_type(const Expansion<T, N>& x,
                                                                 const F& f) {
  if constexpr (FloatTraits<T>::p < FloatTraits<float>::p) {
    return Expansion<T, N>(f(Expansion<double, 2>(x)));
  } else {
    return f(x);
  }
}

/// An operand of one or N components as one of N.
template <int N, class V, int M>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> whole(const Expansion<V, M>& x) {
  if constexpr (M == N) {
    return x;
  } else {
    return Expansion<V, N>(x.limb[0]);
  }
}

/// The value of an operation.
template <Unary Op, class V, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> apply(const Expansion<V, N>& x) {
  if constexpr (Op == Unary::neg) {
    return -x;
  } else if constexpr (Op == Unary::abs) {
    return abs(x);
  } else if constexpr (Op == Unary::square) {
    return square(x);
  } else if constexpr (Op == Unary::sqrt) {
    return sqrt(x);
  } else if constexpr (Op == Unary::rsqrt) {
    return rsqrt(x);
  } else if constexpr (Op == Unary::relu) {
    const Expansion<V, N> zero{};
    return detail::blend(x.limb[0] <= zero.limb[0], zero, x);  // NaN stays
  } else {
    return in_wider_type(x, [](const auto& y) { return function_of<Op>::of(y); });
  }
}

template <Binary Op, class V, int A, int B>
MCT_HD MCT_ALWAYS_INLINE constexpr auto apply(const Expansion<V, A>& x, const Expansion<V, B>& y) {
  constexpr int N = std::max(A, B);
  // the cheaper forms for one component where there are some
  const auto operand = [](const auto& z) {
    if constexpr (std::remove_cvref_t<decltype(z)>::components == N) {
      return z;
    } else {
      return z.limb[0];
    }
  };
  if constexpr (Op == Binary::add) {
    return add(operand(x), operand(y));
  } else if constexpr (Op == Binary::sub) {
    return sub(operand(x), operand(y));
  } else if constexpr (Op == Binary::mul) {
    return mul(operand(x), operand(y));
  } else if constexpr (Op == Binary::div) {
    return div(operand(x), operand(y));
  } else if constexpr (Op == Binary::maximum) {
    return maximum(whole<N>(x), whole<N>(y));
  } else if constexpr (Op == Binary::minimum) {
    return minimum(whole<N>(x), whole<N>(y));
  } else if constexpr (FloatTraits<V>::p < FloatTraits<float>::p) {
    using W = Expansion<double, 2>;
    return Expansion<V, N>(function_of<Op>::of(W(whole<N>(x)), W(whole<N>(y))));
  } else {
    return function_of<Op>::of(whole<N>(x), whole<N>(y));
  }
}

template <Ternary Op, class V, int N>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> apply(const Expansion<V, N>& x,
                                                         const Expansion<V, N>& y,
                                                         const Expansion<V, N>& z) {
  if constexpr (Op == Ternary::mul_add) {
    return mul_add(x, y, z);
  } else {
    return minimum(maximum(x, y), z);
  }
}

template <Compare Op, class V, int A, int B>
MCT_HD MCT_ALWAYS_INLINE constexpr auto apply(const Expansion<V, A>& x, const Expansion<V, B>& y) {
  constexpr int N = std::max(A, B);
  if constexpr (Op == Compare::eq) {
    return whole<N>(x) == whole<N>(y);
  } else if constexpr (Op == Compare::ne) {
    return whole<N>(x) != whole<N>(y);
  } else if constexpr (Op == Compare::lt) {
    return whole<N>(x) < whole<N>(y);
  } else {
    return whole<N>(x) <= whole<N>(y);
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
