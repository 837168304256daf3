// The numbers that may stand beside an expansion in an expression, and the types to which they are
// converted.
#pragma once

#include "mctensor/expansion/mul.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct {
/// A number that stands beside an expansion X in an expression: a component, or any builtin number
/// that becomes an X without a cast.
template <class S, class X>
concept MixedOperand = !is_expansion_v<S> && std::is_convertible_v<S, X> &&
                       (BuiltinNumber<S> || std::is_same_v<S, typename X::value_component> ||
                        std::is_same_v<S, typename X::Scalar>);

/// The type of expansion to which all operands of a mixed call are converted. All expansions among
/// the operands must have the same component type; this is its component type. It has as many
/// components as the longest operand. If no operand is an expansion, there is no common type.
template <class... Operands>
struct CommonExpansion {};
template <class T, int N>
struct CommonExpansion<Expansion<T, N>> {
  using type = Expansion<T, N>;
};
template <class T, int N, MixedOperand<Expansion<T, N>> S, class... Rest>
struct CommonExpansion<Expansion<T, N>, S, Rest...> : CommonExpansion<Expansion<T, N>, Rest...> {};
template <class T, int N, int M, class... Rest>
struct CommonExpansion<Expansion<T, N>, Expansion<T, M>, Rest...>
    : CommonExpansion<Expansion<T, (N > M ? N : M)>, Rest...> {};
template <class S, class T, int N, class... Rest>
requires(!is_expansion_v<S>) struct CommonExpansion<S, Expansion<T, N>, Rest...>
    : CommonExpansion<Expansion<T, N>, S, Rest...> {
};
template <class R, class S, class T, int N>
requires(!is_expansion_v<R> && !is_expansion_v<S>) struct CommonExpansion<R, S, Expansion<T, N>>
    : CommonExpansion<Expansion<T, N>, R, S> {
};
template <class... Operands>
using common_expansion_t = typename CommonExpansion<Operands...>::type;

/// Operands of different types that have a common expansion.
template <class First, class... Rest>
concept MixedOperands = !(std::is_same_v<First, Rest> && ...) && requires {
  typename common_expansion_t<First, Rest...>;
};

/// Expansions of different component types, or an expansion and a wider number. They cannot be
/// combined, because the conversion would lose digits.
template <class X, class Y>
concept DifferentComponents =
    (is_expansion_v<X> && BuiltinNumber<Y> && !std::is_convertible_v<Y, X>) ||
    (is_expansion_v<Y> && BuiltinNumber<X> && !std::is_convertible_v<X, Y>) ||
    (is_expansion_v<X> && is_expansion_v<Y> &&
     !std::is_same_v<typename ValueTraits<X>::Limb, typename ValueTraits<Y>::Limb>);

/// Defines name(x, y) for operands of different types, where name(x, y) exists for two expansions
/// of one type. One operand may be a number or a shorter expansion. It is converted to the common
/// type: exactly, or rounded to N limbs if it has more digits.
#define MCT_MIXED_FUNCTION(name)                                                    \
  template <class X, class Y>                                                       \
  requires MixedOperands<X, Y> MCT_HD constexpr auto name(const X& x, const Y& y) { \
    using R = common_expansion_t<X, Y>;                                             \
    return name(R(x), R(y));                                                        \
  }                                                                                 \
  template <class X, class Y>                                                       \
  requires DifferentComponents<X, Y>                                                \
  void name(const X&, const Y&) = delete;

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// s as one component if one component holds it exactly, else as an expansion of N components.
template <class T, int N, class S>
MCT_HD constexpr auto mixed_operand(const S& s) {
  if constexpr (std::is_same_v<S, T>) {
    return s;
  } else if constexpr (bits_of<S> <= FloatTraits<T>::p) {
    return Expansion<T, 1>(s).limb[0];
  } else {
    return Expansion<T, N>(s);
  }
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
