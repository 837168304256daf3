// MPFR with results rounded to nearest in a fixed number of bits.
#pragma once

#include "validation/peers/peer_number.hpp"

namespace mct::validation {

template <int Bits>
struct MpfrFloat {
  class Value {
   public:
    Real real{Bits};

    friend Value operator+(const Value& a, const Value& b) { return rounded(mpfr_add, a, b); }
    friend Value operator-(const Value& a, const Value& b) { return rounded(mpfr_sub, a, b); }
    friend Value operator*(const Value& a, const Value& b) { return rounded(mpfr_mul, a, b); }
    friend Value operator/(const Value& a, const Value& b) { return rounded(mpfr_div, a, b); }
    friend Value sqrt(const Value& a) {
      Value v;
      mpfr_sqrt(v.real.get(), a.real.get(), MPFR_RNDN);
      return v;
    }

   private:
    using Operation = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

    static Value rounded(Operation operation, const Value& a, const Value& b) {
      Value v;
      operation(v.real.get(), a.real.get(), b.real.get(), MPFR_RNDN);
      return v;
    }
  };

  static Value from(const Real& exact) {
    Value v;
    mpfr_set(v.real.get(), exact.get(), MPFR_RNDN);
    return v;
  }
  static void to(const Value& v, Real& out) { out = v.real; }
};
static_assert(PeerNumber<MpfrFloat<106>>);

}  // namespace mct::validation
