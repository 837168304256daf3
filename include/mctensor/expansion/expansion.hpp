// Expansion<T, N>: a number kept as the unevaluated sum of N floats of decreasing magnitude.
//
// Error: none for limbs that are taken as they are; each conversion states its error. Domain: every
// value. Source: Shewchuk 1997 (nonoverlapping expansions); each header names the sources of its
// operations.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "mctensor/eft/split.hpp"
#include "mctensor/eft/two_prod.hpp"
#include "mctensor/eft/two_sum.hpp"
#include "mctensor/eft/ulp.hpp"
#include "mctensor/expansion/builtin.hpp"

namespace mct {

/// The sum of N values of T (double, float, half, bfloat16, or a SIMD batch of double or float),
/// N = 1..4.
///
/// Invariant after every public operation ("normalized"): |limb[i+1]| <= ulp(limb[i]) / 2, so
/// limb[0] is the whole value rounded to T and a zero limb has only zeros after it.
///
/// Special values are in limb[0]; the other limbs are then zero. They are NaN, +-infinity and
/// signed zero. A NaN operand gives NaN. Overflow gives infinity, and arithmetic with infinity
/// follows IEEE 754 on limb[0].
///
/// A value can have N p bits, and more if there are gaps between limbs. p is the number of
/// significant bits of T, and u = 2^-p its unit roundoff.
///
/// Error bounds of the form K u^N hold where error terms do not underflow. The smallest subnormal
/// of half is 2^-24. Products of f16x2 therefore have N p bits from 2^9 on, and products of f16x3
/// from 2^20 on. The error of a smaller product is the stated number of etas.
template <class T, int N>
struct Expansion {
  // the elementary functions compute intermediate results with five limbs
  static_assert(N >= 1 && N <= 5, "an Expansion has 1 to 4 components");

  using value_component = T;
  using Scalar = scalar_t<T>;
  static constexpr int components = N;

  T limb[N];  ///< decreasing magnitude

  /// Zero.
  MCT_HD MCT_ALWAYS_INLINE constexpr Expansion() : limb{} {}

  /// The exact value of one component, or of an object that converts to one. The parameter is not a
  /// plain `const T&`, because the compiler would then convert every builtin number to T first.
  template <class S>
  requires(std::is_same_v<S, T> || (std::is_class_v<S> && !is_component_v<S> &&
                                    std::is_convertible_v<const S&, T>)) MCT_HD MCT_ALWAYS_INLINE
      constexpr Expansion(const S& value)  // NOLINT(google-explicit-constructor)
      : limb{value} {
    for (int i = 1; i < N; ++i) limb[i] = T(Scalar(0));
  }

  /// Any other builtin number or component. The result is exact if the number fits into N limbs.
  /// Every 64-bit integer and the x87's long double fit into two doubles or three floats. Every
  /// double within float's range fits into three floats, and __float128 and __int128 fit into three
  /// doubles. Otherwise the result has an error of at most u^N |value| + eta / 2, where eta is the
  /// smallest subnormal. A number too large for T gives an infinity. Numbers wider than 64 bits
  /// need a cast unless N limbs hold them.
  template <class S>
  requires((BuiltinNumber<S> || is_component_v<S>)&&!std::is_same_v<S, T>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit(sizeof(S) > 8 && detail::bits_of<S> > N * FloatTraits<T>::p)
          Expansion(S value)  // NOLINT(google-explicit-constructor)
      : limb{} {
    if constexpr (!std::is_same_v<T, Scalar>) {
      const Expansion<Scalar, N> scalar(value);
      for (int i = 0; i < N; ++i) limb[i] = T(scalar.limb[i]);
    } else {
      detail::take_number(limb, value);
    }
  }

  /// The number that from_string (io.hpp) reads from a text. Only programs that call this
  /// constructor must link the library.
  explicit Expansion(const char* text);
  /// The same for a std::string or std::string_view.
  template <class Text>
  requires requires(const Text& text) {
    { text.data() } -> std::same_as<const char*>;
    { text.size() } -> std::convertible_to<std::size_t>;
  }
  explicit Expansion(const Text& text) : Expansion(text.data(), text.size()) {}

  /// The same value in another expansion. A conversion to more components of the same type is
  /// implicit; every other conversion is explicit. Defined in convert.hpp. The result is exact if
  /// the value fits; else its error is u^N.
  template <class U, int M>
  requires((!std::is_same_v<U, T> || M != N) && is_component_v<U> &&
           is_component_v<T>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit(!(std::is_same_v<U, T> && M <= N)) Expansion(const Expansion<U, M>& other);

  /// An expansion with exactly these limbs. The caller ensures the invariant or calls renormalize.
  template <class... Limbs>
  requires(sizeof...(Limbs) == std::size_t(N)) MCT_HD MCT_ALWAYS_INLINE static constexpr Expansion
      from_limbs(const Limbs&... limbs) {
    Expansion r;
    int i = 0;
    ((r.limb[i++] = T(limbs)), ...);
    return r;
  }
  MCT_HD MCT_ALWAYS_INLINE static constexpr Expansion from_limbs(const T (&limbs)[N]) {
    Expansion r;
    for (int i = 0; i < N; ++i) r.limb[i] = limbs[i];
    return r;
  }

  /// The value rounded to one component, ties to even. For a SIMD batch this is the leading limb;
  /// at a tie it may be the odd neighbour.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator T() const {
    if constexpr (is_component_v<T>) {
      return detail::nearest_sum<T>(limb);
    } else {
      return limb[0];
    }
  }

  /// The nearest number of any other floating-point or component type, ties to even, rounded once.
  /// Defined in convert.hpp.
  template <class S>
  requires((BuiltinNumber<S> || is_component_v<S>)&&!std::is_same_v<S, T> && is_component_v<T> &&
           !detail::is_whole_v<S>) MCT_HD MCT_ALWAYS_INLINE constexpr explicit
  operator S() const;

  /// The exact value without its fraction. As with a cast of T, the result is undefined if it does
  /// not fit into I. Defined in rounding.hpp.
  template <class I>
  requires(BuiltinNumber<I>&& is_component_v<T>&& detail::is_whole_v<I> && !std::is_enum_v<I> &&
           !std::is_same_v<I, bool>) MCT_HD MCT_ALWAYS_INLINE constexpr explicit
  operator I() const;

  /// True if the value is not zero; true for NaN, as for a float.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator bool() const requires is_component_v<T> {
    return limb[0] != T(0);
  }

 private:
  Expansion(const char* text, std::size_t length);
};

using f64x1 = Expansion<double, 1>;
using f64x2 = Expansion<double, 2>;
using f64x3 = Expansion<double, 3>;
using f64x4 = Expansion<double, 4>;
using f32x1 = Expansion<float, 1>;
using f32x2 = Expansion<float, 2>;
using f32x3 = Expansion<float, 3>;
using f32x4 = Expansion<float, 4>;
using f16x1 = Expansion<half, 1>;
using f16x2 = Expansion<half, 2>;
using f16x3 = Expansion<half, 3>;
using bf16x1 = Expansion<bfloat16, 1>;
using bf16x2 = Expansion<bfloat16, 2>;
using bf16x3 = Expansion<bfloat16, 3>;

template <class X>
struct IsExpansion : std::false_type {};
template <class T, int N>
struct IsExpansion<Expansion<T, N>> : std::true_type {};

/// True for every Expansion<T, N>.
template <class X>
inline constexpr bool is_expansion_v = IsExpansion<X>::value;

}  // namespace mct
