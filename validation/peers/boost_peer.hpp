// Boost.Multiprecision's cpp_bin_float.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "mctensor/interop/boost_multiprecision.hpp"
#include "mctensor/interop/mpfr.hpp"
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
    return to_boost<Value>(from_mpfr<Exact>(rounded.get()));
  }
  static void to(const Value& v, Real& out) { out.set_exact(from_boost<Exact>(v)); }

 private:
  /// One component more than the bits fill: their signs take bits, too.
  using Exact = Expansion<double, int(Bits + 52) / 53 + 1>;
};
static_assert(PeerNumber<BoostFloat<106>>);

}  // namespace mct::validation
