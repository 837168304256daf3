// MPFR numbers with operators: the truth of geometry, whose oracles are whole formulas.
#pragma once

#include <mpfr.h>

#include <type_traits>

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
  MpfrNumber(double x) : MpfrNumber() {  // NOLINT(google-explicit-constructor)
    mpfr_set_d(value_, x, MPFR_RNDN);
  }
  /// The exact value of another component type.
  template <class T>
  requires(is_component_v<T> && !std::is_same_v<T, double>) MpfrNumber(T x)  // NOLINT
      : MpfrNumber(double(x)) {}
  /// The exact value of an expansion, or of another sum of limbs.
  template <class X>
  requires requires(const X& x) {
    X::components;
    x.limb[0];
  }
  MpfrNumber(const X& x) : MpfrNumber() {  // NOLINT(google-explicit-constructor)
    for (const auto& limb : x.limb) mpfr_add_d(value_, value_, double(limb), MPFR_RNDN);
  }
  MpfrNumber(const Big& other) : MpfrNumber() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  MpfrNumber(Big&& other) noexcept : MpfrNumber() { mpfr_swap(value_, other.value_); }
  Big& operator=(Big other) noexcept {
    mpfr_swap(value_, other.value_);
    return *this;
  }
  ~MpfrNumber() { mpfr_clear(value_); }

  mpfr_srcptr get() const { return value_; }
  mpfr_ptr get() { return value_; }
  explicit operator double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  bool is_zero() const { return mpfr_zero_p(value_) != 0; }
  /// The nearest T.
  template <class T>
  T rounded() const {
    if constexpr (std::is_same_v<T, float>) return mpfr_get_flt(value_, MPFR_RNDN);
    return T(double(*this));
  }
  /// The nearest T, then the T nearest to the rest, and so on.
  template <class T, int M>
  void split(T (&limbs)[M]) const {
    Big rest = *this;
    for (T& limb : limbs) {
      limb = rest.rounded<T>();
      mpfr_sub_d(rest.value_, rest.value_, double(limb), MPFR_RNDN);
    }
  }

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

/// Enough for differences that cancel 2500 bits: heights of e^-600 beside coordinates of e^600.
using Big = MpfrNumber<3072>;

}  // namespace mct::validation
