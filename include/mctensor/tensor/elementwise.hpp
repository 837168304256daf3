// Element-wise operations on tensors: arithmetic, functions, comparison, selection.
//
// Operands: tensors of N components, plain tensors (of one component) and scalars, in any mixture
// of one component type. The result has as many components as the longest tensor. Scalars are
// rounded to as many, but compared exactly. Shapes broadcast as in NumPy; if they cannot,
// ShapeError names them. Each element of the result has the bits and the error bound of the same
// operation on Expansion<T, N> (with fma where the instruction set has it). For half and bfloat16
// the elementary functions are computed in double. A function with an underscore (add_, exp_) works
// in place and returns its first operand. The others must broadcast to its shape. Operands may be
// views and may overlap, but the first must not be an expanded tensor (ShapeError). Large tensors
// use num_threads() threads.
//
// Source: see the function with the same name in expansion/ and math/.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/limits.hpp"
#include "mctensor/expansion/renormalize.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/operation.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::tensor_detail::inline MCT_ISA_NAMESPACE {

// The type in which a scalar is compared with a tensor, so that no rounding changes the result of a
// comparison.

template <class S>
struct ScalarInDoubles {
  using type = Expansion<double, 2>;  // 64-bit integers, too
};
template <class T, int k>
struct ScalarInDoubles<Expansion<T, k>> {
  using type = Expansion<double, k>;
};

/// The next number of N components above or below x. From an infinity the only way is back: the
/// result is the largest finite number, with the sign of the infinity.
template <class T, int N>
Expansion<T, N> next_to(Expansion<T, N> x, bool up) {
  using std::isfinite;
  using std::nextafter;
  if (!isfinite(x.limb[0])) {
    const auto largest = std::numeric_limits<Expansion<T, N>>::max();
    return up ? -largest : largest;
  }
  const T infinity = FloatTraits<T>::infinity;
  x.limb[N - 1] = nextafter(x.limb[N - 1], up ? infinity : -infinity);
  return renormalize(x);
}

/// A number of N components that compares with elements x of a tensor as s does. It is s itself if
/// N components can hold s. Otherwise it is one of the two neighbours of s: the upper one for x < s
/// and s <= x, the lower one for x <= s and s < x. No element equals such an s, so for equality the
/// result is NaN.
template <Compare Op, bool scalar_first, class T, int N, class S>
Expansion<T, N> threshold(const S& s) {
  const Expansion<T, N> near(s);
  using Doubles = typename ScalarInDoubles<S>::type;
  using Common = Expansion<double, std::max(N, Doubles::components)>;
  const Common exact{Doubles(s)};
  const Common rounded{Expansion<double, N>(near)};
  if (rounded == exact || exact != exact) return near;
  if constexpr (Op != Compare::lt && Op != Compare::le) {
    return FloatTraits<T>::nan;
  } else {
    constexpr bool from_above = (Op == Compare::lt) != scalar_first;
    const bool is_above = exact < rounded;
    return is_above == from_above ? near : next_to(near, from_above);
  }
}

}  // namespace mct::tensor_detail::inline MCT_ISA_NAMESPACE

namespace mct {
namespace tensor_detail {

// the compiled entry points; `out` has the broadcast shape
template <class T, int N>
void run_unary(Unary op, const Tensor<T, N>& out, const Tensor<T, N>& x);
template <class T, int N, int A, int B>
void run_binary(Binary op, const Tensor<T, N>& out, const Tensor<T, A>& x, const Tensor<T, B>& y);
template <class T, int N>
void run_ternary(Ternary op, const Tensor<T, N>& out, const Tensor<T, N>& x, const Tensor<T, N>& y,
                 const Tensor<T, N>& z);
template <class T, int A, int B>
void run_compare(Compare op, const Tensor<bool>& out, const Tensor<T, A>& x, const Tensor<T, B>& y);
template <class T, int N>
void run_where(const Tensor<T, N>& out, const Tensor<bool>& mask, const Tensor<T, N>& x,
               const Tensor<T, N>& y);

/// How an operand determines the result's type.
template <class X>
struct OperandTraits {
  static constexpr bool is_tensor = false;
  /// Wider numbers, such as long double, must be converted to expansions first.
  static constexpr bool is_scalar =
      (std::is_arithmetic_v<X> && sizeof(X) <= sizeof(double)) || is_component_v<X>;
  using Component = void;
  static constexpr int components = 1;
};
template <class T, int N>
struct OperandTraits<Tensor<T, N>> {
  static constexpr bool is_tensor = true;
  static constexpr bool is_scalar = false;
  using Component = T;
  static constexpr int components = N;
};
template <class T, int N>
struct OperandTraits<Expansion<T, N>> {
  static constexpr bool is_tensor = false;
  static constexpr bool is_scalar = true;
  using Component = T;
  static constexpr int components = N;
};

template <class X>
using Traits = OperandTraits<std::remove_cvref_t<X>>;

/// True for types that may be operands beside a tensor of numbers in an element-wise operation.
template <class X>
inline constexpr bool is_operand_v = Traits<X>::is_scalar ||
                                     (Traits<X>::is_tensor &&
                                      is_component_v<typename Traits<X>::Component>);

/// The component type of the first tensor among the operands.
template <class X, class... Rest>
struct FirstComponent {
  using type = typename FirstComponent<Rest...>::type;
};
template <class X, class... Rest>
requires(Traits<X>::is_tensor) struct FirstComponent<X, Rest...> {
  using type = typename Traits<X>::Component;
};

template <class... X>
concept Operands = (is_operand_v<X> && ...) && (Traits<X>::is_tensor || ...);

/// The number of components of the result: the largest number of the tensor operands.
template <class... X>
inline constexpr int result_components = [] {
  int most = 1;
  ((most = Traits<X>::is_tensor && Traits<X>::components > most ? Traits<X>::components : most),
   ...);
  return most;
}();

/// An operand as a tensor of T. A scalar that T surely holds becomes a plain tensor, any other
/// scalar a tensor of N components.
template <class T, int N, class X>
decltype(auto) as_tensor(const X& x) {
  if constexpr (Traits<X>::is_tensor) {
    constexpr bool same_type = std::is_same_v<typename Traits<X>::Component, T>;
    constexpr bool fits = Traits<X>::components == N || Traits<X>::components == 1;
    static_assert(same_type, "tensors of different component types: convert one of them");
    static_assert(fits, "tensors of different numbers of components: convert one of them");
    if constexpr (same_type && fits) {
      return (x);
    } else {
      return Tensor<T, 1>();  // so that the compiler reports no further errors
    }
  } else if constexpr (std::is_same_v<X, T> || (std::is_integral_v<X> && sizeof(X) < sizeof(T))) {
    return Tensor<T, 1>::scalar(T(x));
  } else if constexpr (N == 1) {
    return Tensor<T, 1>::scalar(Expansion<T, 1>(x).limb[0]);
  } else {
    return Tensor<T, N>::scalar(Expansion<T, N>(x));
  }
}

/// A tensor converted to N components.
template <class T, int N>
Tensor<T, N> widen(const Tensor<T, N>& x) {
  return x;
}
template <class T, int N>
requires(N > 1) Tensor<T, N> widen(const Tensor<T, 1>& x) { return with_components<N>(x); }

template <Binary Op, class X, class Y>
auto binary(const X& x, const Y& y) {
  using T = typename FirstComponent<X, Y>::type;
  constexpr int N = result_components<X, Y>;
  const auto& a = as_tensor<T, N>(x);
  const auto& b = as_tensor<T, N>(y);
  auto out = Tensor<T, N>::uninitialized(broadcast_shapes(a.shape(), b.shape()));
  run_binary(Op, out, a, b);
  return out;
}

/// As as_tensor, but a scalar that need not fit into T becomes a number that compares like the
/// scalar (threshold).
template <Compare Op, bool is_first, class T, int N, class X>
decltype(auto) as_compared(const X& x) {
  if constexpr (Traits<X>::is_tensor || std::is_same_v<X, T> ||
                (std::is_integral_v<X> && sizeof(X) < sizeof(T))) {
    return as_tensor<T, N>(x);
  } else {
    return as_tensor<T, N>(threshold<Op, is_first, T, N>(x));
  }
}

template <Compare Op, class X, class Y>
Tensor<bool> compare(const X& x, const Y& y) {
  using T = typename FirstComponent<X, Y>::type;
  constexpr int N = result_components<X, Y>;
  const auto& a = as_compared<Op, true, T, N>(x);
  const auto& b = as_compared<Op, false, T, N>(y);
  auto out = Tensor<bool>::uninitialized(broadcast_shapes(a.shape(), b.shape()));
  run_compare(Op, out, a, b);
  return out;
}

}  // namespace tensor_detail

#define MCT_TENSOR_UNARY(name, ...)                    \
  template <class T, int N>                            \
  Tensor<T, N> name(const Tensor<T, N>& x) {           \
    auto out = Tensor<T, N>::uninitialized(x.shape()); \
    tensor_detail::run_unary(Unary::name, out, x);     \
    return out;                                        \
  }                                                    \
  template <class T, int N>                            \
  const Tensor<T, N>& name##_(const Tensor<T, N>& x) { \
    tensor_detail::run_unary(Unary::name, x, x);       \
    return x;                                          \
  }

/// The operations of one operand; operation.hpp lists their meanings and domains. For expansions
/// arithmetic has the bounds of error_bounds. Every other function has the bound 1.5 u^N and the
/// special values of math/. For plain tensors functions (and rsqrt) are correctly rounded in float,
/// half and bfloat16. In double their error is at most 0.51 ulp (0.76 where the result is
/// subnormal).
MCT_FOR_EACH_UNARY(MCT_TENSOR_UNARY)
#undef MCT_TENSOR_UNARY

#define MCT_TENSOR_BINARY(name, ...)                                                      \
  template <class X, class Y>                                                             \
  requires tensor_detail::Operands<X, Y>                                                  \
  auto name(const X& x, const Y& y) { return tensor_detail::binary<Binary::name>(x, y); } \
  template <class T, int N, class Y>                                                      \
  requires tensor_detail::Operands<Tensor<T, N>, Y>                                       \
  const Tensor<T, N>& name##_(const Tensor<T, N>& x, const Y& y) {                        \
    tensor_detail::run_binary(Binary::name, x, x, tensor_detail::as_tensor<T, N>(y));     \
    return x;                                                                             \
  }

/// The operations of two operands, with the same bounds.
MCT_FOR_EACH_BINARY(MCT_TENSOR_BINARY)
#undef MCT_TENSOR_BINARY

#define MCT_TENSOR_COMPARE(name, op, first, second, relation)                        \
  template <class X, class Y>                                                        \
  requires tensor_detail::Operands<X, Y> Tensor<bool> name(const X& x, const Y& y) { \
    return tensor_detail::compare<Compare::relation>(first, second);                 \
  }                                                                                  \
  template <class X, class Y>                                                        \
  requires tensor_detail::Operands<X, Y> Tensor<bool>                                \
  operator op(const X& x, const Y& y) { return name(x, y); }

/// Masks: true where the relation holds for the exact values, also for scalars of any type. Where
/// an operand is NaN, the mask is false (for ne true).
MCT_TENSOR_COMPARE(eq, ==, x, y, eq)
MCT_TENSOR_COMPARE(ne, !=, x, y, ne)
MCT_TENSOR_COMPARE(lt, <, x, y, lt)
MCT_TENSOR_COMPARE(le, <=, x, y, le)
MCT_TENSOR_COMPARE(gt, >, y, x, lt)
MCT_TENSOR_COMPARE(ge, >=, y, x, le)
#undef MCT_TENSOR_COMPARE

#define MCT_TENSOR_OPERATOR(op, name)                             \
  template <class X, class Y>                                     \
  requires tensor_detail::Operands<X, Y>                          \
  auto operator op(const X& x, const Y& y) { return name(x, y); } \
  template <class T, int N, class Y>                              \
  requires tensor_detail::Operands<Tensor<T, N>, Y>               \
  const Tensor<T, N>& operator op##=(const Tensor<T, N>& x, const Y& y) { return name##_(x, y); }
MCT_TENSOR_OPERATOR(+, add)
MCT_TENSOR_OPERATOR(-, sub)
MCT_TENSOR_OPERATOR(*, mul)
MCT_TENSOR_OPERATOR(/, div)
#undef MCT_TENSOR_OPERATOR

template <class T, int N>
Tensor<T, N> operator-(const Tensor<T, N>& x) {
  return neg(x);
}

/// x y + z in one pass over memory. As in mul_add of expansions, the product is rounded to N
/// components before the sum.
template <class X, class Y, class Z>
requires tensor_detail::Operands<X, Y, Z>
auto mul_add(const X& x, const Y& y, const Z& z) {
  using T = typename tensor_detail::FirstComponent<X, Y, Z>::type;
  constexpr int N = tensor_detail::result_components<X, Y, Z>;
  const auto& a = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(x));
  const auto& b = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(y));
  const auto& c = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(z));
  auto out = Tensor<T, N>::uninitialized(
      broadcast_shapes(broadcast_shapes(a.shape(), b.shape()), c.shape()));
  tensor_detail::run_ternary(Ternary::mul_add, out, a, b, c);
  return out;
}

/// min(max(x, low), high). Where low > high the result is high. NaN if any of the three is NaN.
template <class T, int N, class L, class H>
requires tensor_detail::Operands<Tensor<T, N>, L, H> Tensor<T, N> clamp(const Tensor<T, N>& x,
                                                                        const L& low,
                                                                        const H& high) {
  const auto& a = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(low));
  const auto& b = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(high));
  auto out = Tensor<T, N>::uninitialized(
      broadcast_shapes(broadcast_shapes(x.shape(), a.shape()), b.shape()));
  tensor_detail::run_ternary(Ternary::clamp, out, x, a, b);
  return out;
}

/// mask ? x : y. The bits are copied, so NaN payloads and signs of zero stay.
template <class X, class Y>
requires tensor_detail::Operands<X, Y>
auto where(const Tensor<bool>& mask, const X& x, const Y& y) {
  using T = typename tensor_detail::FirstComponent<X, Y>::type;
  constexpr int N = tensor_detail::result_components<X, Y>;
  const auto& a = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(x));
  const auto& b = tensor_detail::widen<T, N>(tensor_detail::as_tensor<T, N>(y));
  auto out = Tensor<T, N>::uninitialized(
      broadcast_shapes(broadcast_shapes(a.shape(), b.shape()), mask.shape()));
  tensor_detail::run_where(out, mask, a, b);
  return out;
}

/// Logical operations on masks of equal or broadcastable shapes.
Tensor<bool> logical_and(const Tensor<bool>& x, const Tensor<bool>& y);
Tensor<bool> logical_or(const Tensor<bool>& x, const Tensor<bool>& y);
Tensor<bool> logical_not(const Tensor<bool>& x);
/// all: true if no element is false. any: true if at least one element is true.
bool all(const Tensor<bool>& x);
bool any(const Tensor<bool>& x);

}  // namespace mct
