// Expansion<T, N>: a number kept as the unevaluated sum of N floats of decreasing magnitude.
//
// Error: taking limbs as they are changes nothing; conversions say theirs. Domain: every value.
// Source: Shewchuk 1997 (nonoverlapping expansions); of the operations their headers name it.
#pragma once

#include <concepts>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "mctensor/eft/half.hpp"
#include "mctensor/eft/split.hpp"
#include "mctensor/eft/two_prod.hpp"
#include "mctensor/eft/two_sum.hpp"
#include "mctensor/eft/ulp.hpp"

namespace mct {

/// The sum of N values of T (double, float, half, bfloat16, or a SIMD batch of double or float),
/// N = 1..4.
///
/// Invariant after every public operation ("normalized"): |limb[i+1]| <= ulp(limb[i]) / 2, so
/// limb[0] is the whole value rounded to T and a zero limb has only zeros after it.
///
/// Special values live in limb[0], the other limbs are then zero: NaN (any NaN operand gives NaN),
/// +-infinity (overflow; arithmetic with it follows IEEE 754 on limb[0]) and signed zero.
///
/// A value has N p bits and more: gaps between limbs are free. u = 2^-p is the unit roundoff of T.
///
/// Error bounds of the form K u^N hold where error terms do not underflow: with half, whose
/// smallest subnormal is 2^-24, a product of two or three limbs has its N p bits from 2^9 or 2^20
/// on and is below that right to the stated number of etas.
template <class T, int N>
struct Expansion {
  // a fifth serves the elementary functions as an intermediate result
  static_assert(N >= 1 && N <= 5, "an Expansion has 1 to 4 components");

  using value_component = T;
  using Scalar = scalar_t<T>;
  static constexpr int components = N;

  T limb[N];  ///< decreasing magnitude

  /// Zero.
  MCT_HD MCT_ALWAYS_INLINE constexpr Expansion() : limb{} {}

  /// The value of one component, exactly.
  MCT_HD MCT_ALWAYS_INLINE constexpr Expansion(
      const T& value)  // NOLINT(google-explicit-constructor)
      : limb{value} {
    for (int i = 1; i < N; ++i) limb[i] = T(Scalar(0));
  }

  /// A number of any other arithmetic or component type. Exact when it fits into N limbs (every
  /// 64-bit integer fits into two doubles or three floats, every double within float's range into
  /// three floats), else rounded with an error of at most u^N |value| + eta / 2, eta the smallest
  /// subnormal. Too large for T: an infinity. long double is not accepted.
  template <class S>
  requires((std::is_arithmetic_v<S> ||
            is_component_v<S>)&&!std::is_same_v<S, T>) MCT_HD MCT_ALWAYS_INLINE
      constexpr Expansion(S value)  // NOLINT(google-explicit-constructor)
      : limb{} {
    static_assert(!std::is_same_v<S, long double>, "long double is not supported");
    if constexpr (!std::is_same_v<T, Scalar>) {
      const Expansion<Scalar, N> scalar(value);
      for (int i = 0; i < N; ++i) limb[i] = T(scalar.limb[i]);
    } else if constexpr (std::is_integral_v<S>) {
      set_integer(value);
    } else {
      set_floating(value);
    }
  }

  /// The number that a text stands for: from_string (io.hpp), compiled code. Who does not call it
  /// need not link it.
  explicit Expansion(const char* text);

  /// The same value with more components or a wider component type is implicit, a narrowing one
  /// explicit. Defined in convert.hpp: exact where it fits, else rounded to u^N.
  template <class U, int M>
  requires((!std::is_same_v<U, T> || M != N) && is_component_v<U> &&
           is_component_v<T>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit(!(std::is_same_v<U, T> && M <= N)) Expansion(const Expansion<U, M>& other);

  /// An expansion with the given limbs, taken as they are: the caller keeps the invariant (or
  /// calls renormalize).
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

  /// The value rounded to one component.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator T() const { return limb[0]; }

  /// The value rounded to the nearest float (of half and bfloat16, of their double). Defined in
  /// convert.hpp.
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator float() const
      requires(is_component_v<T> && !std::is_same_v<T, float>);

  /// The value without its fraction, exactly; like a cast of T, undefined where I cannot hold it.
  /// Defined in rounding.hpp.
  template <class I>
  requires(std::is_integral_v<I> && !std::is_same_v<I, bool>) MCT_HD MCT_ALWAYS_INLINE
      constexpr explicit
      operator I() const;

  /// The value rounded to double (components narrower than double: the limbs are summed in double,
  /// error at most 2^-52 relative; exact for half).
  MCT_HD MCT_ALWAYS_INLINE constexpr explicit operator double() const
      requires(is_component_v<T> && !std::is_same_v<T, double>) {
    double s = double(limb[N - 1]);
    for (int i = N - 2; i >= 0; --i) s += double(limb[i]);
    return limb[0] == T(0) ? double(limb[0]) : s;  // the sign of zero
  }

 private:
  /// Takes the nearest T off an integer, N times: every rest is exact and at most half an ulp.
  template <class I>
  MCT_HD MCT_ALWAYS_INLINE constexpr void set_integer(I value) {
    using U = std::make_unsigned_t<std::conditional_t<std::is_same_v<I, bool>, unsigned char, I>>;
    constexpr T two_to_width = pow2<T>(std::numeric_limits<U>::digits);
    bool negative = value < I(0);
    U rest = negative ? U(U(0) - U(value)) : U(value);
    for (int i = 0; i < N && rest != 0; ++i) {
      const T head = T(rest);
      limb[i] = negative ? -head : head;
      if (!(head - head == T(0))) return;  // half alone: above its largest value
      // head may be 2^width, which U holds as 0: the wrapped difference is right all the same
      const U whole = head == two_to_width ? U(0) : U(head);
      const bool rounded_up = head == two_to_width || whole > rest;
      rest = rounded_up ? U(whole - rest) : U(rest - whole);
      negative = negative != rounded_up;
    }
  }

  template <class S>
  MCT_HD MCT_ALWAYS_INLINE constexpr void set_floating(S value) {
    if constexpr (FloatTraits<S>::p <= FloatTraits<T>::p) {
      limb[0] = T(value);
    } else {
      // a bfloat16 near a half may be beyond the range of half
      using Rest = std::conditional_t<std::is_arithmetic_v<S>, S, float>;
      Rest rest(value);
      for (int i = 0; i < N; ++i) {
        limb[i] = T(rest);
        if (!(limb[i] - limb[i] == T(0))) break;
        rest -= Rest(limb[i]);
      }
    }
  }
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
