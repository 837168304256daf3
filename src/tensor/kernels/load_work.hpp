// Loads expansions of T into lanes of the format they are accumulated in.
#pragma once

#include "src/tensor/kernels/to_work.hpp"
#include "src/tensor/kernels/widening_loads.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Elements i, i + 1, ... of planes of A components of T as expansions of K limbs of V.
template <class V, int K, int A, class T>
MCT_ALWAYS_INLINE inline Expansion<V, K> load_work(const T* const* planes, std::size_t i) {
  V x[A];
  for (int k = 0; k < A; ++k) x[k] = load_converted<V>(planes[k] + i);
  return to_work<K>(x);
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
