// Sums and products of five limbs, for intermediate results of functions with four limbs.
//
// No public type has five components. Operations are simple rather than fast: they compute all
// terms that matter, and passes of two_sum distill these terms.
#pragma once

#include "mctensor/expansion/zero_wire.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// Passes from the last term to the first: each leaves the exact sum unchanged and gathers one
/// limb more at the front.
/// Source: Ogita, Rump, Oishi: Accurate sum and dot product, SIAM J. Sci. Comput. 26(6), 2005,
/// VecSum; K passes give a result as if computed in K-fold precision (proposition 4.5).
template <int Passes, class T, int K>
MCT_HD constexpr void distill(T (&terms)[K]) {
  for (int pass = 0; pass < Passes; ++pass) {
    for (int i = K - 2; i >= 0; --i) {
      const auto [s, e] = two_sum(terms[i], terms[i + 1]);
      terms[i] = s;
      terms[i + 1] = e;
    }
  }
}

template <class T, int K>
MCT_HD constexpr Expansion<T, 5> first_five(const T (&terms)[K]) {
  return Expansion<T, 5>::from_limbs(terms[0], terms[1], terms[2], terms[3], terms[4]);
}

/// Limb I of x, or zero if x has fewer limbs.
template <int I, class T, int N>
MCT_HD constexpr T limb_or_zero(const Expansion<T, N>& x) {
  if constexpr (I < N) {
    return x.limb[I];
  } else {
    return T(scalar_t<T>(0));
  }
}

/// x + y. Error <= 2.2u^5 max(|x|, |y|), proven by ./run prove. Domain: finite normalized operands
/// whose sum does not overflow. Limbs of the result may overlap a little; renormalize the result if
/// that matters.
template <class T, int N, int M>
MCT_HD constexpr Expansion<T, 5> add_five(const Expansion<T, N>& x, const Expansion<T, M>& y) {
  T terms[10] = {limb_or_zero<0>(x), limb_or_zero<0>(y), limb_or_zero<1>(x), limb_or_zero<1>(y),
                 limb_or_zero<2>(x), limb_or_zero<2>(y), limb_or_zero<3>(x), limb_or_zero<3>(y),
                 limb_or_zero<4>(x), limb_or_zero<4>(y)};
  distill<6>(terms);
  return first_five(terms);
}

/// x * y. Error <= 55.5u^5 |x y|, proven by ./run prove. Products up to order u^3 are exact;
/// products of order u^4 are rounded. Domain: normalized operands, no overflow, and no limb product
/// underflows. Limbs of the result may overlap a little.
template <class T, int N, int M>
MCT_HD constexpr Expansion<T, 5> mul_five(const Expansion<T, N>& x, const Expansion<T, M>& y) {
  const T a[5] = {limb_or_zero<0>(x), limb_or_zero<1>(x), limb_or_zero<2>(x), limb_or_zero<3>(x),
                  limb_or_zero<4>(x)};
  const T b[5] = {limb_or_zero<0>(y), limb_or_zero<1>(y), limb_or_zero<2>(y), limb_or_zero<3>(y),
                  limb_or_zero<4>(y)};
  T terms[17];
  T order4 = a[4] * b[0];
  for (int i = 0; i < 4; ++i) order4 = order4 + a[i] * b[4 - i];
  // the products of order n begin at position n^2, after the errors of the previous order
  constexpr int errors_at[5] = {0, 1, 4, 9, 16};
  constexpr int products_at[4] = {0, 2, 6, 12};
  for (int n = 0; n < 4; ++n) {
    for (int i = 0; i <= n; ++i) {
      const auto [p, e] = mct::two_prod(a[i], b[n - i]);
      terms[products_at[n] + i] = p;
      if (n < 3) {
        terms[errors_at[n + 1] + i] = e;
      } else {
        order4 = order4 + e;
      }
    }
  }
  terms[16] = order4;
  distill<5>(terms);
  return first_five(terms);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
