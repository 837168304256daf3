// QD's dd_real and qd_real, as its operators are configured and by its accurate functions.
//
// QD chooses when it is built between fast operators and accurate ones; distributions ship the
// fast ones, whose addition has no relative error bound under cancellation. The accurate functions
// are there in every build, under names of their own.
#pragma once

#if MCT_WITH_QD
#include "mctensor/interop/mpfr.hpp"
#include "mctensor/interop/qd.hpp"
#include "validation/peers/peer_number.hpp"

namespace mct::validation {

/// Q is dd_real (Limbs = 2) or qd_real (4), with the operators that its users get.
template <class Q, int Limbs>
struct QdPeer {
  using Value = Q;

  static Value from(const Real& exact) {
    const auto x = from_mpfr<Expansion<double, Limbs>>(exact.get());
    if constexpr (Limbs == 2) {
      return to_dd_real(x);
    } else {
      return to_qd_real(x);
    }
  }
  static void to(const Value& v, Real& out) { out.set_exact(v.x, Limbs); }
};
using QdDouble2 = QdPeer<dd_real, 2>;
using QdDouble4 = QdPeer<qd_real, 4>;
static_assert(PeerNumber<QdDouble2> && PeerNumber<QdDouble4>);

/// The same with QD's accurate functions. Square root and the product of two dd_real have one
/// version only.
template <class Q, int Limbs>
struct QdAccuratePeer {
  struct Value {
    Q q;

    friend Value operator+(const Value& a, const Value& b) { return {Q::ieee_add(a.q, b.q)}; }
    friend Value operator-(const Value& a, const Value& b) { return {Q::ieee_add(a.q, -b.q)}; }
    friend Value operator*(const Value& a, const Value& b) {
      if constexpr (Limbs == 2) {
        return {a.q * b.q};
      } else {
        return {Q::accurate_mul(a.q, b.q)};
      }
    }
    friend Value operator/(const Value& a, const Value& b) { return {Q::accurate_div(a.q, b.q)}; }
    friend Value sqrt(const Value& a) { return {sqrt(a.q)}; }
  };

  static Value from(const Real& exact) { return {QdPeer<Q, Limbs>::from(exact)}; }
  static void to(const Value& v, Real& out) { QdPeer<Q, Limbs>::to(v.q, out); }
};
static_assert(PeerNumber<QdAccuratePeer<dd_real, 2>> && PeerNumber<QdAccuratePeer<qd_real, 4>>);

}  // namespace mct::validation
#endif
