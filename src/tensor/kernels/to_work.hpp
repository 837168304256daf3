// An element of a tensor in the format that it is accumulated in.
#pragma once

#include "mctensor/expansion/arithmetic.hpp"
#include "src/tensor/kernels/work_format.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// An expansion of A components, each as a V, as K limbs of V.
template <int K, class V, int A>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, K> to_work(const V (&x)[A]) {
  Expansion<V, K> r;
  if constexpr (K == A) {
    for (int k = 0; k < K; ++k) r.limb[k] = x[k];
  } else if constexpr (K == 1) {
    V sum = x[A - 1];
    for (int k = A - 2; k >= 0; --k) sum = x[k] + sum;
    r.limb[0] = sum;
  } else {
    static_assert(K == 2 && A > 2);
    V tail = x[A - 1];
    for (int k = A - 2; k >= 2; --k) tail = x[k] + tail;
    const auto [hi, lo] = fast_two_sum<V>(x[0], x[1]);
    const auto [s, e] = fast_two_sum<V>(hi, lo + tail);
    r.limb[0] = s;
    r.limb[1] = e;
  }
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
