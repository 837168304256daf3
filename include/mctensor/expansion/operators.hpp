// The operators + - * / and their compound forms, for every mix of operands.
//
// Error and domain: as add, sub, mul, div and mul_add, which the operators call. Source: add.hpp,
// mul.hpp, div.hpp.
#pragma once

#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/div.hpp"
#include "mctensor/expansion/operand.hpp"

namespace mct {

/// Numbers that Expansion<T, N> cannot hold without losing digits, because they have more
/// components or components of another type.
template <class Y, class T, int N>
concept NarrowingOperand = DifferentComponents<Expansion<T, N>, Y> ||
    (is_expansion_v<Y>&& std::is_same_v<typename ValueTraits<Y>::Limb, T> &&
     (ValueTraits<Y>::limbs > N));

inline namespace MCT_ISA_NAMESPACE {

// These operators are deleted, so that the compiler's message is one line. They take expansions of
// different component types (convert one explicitly), a number that needs more limbs, or, in x op=
// y, a y with more components than x.

// Operators of two expansions, or of an expansion and a number. The result has as many components
// as the longer expansion. Bounds: as the function of that name. A number that one component cannot
// hold exactly (a 64-bit integer beside doubles, a double beside floats) becomes an expansion.
#define MCT_BINARY_OPERATOR(op, function)                                                      \
  template <class T, int N>                                                                    \
  MCT_HD constexpr Expansion<T, N> operator op(const Expansion<T, N>& x,                       \
                                               const Expansion<T, N>& y) {                     \
    return function(x, y);                                                                     \
  }                                                                                            \
  template <class T, int N, MixedOperand<Expansion<T, N>> S>                                   \
  MCT_HD constexpr Expansion<T, N> operator op(const Expansion<T, N>& x, const S& y) {         \
    return function(x, detail::mixed_operand<T, N>(y));                                        \
  }                                                                                            \
  template <class T, int N, MixedOperand<Expansion<T, N>> S>                                   \
  MCT_HD constexpr Expansion<T, N> operator op(const S& x, const Expansion<T, N>& y) {         \
    return function(detail::mixed_operand<T, N>(x), y);                                        \
  }                                                                                            \
  template <class T, int N, int M>                                                             \
  requires(N != M) MCT_HD constexpr auto operator op(const Expansion<T, N>& x,                 \
                                                     const Expansion<T, M>& y) {               \
    constexpr int W = N > M ? N : M;                                                           \
    return function(detail::widen<W>(x), detail::widen<W>(y));                                 \
  }                                                                                            \
  template <class T, int N, class Y>                                                           \
  requires(MixedOperand<Y, Expansion<T, N>> || std::is_same_v<Y, Expansion<T, N>>)             \
      MCT_HD constexpr Expansion<T, N>&                                                        \
      operator op##=(Expansion<T, N>& x, const Y& y) {                                         \
    return x = x op y;                                                                         \
  }                                                                                            \
  template <class T, int N, int M>                                                             \
  requires(M < N) MCT_HD constexpr Expansion<T, N>& operator op##=(Expansion<T, N>& x,         \
                                                                   const Expansion<T, M>& y) { \
    return x = x op y;                                                                         \
  }                                                                                            \
  template <class T, int N, class Y>                                                           \
  requires NarrowingOperand<Y, T, N>                                                           \
  void operator op##=(Expansion<T, N>&, const Y&) = delete;                                    \
  template <class X, class Y>                                                                  \
  requires DifferentComponents<X, Y>                                                           \
  void operator op(const X&, const Y&) = delete;
MCT_BINARY_OPERATOR(+, add)
MCT_BINARY_OPERATOR(-, sub)
MCT_BINARY_OPERATOR(*, mul)
MCT_BINARY_OPERATOR(/, div)
#undef MCT_BINARY_OPERATOR

template <class T, int N>
MCT_HD constexpr Expansion<T, N>& operator++(Expansion<T, N>& x) {
  return x = add(x, T(scalar_t<T>(1)));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N>& operator--(Expansion<T, N>& x) {
  return x = sub(x, T(scalar_t<T>(1)));
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> operator++(Expansion<T, N>& x, int) {
  const Expansion<T, N> before = x;
  ++x;
  return before;
}
template <class T, int N>
MCT_HD constexpr Expansion<T, N> operator--(Expansion<T, N>& x, int) {
  const Expansion<T, N> before = x;
  --x;
  return before;
}

/// fma with numbers or shorter expansions among the operands.
template <class X, class Y, class Z>
requires MixedOperands<X, Y, Z> MCT_HD constexpr auto fma(const X& x, const Y& y, const Z& z) {
  using R = common_expansion_t<X, Y, Z>;
  return mul_add(R(x), R(y), R(z));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
