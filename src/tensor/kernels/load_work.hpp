// Loads expansions of T into lanes of the format they are accumulated in.
#pragma once

#include "src/tensor/kernels/widening_loads.hpp"
#include "src/tensor/kernels/work_format.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Elements i, i + 1, ... of planes of A components of T as expansions of K limbs of V.
template <class V, int K, int A, class T>
MCT_ALWAYS_INLINE inline Expansion<V, K> load_work(const T* const* planes, std::size_t i) {
  Expansion<V, K> r;
  if constexpr (K == A) {
    for (int k = 0; k < K; ++k) r.limb[k] = load_converted<V>(planes[k] + i);
  } else if constexpr (K == 1) {
    V sum = load_converted<V>(planes[A - 1] + i);
    for (int k = A - 2; k >= 0; --k) sum = load_converted<V>(planes[k] + i) + sum;
    r.limb[0] = sum;
  } else {
    static_assert(K == 2 && A > 2);
    V tail = load_converted<V>(planes[A - 1] + i);
    for (int k = A - 2; k >= 2; --k) tail = load_converted<V>(planes[k] + i) + tail;
    const auto [hi, lo] =
        fast_two_sum<V>(load_converted<V>(planes[0] + i), load_converted<V>(planes[1] + i));
    const auto [s, e] = fast_two_sum<V>(hi, lo + tail);
    r.limb[0] = s;
    r.limb[1] = e;
  }
  return r;
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
