// Which numbers an expansion meets in a mixed expression, and as what.
#pragma once

#include "mctensor/expansion/mul.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// True if every value of the arithmetic type S is a value of the component type T.
template <class S, class T>
inline constexpr bool fits_component =
    std::is_integral_v<S> ? std::numeric_limits<S>::digits <= FloatTraits<T>::p
                          : std::numeric_limits<S>::digits <= std::numeric_limits<T>::digits;

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE

/// A number that stands beside an Expansion<T, N> in an expression: T itself, or any arithmetic
/// type (long double excepted).
template <class S, class T>
concept MixedOperand = std::is_same_v<S, T> || std::is_same_v<S, scalar_t<T>> ||
    (std::is_arithmetic_v<S> && !std::is_same_v<S, long double>);

/// The expansion that operands of a mixed call become: the component type of the expansions among
/// them, which is the same for all, and the components of the longest. No type without one.
template <class... Operands>
struct CommonExpansion {};
template <class T, int N>
struct CommonExpansion<Expansion<T, N>> {
  using type = Expansion<T, N>;
};
template <class T, int N, MixedOperand<T> S, class... Rest>
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

/// Expansions of different component types, or an expansion and a long double: nothing that could
/// be calculated without a conversion that loses digits.
template <class X, class Y>
concept DifferentComponents =
    (is_expansion_v<X> && std::is_same_v<Y, long double>) ||
    (is_expansion_v<Y> && std::is_same_v<X, long double>) ||
    (is_expansion_v<X> && is_expansion_v<Y> &&
     !std::is_same_v<typename ValueTraits<X>::Limb, typename ValueTraits<Y>::Limb>);

/// Function name(x, y) of two expansions of one type, for a number or a shorter expansion in place
/// of either. It becomes an expansion exactly, or rounded to N limbs where it has more digits.
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

/// s as one component where that is exact, else as an expansion of N components.
template <class T, int N, class S>
MCT_HD constexpr auto mixed_operand(const S& s) {
  if constexpr (std::is_same_v<S, T>) {
    return s;
  } else if constexpr (fits_component<S, scalar_t<T>>) {
    return T(scalar_t<T>(s));
  } else {
    return Expansion<T, N>(s);
  }
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
