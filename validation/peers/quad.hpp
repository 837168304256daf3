// __float128 of libquadmath: 113 bits.
#pragma once

// The header belongs to g++; another compiler may find the library without it.
#if MCT_WITH_QUADMATH && __has_include(<quadmath.h>)
#define MCT_HAVE_QUAD_PEER 1
#include <quadmath.h>

#include "mctensor/interop/float128.hpp"
#include "mctensor/interop/mpfr.hpp"
#include "validation/peers/peer_number.hpp"

namespace mct::validation {

struct QuadFloat {
  /// A class around float128, because templates of the standard library reject the type itself in
  /// strict language modes.
  struct Value {
    float128 quad;

    friend Value operator+(const Value& a, const Value& b) { return {a.quad + b.quad}; }
    friend Value operator-(const Value& a, const Value& b) { return {a.quad - b.quad}; }
    friend Value operator*(const Value& a, const Value& b) { return {a.quad * b.quad}; }
    friend Value operator/(const Value& a, const Value& b) { return {a.quad / b.quad}; }
    friend Value sqrt(const Value& a) { return {sqrtq(a.quad)}; }
  };

  static Value from(const Real& exact) {
    Real rounded(113);
    mpfr_set(rounded.get(), exact.get(), MPFR_RNDN);
    return {to_float128(from_mpfr<Expansion<double, 3>>(rounded.get()))};
  }
  static void to(const Value& v, Real& out) {
    out.set_exact(from_float128<Expansion<double, 3>>(v.quad));
  }
};
static_assert(PeerNumber<QuadFloat>);

}  // namespace mct::validation
#endif
