// Boost.Multiprecision's cpp_bin_float.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <iterator>

#include "validation/peers/peer_number.hpp"

namespace mct::validation {

template <unsigned Bits>
struct BoostFloat {
  using Value = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<Bits, boost::multiprecision::digit_base_2>,
      boost::multiprecision::et_off>;

  static Value from(const Real& exact) {
    Real rounded(Bits);
    mpfr_set(rounded.get(), exact.get(), MPFR_RNDN);
    double limbs[(Bits + 52) / 53 + 1];
    take_doubles(rounded, limbs);
    // from the smallest up every sum is exact: it has no bit that `rounded` has not
    Value v = 0;
    for (int i = int(std::size(limbs)) - 1; i >= 0; --i) v += limbs[i];
    return v;
  }

  static void to(const Value& v, Real& out) {
    mpfr_set_prec(out.get(), Bits + 1);
    mpfr_set_zero(out.get(), 1);
    if (!(boost::multiprecision::isfinite)(v)) {
      mpfr_set_nan(out.get());
      return;
    }
    for (Value rest = v; rest != 0;) {
      const auto limb = static_cast<double>(rest);
      mpfr_add_d(out.get(), out.get(), limb, MPFR_RNDN);
      rest -= limb;
    }
  }
};
static_assert(PeerNumber<BoostFloat<106>>);

}  // namespace mct::validation
