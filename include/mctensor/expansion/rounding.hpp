// Rounding to integers: floor, ceil, trunc, round. All exact.
//
// Source: the definition of each, limb by limb until one has a fraction.
#pragma once

#include <cmath>
#include <cstdint>

#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/renormalize.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {

namespace detail {

/// x = whole + fraction, limb by limb: at most one limb has both an integer and a fractional part;
/// those above are integers, those below fractions. The fraction may have the sign opposite to x.
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

/// whole + step, step in {-1, 0, 1}, for an x that is finite.
template <class T, int N>
MCT_HD inline Expansion<T, N> step_whole(IntegerParts<T, N> parts, T step, T sign_of_zero) {
  // a limb with a fraction is below 2^p: adding 1 to it is exact
  parts.whole.limb[parts.straddling] += step;
  Expansion<T, N> r = renormalize(parts.whole);
  using std::copysign;
  if (r.limb[0] == 0) r.limb[0] = copysign(T(0), sign_of_zero);
  return r;
}

/// The sign of fraction - value, value = +-1/2: exact, because the limbs do not overlap.
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

}  // namespace MCT_ISA_NAMESPACE

template <class T, int N>
template <class I>
requires(std::is_integral_v<I> && !std::is_same_v<I, bool>) MCT_HD MCT_ALWAYS_INLINE
    constexpr Expansion<T, N>::operator I() const {
  const Expansion whole = mct::trunc(*this);
  I rest = 0;
  // lower limbs may be negative, which no unsigned type holds; modulo its range they may
  for (int i = N - 1; i > 0; --i) rest = I(rest + I(std::int64_t(whole.limb[i])));
  // in halves: the leading limb alone may be 2^63 where the value is one below
  using std::trunc;
  const T first = trunc(T(whole.limb[0] / T(2)));
  return I(I(first) + I(I(T(whole.limb[0] - first)) + rest));
}

}  // namespace mct
