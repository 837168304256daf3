// MPFR numbers with operators, for oracles that are whole formulas.
#pragma once

#include <mpfr.h>

#include <utility>

#include "mctensor/eft/half.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/expansion.hpp"

namespace mct::validation {

/// A number of so many bits, every operation rounded to nearest.
template <mpfr_prec_t precision>
class MpfrNumber {
  using Big = MpfrNumber;

 public:
  MpfrNumber() { mpfr_init2(value_, precision), mpfr_set_zero(value_, 1); }
  MpfrNumber(double x) : MpfrNumber() {
    mpfr_set_d(value_, x, MPFR_RNDN);
  }  // NOLINT(google-explicit-constructor)
  MpfrNumber(const Big& other) : MpfrNumber() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  MpfrNumber(Big&& other) noexcept : MpfrNumber() { mpfr_swap(value_, other.value_); }
  Big& operator=(Big other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~MpfrNumber() { mpfr_clear(value_); }

  /// The exact value of a component or an expansion.
  template <class V>
  static Big of(const V& x) {
    Big r;
    if constexpr (is_expansion_v<V>) {
      for (int i = 0; i < V::components; ++i) r = r + Big(double(x.limb[i]));
    } else {
      r = Big(double(x));
    }
    return r;
  }

  mpfr_srcptr get() const { return value_; }
  mpfr_ptr get() { return value_; }
  explicit operator double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }

#define MCT_BIG_OPERATOR(op, function)                 \
  friend Big operator op(const Big& x, const Big& y) { \
    Big r;                                             \
    function(r.value_, x.value_, y.value_, MPFR_RNDN); \
    return r;                                          \
  }
  MCT_BIG_OPERATOR(+, mpfr_add)
  MCT_BIG_OPERATOR(-, mpfr_sub)
  MCT_BIG_OPERATOR(*, mpfr_mul)
  MCT_BIG_OPERATOR(/, mpfr_div)
#undef MCT_BIG_OPERATOR
  friend Big operator-(const Big& x) { return Big(0.0) - x; }
  friend bool operator<(const Big& x, const Big& y) { return mpfr_less_p(x.value_, y.value_) != 0; }
  friend bool operator>(const Big& x, const Big& y) { return y < x; }
  friend bool operator<=(const Big& x, const Big& y) {
    return mpfr_lessequal_p(x.value_, y.value_) != 0;
  }

#define MCT_BIG_FUNCTION(name)                  \
  friend Big name(const Big& x) {               \
    Big r;                                      \
    mpfr_##name(r.value_, x.value_, MPFR_RNDN); \
    return r;                                   \
  }
  MCT_BIG_FUNCTION(sqrt)
  MCT_BIG_FUNCTION(abs)
  MCT_BIG_FUNCTION(exp)
  MCT_BIG_FUNCTION(log)
  MCT_BIG_FUNCTION(sinh)
  MCT_BIG_FUNCTION(cosh)
  MCT_BIG_FUNCTION(tanh)
  MCT_BIG_FUNCTION(asinh)
  MCT_BIG_FUNCTION(acosh)
  MCT_BIG_FUNCTION(atanh)
  MCT_BIG_FUNCTION(sin)
  MCT_BIG_FUNCTION(cos)
  MCT_BIG_FUNCTION(acos)
#undef MCT_BIG_FUNCTION

  /// x 2^k.
  friend Big ldexp(const Big& x, long k) {
    Big r;
    mpfr_mul_2si(r.value_, x.value_, k, MPFR_RNDN);
    return r;
  }

 private:
  mpfr_t value_;
};

/// Enough for differences that cancel 2500 bits.
using Big = MpfrNumber<3072>;

}  // namespace mct::validation
