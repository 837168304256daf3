// fma in constant expressions, where std::fma cannot be called. It returns the bits of the
// hardware's fma.
//
// Error: half an ulp. Domain: a b does not overflow, and is 0 or at least 2^(emin + 2p - 1) in
// magnitude, so that the error of the product is exact. In float every a and b is allowed. NaN and
// infinities give a b + c. Source: Boldo, Melquiond: Emulation of a FMA and correctly rounded sums:
// proved algorithms using rounding to odd, IEEE Transactions on Computers 57(4), 2008.
#pragma once

#include "mctensor/eft/short_format.hpp"
#include "mctensor/eft/two_prod.hpp"
#include "mctensor/eft/two_sum.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

template <class T>
MCT_HD constexpr T constant_fma(const T& a, const T& b, const T& c) {
  if constexpr (std::is_same_v<T, float>) {
    return float(add_to_odd(double(a) * double(b), double(c)));
  } else if constexpr (std::is_same_v<T, double>) {
    const double product = a * b;
    if (!(product - product == 0) || !(c - c == 0)) return product + c;
    const auto [p, e] = two_prod_dekker(a, b);
    const auto [c1, c2] = mct::two_sum(c, e);
    const auto [s1, s2] = mct::two_sum(p, c1);
    return s1 + add_to_odd(s2, c2);
  } else {
    return fused_multiply_add(a, b, c);  // short floats: constexpr anyway
  }
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
