// Which numbers an expansion meets in a mixed expression, and as what.
#pragma once

#include "mctensor/expansion/mul.hpp"

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
