// Inner products in MPFR, without rounding.
#pragma once

#include <mpfr.h>

#include <limits>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::test {

/// Exact inner products and the sums of their magnitudes.
class Oracle {
 public:
  Oracle() { mpfr_inits2(4000, sum_, magnitude_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  ~Oracle() { mpfr_clears(sum_, magnitude_, x_, y_, static_cast<mpfr_ptr>(nullptr)); }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  void clear() {
    mpfr_set_zero(sum_, 1);
    mpfr_set_zero(magnitude_, 1);
  }
  template <class T, int A, int B>
  void add(const Expansion<T, A>& x, const Expansion<T, B>& y) {
    set(x_, x);
    set(y_, y);
    mpfr_mul(x_, x_, y_, MPFR_RNDN);
    mpfr_add(sum_, sum_, x_, MPFR_RNDN);
    mpfr_abs(x_, x_, MPFR_RNDN);
    mpfr_add(magnitude_, magnitude_, x_, MPFR_RNDN);
  }
  /// |value - sum| / (u^N magnitude); the rounding of a subnormal result is not counted.
  template <class T, int N>
  double error(const Expansion<T, N>& value) {
    set(y_, value);
    mpfr_sub(y_, sum_, y_, MPFR_RNDN);
    mpfr_abs(y_, y_, MPFR_RNDN);
    mpfr_sub_d(y_, y_, double(FloatTraits<T>::eta), MPFR_RNDN);
    if (mpfr_sgn(y_) <= 0) return 0;
    if (mpfr_zero_p(magnitude_) != 0) return std::numeric_limits<double>::infinity();
    mpfr_div(y_, y_, magnitude_, MPFR_RNDU);
    mpfr_mul_2si(y_, y_, long(N) * FloatTraits<T>::p, MPFR_RNDU);
    return mpfr_get_d(y_, MPFR_RNDU);
  }

 private:
  template <class T, int N>
  static void set(mpfr_ptr r, const Expansion<T, N>& x) {
    mpfr_set_zero(r, 1);
    for (const T& limb : x.limb) mpfr_add_d(r, r, double(limb), MPFR_RNDN);
  }
  mpfr_t sum_;
  mpfr_t magnitude_;
  mpfr_t x_;
  mpfr_t y_;
};

}  // namespace mct::test
