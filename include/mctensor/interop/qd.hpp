// Conversion between expansions of doubles and the numbers of the QD library. It is exact in both
// directions between dd_real and f64x2, and between qd_real and f64x4. from_qd may return other
// limbs with the same sum if a limb is at a tie.
//
// Domain: every value, NaN and infinities included. Source: the limbs, renormalized from QD.
#pragma once

#include <qd/dd_real.h>
#include <qd/qd_real.h>

#include "mctensor/expansion/arithmetic.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// x rounded to two limbs; exact for f64x2.
template <int N>
inline dd_real to_dd_real(const Expansion<double, N>& x) {
  const Expansion<double, 2> two(x);
  return {two.limb[0], two.limb[1]};
}

/// x with all limbs, exactly.
template <int N>
inline qd_real to_qd_real(const Expansion<double, N>& x) {
  const Expansion<double, 4> four(x);
  return {four.limb[0], four.limb[1], four.limb[2], four.limb[3]};
}

/// Exact. The result is renormalized, because QD's own rounding is less strict about ties.
inline Expansion<double, 2> from_qd(const dd_real& x) {
  const double limbs[2] = {x.x[0], x.x[1]};
  return renormalize<2>(limbs);
}
inline Expansion<double, 4> from_qd(const qd_real& x) {
  const double limbs[4] = {x.x[0], x.x[1], x.x[2], x.x[3]};
  return renormalize<4>(limbs);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
