// Rounding to integers, and fractional parts.
//
// Error: none. Domain: every value; infinities, NaN and zeros are returned as they are. Source: the
// definition of each function, limb by limb until one has a fraction; C11, 7.12.9, for special
// values.
#pragma once

#include <cmath>

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/renormalize.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

namespace detail {

/// x = whole + fraction, limb by limb. At most one limb has both an integer and a fractional part.
/// The limbs above it are integers, and the limbs below it are fractions. The sign of the fraction
/// may differ from the sign of x.
template <class T, int N>
struct IntegerParts {
  Expansion<T, N> whole;     // not normalized
  Expansion<T, N> fraction;  // leading zeros dropped, |fraction| < 1
  int straddling = 0;        // the limb where the fraction begins
};

template <class T, int N>
MCT_HD inline IntegerParts<T, N> integer_parts(const Expansion<T, N>& x) {
  using std::trunc;
  IntegerParts<T, N> parts;
  int kept = 0;
  for (int i = 0; i < N; ++i) {
    parts.whole.limb[i] = trunc(x.limb[i]);
    const T fraction = x.limb[i] - parts.whole.limb[i];
    if (fraction == 0) continue;
    if (kept == 0) parts.straddling = i;
    parts.fraction.limb[kept++] = fraction;
  }
  return parts;
}

/// whole + step for step = -1, 0 or 1. x must be finite.
template <class T, int N>
MCT_HD inline Expansion<T, N> step_whole(IntegerParts<T, N> parts, T step, T sign_of_zero) {
  // a limb with a fraction is below 2^p: adding 1 to it is exact
  parts.whole.limb[parts.straddling] += step;
  Expansion<T, N> r = renormalize(parts.whole);
  using std::copysign;
  if (r.limb[0] == 0) r.limb[0] = copysign(T(0), sign_of_zero);
  return r;
}

/// True if the sum of the limbs, which are integers, is odd.
template <class T, int N>
MCT_HD inline bool has_odd_sum(const Expansion<T, N>& whole) {
  using std::fmod;
  bool odd = false;
  for (int i = 0; i < N; ++i) odd = odd != (fmod(magnitude(whole.limb[i]), T(2)) == T(1));
  return odd;
}

/// The sign of fraction - value for value = +-1/2. It is exact, because limbs do not overlap.
template <class T, int N>
MCT_HD inline T sign_of_difference(const Expansion<T, N>& fraction, T value) {
  const T d = fraction.limb[0] - value;
  if constexpr (N > 1) {
    return d != 0 ? d : fraction.limb[1];
  } else {
    return d;
  }
}

}  // namespace detail

/// The largest integer <= x, exactly. Infinities, NaN and zeros are returned as they are.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> floor(const Expansion<T, N>& x) {
  if (!isfinite(x)) return x;
  const auto parts = detail::integer_parts(x);
  return detail::step_whole(parts, T(parts.fraction.limb[0] < 0 ? -1 : 0), x.limb[0]);
}

/// The smallest integer >= x, exactly; -0 for -1 < x < 0.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> ceil(const Expansion<T, N>& x) {
  return -floor(-x);
}

/// The integer part of x, exactly; keeps the sign of zero.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> trunc(const Expansion<T, N>& x) {
  return x.limb[0] < 0 ? ceil(x) : floor(x);
}

/// The nearest integer, halfway cases away from zero, exactly; keeps the sign of zero.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> round(const Expansion<T, N>& x) {
  if (!isfinite(x)) return x;
  if (x.limb[0] < 0) return -round(-x);
  const auto parts = detail::integer_parts(x);
  T step = 0;
  if (detail::sign_of_difference(parts.fraction, T(0.5)) >= 0) step = 1;
  if (detail::sign_of_difference(parts.fraction, T(-0.5)) < 0) step = -1;
  return detail::step_whole(parts, step, x.limb[0]);
}

/// The nearest integer, halfway cases to the even one, exactly; keeps the sign of zero. (The
/// rounding mode has no influence: the library computes in round to nearest.)
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> rint(const Expansion<T, N>& x) {
  if (!isfinite(x)) return x;
  const auto parts = detail::integer_parts(x);
  const T above = detail::sign_of_difference(parts.fraction, T(0.5));
  const T below = detail::sign_of_difference(parts.fraction, T(-0.5));
  T step = 0;
  if (above > 0 || (above == 0 && detail::has_odd_sum(parts.whole))) step = 1;
  if (below < 0 || (below == 0 && detail::has_odd_sum(parts.whole))) step = -1;
  return detail::step_whole(parts, step, x.limb[0]);
}
/// rint(x). In C, nearbyint and rint differ only in the floating-point flags that they set.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> nearbyint(const Expansion<T, N>& x) {
  return rint(x);
}

/// round and rint as integers. As for a cast, the result is undefined if the type cannot hold it.
template <class T, int N>
requires is_component_v<T> MCT_HD inline long lround(const Expansion<T, N>& x) {
  return static_cast<long>(round(x));
}
template <class T, int N>
requires is_component_v<T> MCT_HD inline long long llround(const Expansion<T, N>& x) {
  return static_cast<long long>(round(x));
}
template <class T, int N>
requires is_component_v<T> MCT_HD inline long lrint(const Expansion<T, N>& x) {
  return static_cast<long>(rint(x));
}
template <class T, int N>
requires is_component_v<T> MCT_HD inline long long llrint(const Expansion<T, N>& x) {
  return static_cast<long long>(rint(x));
}

/// x - trunc(x), exactly, with the sign of x. Stores trunc(x) in *whole. For an infinity the result
/// is a zero.
template <class T, int N>
requires is_component_v<T> MCT_HD inline Expansion<T, N> modf(const Expansion<T, N>& x,
                                                              Expansion<T, N>* whole) {
  *whole = trunc(x);
  using std::copysign;
  const T zero = copysign(T(0), x.limb[0]);
  if (isinf(x)) return zero;
  if (isnan(x)) return x;
  T terms[2 * N];
  for (int i = 0; i < N; ++i) {
    terms[2 * i] = x.limb[i];
    terms[2 * i + 1] = -whole->limb[i];
  }
  const Expansion<T, N> fraction = renormalize<N>(terms);
  return fraction.limb[0] == 0 ? Expansion<T, N>(zero) : fraction;
}

}  // namespace MCT_ISA_NAMESPACE

template <class T, int N>
template <class I>
requires(BuiltinNumber<I>&& is_component_v<T>&& detail::is_whole_v<I> && !std::is_enum_v<I> &&
         !std::is_same_v<I, bool>) MCT_HD constexpr Expansion<T, N>::operator I() const {
  using U = detail::Word<I>;
  const Expansion whole = mct::trunc(*this);
  // the sum is taken modulo 2^width, because lower limbs may be negative; it is taken in halves,
  // because the leading limb alone may be 2^width where the value is one less
  U sum = 0;
  for (int i = 0; i < N; ++i) {
    const auto size = double(detail::magnitude(whole.limb[i]));
    using std::trunc;
    const double half_size = trunc(size / 2);
    const U part = U(U(half_size) + U(size - half_size));
    sum = whole.limb[i] < T(0) ? U(sum - part) : U(sum + part);
  }
  return I(sum);
}

}  // namespace mct
