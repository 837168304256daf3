// The number types of the peers behind one interface:
//   static Value from(const Real&)      rounded to the peer's format
//   static void to(const Value&, Real&) exactly
// and the operators + - * / and sqrt on Value.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <string>
#include <utility>

#include "validation/core/real.hpp"

#if MCT_WITH_QD
#include <qd/dd_real.h>
#include <qd/qd_real.h>
#endif

namespace mct::validation {

/// Takes M doubles off a Real, each the rest rounded to nearest.
template <int M>
void take_doubles(const Real& x, double (&limbs)[M]) {
  Real rest(mpfr_get_prec(x.get()) + 64);
  mpfr_set(rest.get(), x.get(), MPFR_RNDN);
  for (double& limb : limbs) {
    limb = mpfr_get_d(rest.get(), MPFR_RNDN);
    mpfr_sub_d(rest.get(), rest.get(), limb, MPFR_RNDN);
  }
}

struct PlainDouble {
  using Value = double;
  static Value from(const Real& x) { return mpfr_get_d(x.get(), MPFR_RNDN); }
  static void to(const Value& v, Real& r) { r.set_exact(&v, 1); }
};

#if MCT_WITH_QD
struct QdDouble2 {
  using Value = dd_real;
  static Value from(const Real& x) {
    double limbs[2];
    take_doubles(x, limbs);
    return {limbs[0], limbs[1]};
  }
  static void to(const Value& v, Real& r) { r.set_exact(v.x, 2); }
};

struct QdDouble4 {
  using Value = qd_real;
  static Value from(const Real& x) {
    double limbs[4];
    take_doubles(x, limbs);
    return {limbs[0], limbs[1], limbs[2], limbs[3]};
  }
  static void to(const Value& v, Real& r) { r.set_exact(v.x, 4); }
};
#endif

/// Boost's binary float of Bits bits: exact transport through three-limb chunks of doubles.
template <unsigned Bits>
struct BoostFloat {
  using Value = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<Bits, boost::multiprecision::digit_base_2>,
      boost::multiprecision::et_off>;
  static Value from(const Real& x) {
    Real rounded(Bits);
    mpfr_set(rounded.get(), x.get(), MPFR_RNDN);
    double limbs[(Bits + 52) / 53 + 1];
    take_doubles(rounded, limbs);
    Value v = 0;
    for (int i = int(std::size(limbs)) - 1; i >= 0; --i) v += limbs[i];
    return v;
  }
  static void to(const Value& v, Real& r) {
    mpfr_set_prec(r.get(), Bits + 64);
    mpfr_set_zero(r.get(), 1);
    Value rest = v;
    while (rest != 0) {
      const auto limb = static_cast<double>(rest);
      mpfr_add_d(r.get(), r.get(), limb, MPFR_RNDN);
      rest -= limb;
    }
  }
};

/// MPFR with results rounded to Bits bits.
template <int Bits>
struct MpfrFloat {
  struct Value {
    Real real{Bits};
  };
  static Value from(const Real& x) {
    Value v;
    mpfr_set(v.real.get(), x.get(), MPFR_RNDN);
    return v;
  }
  static void to(const Value& v, Real& r) { r = v.real; }
};
template <class V>
concept MpfrValue = requires(V v) {
  v.real.get();
};
template <MpfrValue V>
V operator+(const V& a, const V& b) {
  V r;
  mpfr_add(r.real.get(), a.real.get(), b.real.get(), MPFR_RNDN);
  return r;
}
template <MpfrValue V>
V operator-(const V& a, const V& b) {
  V r;
  mpfr_sub(r.real.get(), a.real.get(), b.real.get(), MPFR_RNDN);
  return r;
}
template <MpfrValue V>
V operator*(const V& a, const V& b) {
  V r;
  mpfr_mul(r.real.get(), a.real.get(), b.real.get(), MPFR_RNDN);
  return r;
}
template <MpfrValue V>
V operator/(const V& a, const V& b) {
  V r;
  mpfr_div(r.real.get(), a.real.get(), b.real.get(), MPFR_RNDN);
  return r;
}
template <MpfrValue V>
V sqrt(const V& a) {
  V r;
  mpfr_sqrt(r.real.get(), a.real.get(), MPFR_RNDN);
  return r;
}

}  // namespace mct::validation
