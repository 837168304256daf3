// Exact conversion between expansions and MPFR numbers.
//
// Source: to_mpfr adds the limbs exactly; from_mpfr subtracts each limb from the exact rest.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// A number of bits that is enough for the value of x: from the highest to the lowest bit of any
/// limb, and one more.
template <class T, int N>
requires is_component_v<T>
inline mpfr_prec_t exact_precision(const Expansion<T, N>& x) {
  int top = FloatTraits<T>::emin;
  int bottom = FloatTraits<T>::emax;
  for (int i = 0; i < N; ++i) {
    if (x.limb[i] == 0 || !std::isfinite(x.limb[i])) continue;
    const int e = std::ilogb(x.limb[i]);
    top = std::max(top, e);
    bottom = std::min(bottom, std::max(e - FloatTraits<T>::p + 1, FloatTraits<T>::emin));
  }
  // a sum of limbs may carry into one more bit
  return std::max<mpfr_prec_t>(top - bottom + 2, MPFR_PREC_MIN);
}

/// Writes x to an initialized MPFR number, rounded once to that number's precision. Returns MPFR's
/// ternary value (0: exact). NaN, infinities and the sign of zero are kept.
template <class T, int N>
requires is_component_v<T>
inline int to_mpfr(mpfr_ptr result, const Expansion<T, N>& x, mpfr_rnd_t rounding = MPFR_RNDN) {
  mpfr_t exact;
  mpfr_init2(exact, exact_precision(x));
  mpfr_set_d(exact, double(x.limb[0]), MPFR_RNDN);
  for (int i = 1; i < N; ++i)
    if (x.limb[i] != 0) mpfr_add_d(exact, exact, double(x.limb[i]), MPFR_RNDN);
  const int ternary = mpfr_set(result, exact, rounding);
  mpfr_clear(exact);
  return ternary;
}

/// Sets the precision of the MPFR number to the bits that x needs, at least N p, and writes x
/// exactly.
template <class T, int N>
requires is_component_v<T>
inline void to_mpfr_exactly(mpfr_ptr result, const Expansion<T, N>& x) {
  mpfr_set_prec(result, std::max<mpfr_prec_t>(exact_precision(x), N * FloatTraits<T>::p));
  to_mpfr(result, x);
}

/// An MPFR number as an expansion X. Each limb is what remains after the limbs before it, rounded
/// to nearest, ties to even (for half and bfloat16 it is first rounded to double). The result is
/// exact if the number fits into N limbs. Otherwise its error is at most u^N |x| + eta / 2, for
/// half and bfloat16 times 1 + 2^-40. A number beyond the range of the component type gives an
/// infinity.
template <class X>
requires is_expansion_v<X>
inline X from_mpfr(mpfr_srcptr value) {
  using T = typename X::Scalar;
  X r;
  mpfr_t rest;
  // the rest after a limb may have one bit more at the top
  mpfr_init2(rest, mpfr_get_prec(value) + 1);
  mpfr_set(rest, value, MPFR_RNDN);
  for (int i = 0; i < X::components; ++i) {
    if constexpr (std::is_same_v<T, float>) {
      r.limb[i] = mpfr_get_flt(rest, MPFR_RNDN);
    } else {
      r.limb[i] = mpfr_get_d(rest, MPFR_RNDN);
    }
    if (!std::isfinite(r.limb[i]) || r.limb[i] == 0) break;
    mpfr_sub_d(rest, rest, double(r.limb[i]), MPFR_RNDN);
    if (mpfr_zero_p(rest)) break;
  }
  mpfr_clear(rest);
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
