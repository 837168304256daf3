// The stated error bounds of the manifolds as numbers.
//
// Domain: any n >= 1. Source: counts of roundings, docs/geometry.md; the suite compares the error
// of every operation with its bound.
#pragma once

#include "mctensor/geometry/work.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The error of a function for n coordinates is at most manifold_bound<V>(n) u^N, unless the
/// function states otherwise. It is relative to the quantity that the function's comment names.
/// - Components of double: results are computed in V itself. The bound is (n + 16) c with c = 1, 4,
///   12, 24 for N = 1..4, because an operation of N components has more than one rounding
///   (expansion/error_bounds.hpp).
/// - Components of float, half and bfloat16: results are computed in doubles and rounded once. The
///   bound is 1.02.
///
/// All bounds hold for results whose lower limbs do not underflow.
template <class V>
MCT_HD constexpr double manifold_bound(int n) {
  if constexpr (std::is_same_v<scalar_t<detail::limb_t<V>>, double>) {
    constexpr double cost[5] = {0, 1, 4, 12, 24};
    return (n + 16) * cost[detail::limbs_of<V>];
  } else {
    return 1.02;
  }
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
