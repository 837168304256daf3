// Error-free addition: a + b = hi + lo exactly, with hi = RN(a + b).
//
// Source: each function names its own; two_diff is two_sum(a, -b), operation for operation.
#pragma once

#include "mctensor/eft/value.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// Sum of any two values: hi = RN(a + b) and hi + lo = a + b exactly.
/// Exact for all finite a and b, subnormals included, if the rounded sum does not overflow and b is
/// below the largest float in magnitude. Otherwise hi is still RN(a + b), but lo may be NaN or
/// infinite. No branch, 6 operations. Source: Knuth, TAOCP vol. 2, 4.2.2, theorem B; Yu 2024, Alg.
/// 4 and 18; overflow: Boldo, Graillat, Muller: On the robustness of the 2Sum and Fast2Sum
/// algorithms, ACM TOMS 44(1), 2017.
template <class V>
MCT_HD constexpr HiLo<V> two_sum(const V& a, const V& b) {
  const V s = a + b;
  const V b_virtual = s - a;
  const V a_virtual = s - b_virtual;
  return {s, (a - a_virtual) + (b - b_virtual)};
}

/// As two_sum, in 3 operations. Domain: finite a and b whose rounded sum does not overflow. In
/// addition, a must be 0, a multiple of ulp(b), or at least as large as b in magnitude. Source:
/// Dekker 1971; Yu 2024, Theorem 3.4.1.
template <class V>
MCT_HD constexpr HiLo<V> fast_two_sum(const V& a, const V& b) {
  const V s = a + b;
  return {s, b - (s - a)};
}

/// Difference of any two values: hi = RN(a - b) and hi + lo = a - b exactly. As two_sum(a, -b).
template <class V>
MCT_HD constexpr HiLo<V> two_diff(const V& a, const V& b) {
  const V s = a - b;
  const V b_virtual = s - a;
  const V a_virtual = s - b_virtual;
  return {s, (a - a_virtual) - (b + b_virtual)};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
