// Conversions between the compiler's builtin numbers and limbs.
//
// Error: a conversion to limbs is exact if the limbs can hold the number. Otherwise the error is
// half an ulp of the last limb or half the smallest subnormal. A sum of limbs becomes the nearest
// number, ties to even. Domain: every value; overflow gives an infinity. Source: Boldo, Melquiond
// 2008 (rounding to odd with two bits to spare makes a second rounding harmless).
#pragma once

#include <cstdint>
#include <type_traits>

#include "mctensor/eft/half.hpp"
#include "mctensor/eft/short_format.hpp"

namespace mct {

/// A builtin number: a type that converts to double and is no class or union. (In strict modes the
/// traits of <type_traits> exclude __int128 and __float128.) An unscoped enumeration counts as its
/// value.
template <class S>
concept BuiltinNumber = !std::is_class_v<S> && !std::is_union_v<S> &&
                        std::is_convertible_v<S, double> && requires(S s) {
  s < s;
};

inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// True for an integer, a bool and an enumeration. Types that are no numbers give false, because
/// some compilers evaluate this before they check constraints.
template <class S>
constexpr bool is_whole() {
  if constexpr (std::is_arithmetic_v<S>) {
    return std::is_integral_v<S>;
  } else if constexpr (std::is_enum_v<S>) {
    return true;
  } else if constexpr (!BuiltinNumber<S>) {
    return false;
  } else {
    return S(0.5) == S(0);
  }
}
template <class S>
inline constexpr bool is_whole_v = is_whole<S>();

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 LongestWord;
#else
using LongestWord = std::uint64_t;
#endif
/// An unsigned type that is at least as wide as the integer I.
template <class I>
using Word = std::conditional_t<(sizeof(I) > 8), LongestWord, std::uint64_t>;

/// The number of significant bits of a number type; 0 for other types.
template <class S>
constexpr int count_bits() {
  if constexpr (is_component_v<S>) {
    return FloatTraits<S>::p;
  } else if constexpr (!BuiltinNumber<S>) {
    return 0;
  } else if constexpr (std::is_enum_v<S>) {
    return count_bits<std::underlying_type_t<S>>();
  } else if constexpr (std::is_same_v<S, bool>) {
    return 1;
  } else if constexpr (is_whole_v<S>) {
    return 8 * int(sizeof(S)) - (S(-1) < S(0) ? 1 : 0);
  } else {
    int bits = 1;
    for (S unit = S(0.5); S(1) + unit != S(1); unit /= 2) ++bits;
    return bits;
  }
}
template <class S>
inline constexpr int bits_of = count_bits<S>();

/// A number that is wider than double, rounded to odd in double.
template <class S>
MCT_HD constexpr double double_to_odd(const S& value) {
  const auto d = double(value);
  if (d == 0 || !(d - d == 0)) return d;
  return add_to_odd(d, double(value - S(d)));
}

/// The component nearest to a number that is not whole.
template <class T, class S>
MCT_HD constexpr T nearest_component(const S& value) {
  if constexpr (is_short_float_v<T> && sizeof(S) > sizeof(double)) {
    return T(double_to_odd(value));
  } else {
    return T(value);
  }
}

/// The limbs of a number: N times, the nearest T becomes a limb and is subtracted. Every rest is
/// exact and at most half an ulp of the limb.
template <class T, int N, class S>
MCT_HD constexpr void take_floating(T (&limb)[N], const S& value) {
  // half and bfloat16 have different ranges: the other type may not hold the rest
  using Rest = std::conditional_t<(sizeof(S) < sizeof(float)), float, S>;
  Rest rest(value);
  limb[0] = nearest_component<T>(rest);
  if constexpr (bits_of < S >> FloatTraits<T>::p) {
    for (int i = 1; i < N; ++i) {
      if (!(limb[i - 1] - limb[i - 1] == T(0))) break;
      rest -= Rest(double(limb[i - 1]));
      limb[i] = nearest_component<T>(rest);
    }
  }
}

/// The component nearest to a word.
template <class T, class U>
MCT_HD constexpr T nearest_component_of_word(U word) {
  if constexpr (std::is_arithmetic_v<T>) {
    return T(word);
  } else {
    int dropped = 0;
    bool rest = false;
    if constexpr (sizeof(U) > 8) {
      for (; word >> 64 != 0; word >>= 1, ++dropped) rest = rest || (word & 1) != 0;
    }
    double odd = integer_to_odd(std::uint64_t(word) | std::uint64_t(rest));
    for (; dropped > 0; --dropped) odd *= 2;
    return T(odd);
  }
}

/// The limbs of an integer, in the same way.
template <class T, int N, class I>
MCT_HD constexpr void take_integer(T (&limb)[N], I value) {
  using U = Word<I>;
  constexpr double two_to_width = sizeof(U) > 8 ? 0x1p128 : 0x1p64;
  bool negative = value < I(0);
  U rest = negative ? U(U(0) - U(value)) : U(value);
  for (int i = 0; i < N && rest != 0; ++i) {
    const T head = nearest_component_of_word<T>(rest);
    limb[i] = negative ? -head : head;
    if (!(head - head == T(0))) return;
    // head may be 2^width, which U holds as 0: the difference modulo 2^width is still right
    const bool wraps = double(head) == two_to_width;
    const U whole = wraps ? U(0) : U(double(head));
    const bool rounded_up = wraps || whole > rest;
    rest = rounded_up ? U(whole - rest) : U(rest - whole);
    negative = negative != rounded_up;
  }
}

/// The limbs of a builtin number or of another component type. The limbs must be zero before.
template <class T, int N, class S>
MCT_HD constexpr void take_number(T (&limb)[N], const S& value) {
  if constexpr (std::is_enum_v<S>) {
    take_integer(limb, std::underlying_type_t<S>(value));
  } else if constexpr (std::is_same_v<S, bool>) {
    limb[0] = T(int(value));
  } else if constexpr (is_whole_v<S>) {
    take_integer(limb, value);
  } else {
    take_floating(limb, value);
  }
}

/// The sum of the limbs from index First on, in double, rounded to odd.
template <int First, class T, int N>
MCT_HD constexpr double sum_to_odd(const T (&limb)[N]) {
  double sum(limb[N - 1]);
  for (int i = N - 2; i >= First; --i) sum = add_to_odd(double(limb[i]), sum);
  return sum;
}

/// The sum of the limbs rounded once to S, which is double or narrower; ties to even. The first of
/// normalized limbs need not be this number: for the sum 1 + u + u^3 the first limb may be 1, but 1
/// + 2u is nearer.
template <class S, class T, int N>
MCT_HD constexpr S nearest_sum(const T (&limb)[N]) {
  if constexpr (N == 1 && std::is_same_v<S, T>) {
    return limb[0];
  } else {
    if (limb[0] == T(0)) return S(double(limb[0]));  // keeps the sign of the zero
    if constexpr (N > 1 && bits_of<S> == FloatTraits<double>::p) {
      return S(double(limb[0]) + sum_to_odd<1>(limb));
    } else {
      return S(sum_to_odd<0>(limb));
    }
  }
}

}  // namespace detail
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
