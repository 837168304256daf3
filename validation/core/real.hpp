// The oracle's numbers: MPFR values that hold an expansion exactly.
#pragma once

#include <mpfr.h>

#include <algorithm>
#include <cmath>

#include "mctensor/expansion/expansion.hpp"
#include "validation/core/component_math.hpp"

namespace mct::validation {

/// An MPFR value of a precision fixed for its life, or widened on demand by set_exact.
class Real {
 public:
  explicit Real(mpfr_prec_t precision = 64) { mpfr_init2(value_, precision); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real& other) : Real(mpfr_get_prec(other.value_)) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
  }
  Real& operator=(const Real& other) {
    if (this != &other) {
      mpfr_set_prec(value_, mpfr_get_prec(other.value_));
      mpfr_set(value_, other.value_, MPFR_RNDN);
    }
    return *this;
  }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }

  /// The exact sum of count finite limbs of decreasing magnitude (or one special value).
  template <class T>
  void set_exact(const T* limbs, int count) {
    mpfr_set_prec(value_, bits_needed(limbs, count));
    mpfr_set_d(value_, double(limbs[0]), MPFR_RNDN);
    for (int i = 1; i < count; ++i)
      if (limbs[i] != 0) mpfr_add_d(value_, value_, double(limbs[i]), MPFR_RNDN);
  }
  template <class T, int N>
  void set_exact(const Expansion<T, N>& x) {
    set_exact(x.limb, N);
  }

 private:
  /// From the highest to the lowest bit of any limb, and a few for carries.
  template <class T>
  static mpfr_prec_t bits_needed(const T* limbs, int count) {
    int top = -100000;
    int bottom = 100000;
    for (int i = 0; i < count; ++i) {
      if (limbs[i] == 0 || !isfinite(limbs[i])) continue;
      const int e = ilogb(limbs[i]);
      top = std::max(top, e);
      bottom = std::min(bottom, std::max(e - FloatTraits<T>::p + 1, FloatTraits<T>::emin));
    }
    return top < bottom ? 64 : mpfr_prec_t(top - bottom + 8);
  }

  mpfr_t value_;
};

/// |x| as mantissa * 2^exponent with 1/2 <= mantissa < 1 (0 * 2^0 for zero): no range limit.
struct Magnitude {
  double mantissa = 0;
  long exponent = 0;
};
inline Magnitude magnitude_of(mpfr_srcptr x) {
  Magnitude m;
  if (mpfr_zero_p(x)) return m;
  m.mantissa = fabs(mpfr_get_d_2exp(&m.exponent, x, MPFR_RNDZ));
  return m;
}

/// (a / b) * 2^shift as a double; 0 / 0 is 0, a / 0 infinity.
inline double scaled_ratio(const Magnitude& a, const Magnitude& b, long shift) {
  if (a.mantissa == 0) return 0;
  if (b.mantissa == 0) return INFINITY;
  const long e = a.exponent - b.exponent + shift;
  if (e > 1000) return INFINITY;
  if (e < -1000) return 0;
  return ldexp(a.mantissa / b.mantissa, int(e));
}

}  // namespace mct::validation
