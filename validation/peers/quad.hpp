// __float128 of libquadmath as a peer's number type.
#pragma once

// The header belongs to g++; other compilers may see the library without it.
#if MCT_WITH_QUADMATH && __has_include(<quadmath.h>)
#define MCT_HAVE_QUAD_PEER 1
#include <quadmath.h>

#include "validation/peers/numbers.hpp"

namespace mct::validation {

__extension__ typedef __float128 Quad;

struct QuadFloat {
  struct Value {
    Quad quad;
  };
  static Value from(const Real& x) {
    Real rounded(113);
    mpfr_set(rounded.get(), x.get(), MPFR_RNDN);
    double limbs[3];
    take_doubles(rounded, limbs);
    return {(Quad(limbs[2]) + Quad(limbs[1])) + Quad(limbs[0])};
  }
  static void to(const Value& v, Real& r) {
    double limbs[3];
    Quad rest = v.quad;
    for (double& limb : limbs) {
      limb = double(rest);
      rest -= Quad(limb);
    }
    r.set_exact(limbs, 3);
  }
};

inline QuadFloat::Value operator+(QuadFloat::Value a, QuadFloat::Value b) {
  return {a.quad + b.quad};
}
inline QuadFloat::Value operator-(QuadFloat::Value a, QuadFloat::Value b) {
  return {a.quad - b.quad};
}
inline QuadFloat::Value operator*(QuadFloat::Value a, QuadFloat::Value b) {
  return {a.quad * b.quad};
}
inline QuadFloat::Value operator/(QuadFloat::Value a, QuadFloat::Value b) {
  return {a.quad / b.quad};
}
inline QuadFloat::Value sqrt(QuadFloat::Value a) { return {sqrtq(a.quad)}; }

}  // namespace mct::validation
#endif
