// Comparisons, sign, minimum and maximum.
//
// Error: none; comparisons, signs and extremes are exact. Domain: every value; each function states
// its result for NaN. Source: the order of real numbers, and IEEE 754-2019, 5.6 to 5.11, for NaN,
// infinities and zeros.
#pragma once

#include <cmath>
#include <compare>

#include "mctensor/expansion/limits.hpp"
#include "mctensor/expansion/operand.hpp"
#include "mctensor/expansion/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {
/// The leading limb of x - y: its sign is the exact sign of the difference, because the relative
/// error of a sum is below 1 and a zero sum is exact.
template <class T, int N>
MCT_HD constexpr T difference(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return x.limb[0] - y.limb[0];
  } else {
    return sub(x, y).limb[0];
  }
}
}  // namespace detail

/// Whether x and y are the same real number. At a tie different limbs may have the same sum; they
/// are equal, too. False if either is NaN. Like every comparison of this header, it gives one bool
/// for a scalar, and a mask for a SIMD batch.
template <class T, int N>
MCT_HD constexpr auto operator==(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return x.limb[0] == y.limb[0];
  } else {
    // the difference of equal infinities is NaN; of finite values with equal limbs it is 0
    const T zero(scalar_t<T>(0));
    return detail::difference(x, y) == zero ||
           (x.limb[0] == y.limb[0] && x.limb[1] == zero && y.limb[1] == zero);
  }
}
template <class T, int N>
MCT_HD constexpr auto operator!=(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return !(x == y);
}
template <class T, int N>
MCT_HD constexpr auto operator<(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N == 1) {
    return x.limb[0] < y.limb[0];
  } else {
    return detail::difference(x, y) < T(scalar_t<T>(0));
  }
}
template <class T, int N>
MCT_HD constexpr auto operator>(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return y < x;
}
template <class T, int N>
MCT_HD constexpr auto operator<=(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return x < y || x == y;
}
template <class T, int N>
MCT_HD constexpr auto operator>=(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return y <= x;
}

/// Three-way comparison of scalars: unordered if either is NaN. It has no requires clause, because
/// the compiler would prefer a constrained <=> even to <.
template <class T, int N>
MCT_HD constexpr std::enable_if_t<is_component_v<T>, std::partial_ordering> operator<=>(
    const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if (x < y) return std::partial_ordering::less;
  if (y < x) return std::partial_ordering::greater;
  if (x == y) return std::partial_ordering::equivalent;
  return std::partial_ordering::unordered;
}

// Mixed forms: the other operand becomes an expansion, exactly if it fits.
#define MCT_MIXED_COMPARISON(op)                                                 \
  template <class T, int N, MixedOperand<Expansion<T, N>> S>                     \
  MCT_HD constexpr auto operator op(const Expansion<T, N>& x, const S& y) {      \
    return x op Expansion<T, N>(detail::mixed_operand<T, N>(y));                 \
  }                                                                              \
  template <class T, int N, MixedOperand<Expansion<T, N>> S>                     \
  MCT_HD constexpr auto operator op(const S& x, const Expansion<T, N>& y) {      \
    return Expansion<T, N>(detail::mixed_operand<T, N>(x)) op y;                 \
  }                                                                              \
  template <class T, int N, int M>                                               \
  requires(N != M) MCT_HD constexpr auto operator op(const Expansion<T, N>& x,   \
                                                     const Expansion<T, M>& y) { \
    constexpr int W = N > M ? N : M;                                             \
    return detail::widen<W>(x) op detail::widen<W>(y);                           \
  }                                                                              \
  template <class X, class Y>                                                    \
  requires DifferentComponents<X, Y>                                             \
  bool operator op(const X&, const Y&) = delete;
MCT_MIXED_COMPARISON(==)
MCT_MIXED_COMPARISON(!=)
MCT_MIXED_COMPARISON(<)
MCT_MIXED_COMPARISON(>)
MCT_MIXED_COMPARISON(<=)
MCT_MIXED_COMPARISON(>=)
#undef MCT_MIXED_COMPARISON

template <class T, int N>
MCT_HD constexpr auto isnan(const Expansion<T, N>& x) {
  return !(x.limb[0] == x.limb[0]);
}
template <class T, int N>
MCT_HD constexpr auto isfinite(const Expansion<T, N>& x) {
  return detail::is_finite_mask(x.limb[0]);
}
template <class T, int N>
MCT_HD constexpr auto isinf(const Expansion<T, N>& x) {
  return detail::magnitude(x.limb[0]) == T(FloatTraits<T>::infinity);
}

/// FP_NAN, FP_INFINITE, FP_ZERO, FP_NORMAL or FP_SUBNORMAL. Subnormal values are below
/// numeric_limits::min, where the last limb may have lost bits.
template <class T, int N>
requires is_component_v<T> MCT_HD inline int fpclassify(const Expansion<T, N>& x) {
  if (isnan(x)) return FP_NAN;
  if (isinf(x)) return FP_INFINITE;
  if (x.limb[0] == T(0)) return FP_ZERO;
  const auto size = x.limb[0] < T(0) ? -x : x;
  return size < std::numeric_limits<Expansion<T, N>>::min() ? FP_SUBNORMAL : FP_NORMAL;
}
template <class T, int N>
requires is_component_v<T> MCT_HD inline bool isnormal(const Expansion<T, N>& x) {
  return fpclassify(x) == FP_NORMAL;
}

/// True where the sign bit is set: negative values, -0 and negative NaN.
template <class T, int N>
requires is_component_v<T> MCT_HD inline bool signbit(const Expansion<T, N>& x) {
  using std::signbit;
  return signbit(x.limb[0]);
}

/// |x|, exactly; clears the sign of zero.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> abs(const Expansion<T, N>& x) {
  const auto negative = x.limb[0] < T(scalar_t<T>(0));
  Expansion<T, N> r;
  r.limb[0] = detail::magnitude(x.limb[0]);
  for (int i = 1; i < N; ++i)
    r.limb[i] = detail::blend(negative, detail::negated(x.limb[i]), x.limb[i]);
  return r;
}

/// |x| with the sign bit of y, exactly.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> copysign(const Expansion<T, N>& x,
                                                                  const Expansion<T, N>& y) {
  return signbit(y) ? -abs(x) : abs(x);
}
MCT_MIXED_FUNCTION(copysign)

/// The same as abs(x), for generic code that calls fabs.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> fabs(const Expansion<T, N>& x) {
  return abs(x);
}

/// The smaller of x and y; x if they are equal; NaN if either is NaN (unlike std::fmin).
template <class T, int N>
MCT_HD constexpr Expansion<T, N> min(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::blend(y < x || isnan(y), y, x);
}
MCT_MIXED_FUNCTION(min)

/// The larger of x and y; x if they are equal; NaN if either is NaN (unlike std::fmax).
template <class T, int N>
MCT_HD constexpr Expansion<T, N> max(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::blend(x < y || isnan(y), y, x);
}
MCT_MIXED_FUNCTION(max)

/// As std::fmin and std::fmax: a number and NaN give the number, equal operands give x.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> fmin(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::blend(y < x || isnan(x), y, x);
}
MCT_MIXED_FUNCTION(fmin)
template <class T, int N>
MCT_HD constexpr Expansion<T, N> fmax(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::blend(x < y || isnan(x), y, x);
}
MCT_MIXED_FUNCTION(fmax)

/// x - y where x > y, else 0; NaN if either is NaN. Error: as x - y.
template <class T, int N>
MCT_HD constexpr Expansion<T, N> fdim(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  return detail::blend(x <= y, Expansion<T, N>(), sub(x, y));
}
MCT_MIXED_FUNCTION(fdim)

}  // namespace mct::inline MCT_ISA_NAMESPACE
