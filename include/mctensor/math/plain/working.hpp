// The arithmetic inside the functions of plain numbers: sums of W doubles.
//
// A plain number is an expansion of one limb. Its functions are evaluated in doubles, usually in a
// SIMD batch, to W limbs. W = 2 gives results in double: the unevaluated sum has a relative error
// of some 2^-60 before it is rounded. W = 1 gives results in shorter formats: the error is at most
// 2^-40 before the rounding (rounding.hpp). One template serves both: with W = 1 the low part is of
// type Zero.
#pragma once

#include "mctensor/eft/representation.hpp"
#include "mctensor/expansion/mul.hpp"
#include "mctensor/math/plain/lanes.hpp"
#include "mctensor/math/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// True if no lane of a mask is true. Masks are not negated: in some builds that is a function
/// call, and a loop with a call keeps no constants in registers.
template <class M>
MCT_HD MCT_ALWAYS_INLINE constexpr bool no_lane(const M& mask) {
  if constexpr (std::is_same_v<M, bool>) {
    return !mask;
  } else {
    return !any(mask);
  }
}

/// The type of the low part: V if W = 2, Zero if W = 1.
template <int W, class V>
using LowWire = std::conditional_t<W == 1, Zero, V>;

/// The low part a where W = 2; Zero where W = 1.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr LowWire<W, V> low_wire(const V& a) {
  if constexpr (W == 1) {
    return {};
  } else {
    return a;
  }
}

/// a + b for |a| >= |b| or a = 0: with its error where W = 2.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr HiLo<V, LowWire<W, V>> ordered_sum(const V& a, const V& b) {
  if constexpr (W == 1) {
    return {a + b, {}};
  } else {
    const auto [s, e] = fast_two_sum(a, b);
    return {s, e};
  }
}

/// a + b c for |a| >= |b c| or a = 0: with its error where W = 2.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr HiLo<V, LowWire<W, V>> ordered_sum(const V& a, const V& b,
                                                                      const V& c) {
  if constexpr (W == 1) {
    return {multiply_add(b, c, a), {}};
  } else {
#if MCT_HAS_FMA
    const V s = multiply_add(b, c, a);
    return {s, multiply_add(b, c, V(a - s))};
#else
    const auto [p, e] = two_prod(b, c);
    const auto [s, f] = fast_two_sum(a, p);
    return {s, e + f};
#endif
  }
}

/// a b, with its error where W = 2.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr HiLo<V, LowWire<W, V>> exact_product(const V& a, const V& b) {
  if constexpr (W == 1) {
    return {a * b, {}};
  } else {
    const auto [p, e] = two_prod(a, b);
    return {p, e};
  }
}

/// a b + c, where any of them may be Zero.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V added_product(const V& a, const V& b, const V& c) {
  return multiply_add(a, b, c);
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V added_product(const V& a, const V& b, Zero) {
  return a * b;
}
template <class B, class C>
MCT_HD MCT_ALWAYS_INLINE constexpr C added_product(Zero, const B&, const C& c) {
  return c;
}
template <class V, class C>
MCT_HD MCT_ALWAYS_INLINE constexpr C added_product(const V&, Zero, const C& c) {
  return c;
}

/// An unevaluated sum hi + lo, where lo lies some bits below hi, or hi alone.
template <int W, class V>
struct Pair {
  V hi;
  [[no_unique_address]] LowWire<W, V> lo;

  /// The sum rounded.
  MCT_HD MCT_ALWAYS_INLINE constexpr V value() const { return plus(hi, lo); }
};

/// a + b of any two numbers, with its error where W = 2.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> any_sum(const V& a, const V& b) {
  if constexpr (W == 1) {
    return {a + b, {}};
  } else {
    const auto [s, e] = two_sum(a, b);
    return {s, e};
  }
}

/// a - q b where q is near a / b. With fma it is exact if the remainder is a double.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V remainder_of(const V& a, const V& q, const V& b) {
#if MCT_HAS_FMA
  return multiply_add(V(-q), b, a);
#else
  const auto [p, e] = two_prod(q, b);
  return (a - p) - e;
#endif
}

// Arithmetic of pairs. Where W = 2, each result has a relative error of a few 2^-104, and its limbs
// overlap by a few bits at most.

template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> normalized(const Pair<W, V>& a) {
  if constexpr (W == 1) {
    return a;
  } else {
    const auto [s, e] = fast_two_sum(a.hi, a.lo);
    return {s, e};
  }
}
/// a + b for |a| >= |b|.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> ordered_sum(const Pair<W, V>& a,
                                                          const Pair<W, V>& b) {
  const auto [s, e] = ordered_sum<W>(a.hi, b.hi);
  return {s, plus(e, plus(a.lo, b.lo))};
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> any_sum(const Pair<W, V>& a, const Pair<W, V>& b) {
  const auto s = any_sum<W>(a.hi, b.hi);
  return {s.hi, plus(s.lo, plus(a.lo, b.lo))};
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> product(const Pair<W, V>& a, const Pair<W, V>& b) {
  const auto [p, e] = exact_product<W>(a.hi, b.hi);
  return {p, added_product(a.lo, b.hi, added_product(a.hi, b.lo, e))};
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> square_of(const V& x) {
  const auto [p, e] = exact_product<W>(x, x);
  return {p, e};
}

/// c x for |x| < 2^-700. The product is rounded to 53 bits and then, if it is subnormal, once more.
/// -0 gives -0.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V tiny_multiple(const Pair<2, V>& c, const V& x) {
  const V y = product(c, Pair<2, V>{x * V(0x1p300), V(0.0)}).value() * V(0x1p-300);
  return blend(x == V(0.0), x, y);
}

/// a / b. Where W = 1, only for 2^-500 < |b| < 2^500.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> quotient(const Pair<W, V>& a, const Pair<W, V>& b) {
  if constexpr (W == 1) {
    return {a.hi * ShortReciprocal<V>::of(b.hi), {}};
  } else {
    const V inverse = V(1.0) / b.hi;
    const V q = a.hi * inverse;
    return {q, (multiply_add(V(-q), b.lo, a.lo) + remainder_of(a.hi, q, b.hi)) * inverse};
  }
}
/// x times a power of two.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> scaled(const Pair<W, V>& x, const V& power) {
  return {x.hi * power, times(x.lo, power)};
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> negated(const Pair<W, V>& x) {
  return scaled(x, V(-1.0));
}
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> pair_of(const V& x) {
  return {x, low_wire<W>(V(0.0))};
}
template <class M, int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> blend(const M& mask, const Pair<W, V>& a,
                                                    const Pair<W, V>& b) {
  if constexpr (W == 1) {
    return {blend(mask, a.hi, b.hi), {}};
  } else {
    return {blend(mask, a.hi, b.hi), blend(mask, a.lo, b.lo)};
  }
}
/// The square root of a positive number.
template <int W, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr Pair<W, V> root(const Pair<W, V>& a) {
  const V s = square_root(a.hi);
  if constexpr (W == 1) {
    return {s, {}};
  } else {
    return {s, (remainder_of(a.hi, s, s) + a.lo) / (s + s)};
  }
}

/// c_From + z (c_{From+Step} + z (...)) by Horner's rule. The coefficients are every Step-th one of
/// Count entries of a table of constants.
template <class Series, int From, int Count, int Step = 1, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V polynomial(const V& z) {
  const V c(constant_limb<Series, double, From, 0>);
  if constexpr (Count <= Step) {
    return c;
  } else {
    return multiply_add(polynomial<Series, From + Step, Count - Step, Step>(z), z, c);
  }
}

/// The polynomial with all coefficients. Even and odd powers are summed separately, so that neither
/// sum waits for the other.
template <class Series, int From, int Count, class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V polynomial_by_two(const V& z) {
  const V square = z * z;
  return multiply_add(polynomial<Series, From + 1, Count - 1, 2>(square), z,
                      polynomial<Series, From, Count, 2>(square));
}

/// |a| with the sign of b, which may be a zero.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V signed_like(const V& a, const V& b) {
  using R = Representation<V>;
  using Bits = typename R::Bits;
  const Bits sign(std::uint64_t(1) << 63);
  return R::value((R::bits(a) & ~sign) | (R::bits(b) & sign));
}

/// max(lowest, x); the next function is min(highest, x). A NaN x gives NaN: if an operand is NaN,
/// the instructions return the second operand, so x must be the second.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V at_least(double lowest, const V& x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return lowest > x ? lowest : x;
  } else {
    return max(V(lowest), x);
  }
}
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V at_most(double highest, const V& x) {
  if constexpr (std::is_arithmetic_v<V>) {
    return highest < x ? highest : x;
  } else {
    return min(V(highest), x);
  }
}

/// x if it lies between the limits, else the nearer limit; NaN for a NaN.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr V clamped(const V& x, double lowest, double highest) {
  return at_most(highest, at_least(lowest, x));
}

/// The integer nearest to a number: `value` is the integer, and the last bits of `bits` hold it
/// modulo 2^51.
template <class V>
struct NearestInteger {
  V value;
  typename Representation<V>::Bits bits;
};
/// The nearest integer to x y, for |x y| < 2^50.
template <class V>
MCT_HD MCT_ALWAYS_INLINE constexpr NearestInteger<V> nearest_product(const V& x, double y) {
  const V shift(0x1.8p52);
  const V shifted = multiply_add(x, V(y), shift);
  return {shifted - shift, Representation<V>::bits(shifted)};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
