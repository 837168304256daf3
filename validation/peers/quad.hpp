// __float128 of libquadmath: 113 bits.
#pragma once

// The header belongs to g++; another compiler may find the library without it.
#if MCT_WITH_QUADMATH && __has_include(<quadmath.h>)
#define MCT_HAVE_QUAD_PEER 1
#include <quadmath.h>

#include "validation/peers/peer_number.hpp"

namespace mct::validation {

__extension__ typedef __float128 Quad;

struct QuadFloat {
  /// A class around Quad, because templates of the standard library reject the type itself in
  /// strict language modes.
  struct Value {
    Quad quad;

    friend Value operator+(const Value& a, const Value& b) { return {a.quad + b.quad}; }
    friend Value operator-(const Value& a, const Value& b) { return {a.quad - b.quad}; }
    friend Value operator*(const Value& a, const Value& b) { return {a.quad * b.quad}; }
    friend Value operator/(const Value& a, const Value& b) { return {a.quad / b.quad}; }
    friend Value sqrt(const Value& a) { return {sqrtq(a.quad)}; }
  };

  static Value from(const Real& exact) {
    Real rounded(113);
    mpfr_set(rounded.get(), exact.get(), MPFR_RNDN);
    double limbs[3];
    take_doubles(rounded, limbs);
    return {(Quad(limbs[2]) + Quad(limbs[1])) + Quad(limbs[0])};
  }

  static void to(const Value& v, Real& out) {
    double limbs[3];
    Quad rest = v.quad;
    for (double& limb : limbs) {
      limb = double(rest);
      rest -= Quad(limb);
    }
    out.set_exact(limbs, 3);
  }
};
static_assert(PeerNumber<QuadFloat>);

}  // namespace mct::validation
#endif
