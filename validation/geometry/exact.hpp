// MPFR numbers of one fixed precision with operators: the truth of the geometry cases.
#pragma once

#include <mpfr.h>

#include <utility>

#include "mctensor/geometry/halfspace/long_sum.hpp"

namespace mct::validation {

/// A number of 3072 bits: heights of e^-600 beside coordinates of e^600, and 300 digits to spare.
class Exact {
 public:
  static constexpr mpfr_prec_t bits = 3072;

  Exact() { mpfr_init2(value_, bits), mpfr_set_zero(value_, 1); }
  Exact(double x) : Exact() { mpfr_set_d(value_, x, MPFR_RNDN); }  // NOLINT
  template <class T>
  requires(is_component_v<T> && !std::is_same_v<T, double>) Exact(T x)  // NOLINT
      : Exact(double(x)) {}
  template <class T, int N>
  Exact(const Expansion<T, N>& x) : Exact() {  // NOLINT
    for (int i = 0; i < N; ++i) mpfr_add_d(value_, value_, double(x.limb[i]), MPFR_RNDN);
  }
  template <class T, int N>
  Exact(const geometry::LongSum<T, N>& x) : Exact() {  // NOLINT
    for (int i = 0; i < N; ++i) mpfr_add_d(value_, value_, double(x.limb[i]), MPFR_RNDN);
  }
  Exact(const Exact& other) : Exact() { mpfr_set(value_, other.value_, MPFR_RNDN); }
  Exact& operator=(const Exact& other) {
    mpfr_set(value_, other.value_, MPFR_RNDN);
    return *this;
  }
  ~Exact() { mpfr_clear(value_); }

  mpfr_ptr get() { return value_; }
  mpfr_srcptr get() const { return value_; }
  double to_double() const { return mpfr_get_d(value_, MPFR_RNDN); }
  /// The nearest T, and the components that are left after it, M in all.
  template <class T>
  T rounded() const {
    if constexpr (std::is_same_v<T, float>) return mpfr_get_flt(value_, MPFR_RNDN);
    return T(to_double());
  }
  template <class T, int M>
  void split(T (&limbs)[M]) const {
    Exact rest = *this;
    for (T& limb : limbs) {
      limb = rest.rounded<T>();
      mpfr_sub_d(rest.get(), rest.get(), double(limb), MPFR_RNDN);
    }
  }

  friend bool operator<(const Exact& a, const Exact& b) { return mpfr_less_p(a.get(), b.get()); }

 private:
  mpfr_t value_;
};

#define MCT_EXACT_OPERATOR(op, function)                     \
  inline Exact operator op(const Exact& a, const Exact& b) { \
    Exact r;                                                 \
    function(r.get(), a.get(), b.get(), MPFR_RNDN);          \
    return r;                                                \
  }
MCT_EXACT_OPERATOR(+, mpfr_add)
MCT_EXACT_OPERATOR(-, mpfr_sub)
MCT_EXACT_OPERATOR(*, mpfr_mul)
MCT_EXACT_OPERATOR(/, mpfr_div)
#undef MCT_EXACT_OPERATOR

#define MCT_EXACT_FUNCTION(name, function) \
  inline Exact name(const Exact& a) {      \
    Exact r;                               \
    function(r.get(), a.get(), MPFR_RNDN); \
    return r;                              \
  }
MCT_EXACT_FUNCTION(sqrt, mpfr_sqrt)
MCT_EXACT_FUNCTION(abs, mpfr_abs)
MCT_EXACT_FUNCTION(exp, mpfr_exp)
MCT_EXACT_FUNCTION(log, mpfr_log)
MCT_EXACT_FUNCTION(sinh, mpfr_sinh)
MCT_EXACT_FUNCTION(cosh, mpfr_cosh)
MCT_EXACT_FUNCTION(tanh, mpfr_tanh)
MCT_EXACT_FUNCTION(asinh, mpfr_asinh)
MCT_EXACT_FUNCTION(acosh, mpfr_acosh)
MCT_EXACT_FUNCTION(atanh, mpfr_atanh)
#undef MCT_EXACT_FUNCTION

}  // namespace mct::validation
