// Plain double as a peer: what f32x2 replaces where double is slow or missing.
#pragma once

#include "validation/peers/peer_number.hpp"

namespace mct::validation {

struct PlainDouble {
  using Value = double;

  static Value from(const Real& exact) { return mpfr_get_d(exact.get(), MPFR_RNDN); }
  static void to(const Value& v, Real& out) { out.set_exact(&v, 1); }
};
static_assert(PeerNumber<PlainDouble>);

}  // namespace mct::validation
