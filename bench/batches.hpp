// A vector of expansions as SIMD batches.
#pragma once

#if MCT_WITH_XSIMD
#include <vector>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/interop/xsimd.hpp"

namespace mct::bench {

/// One batch per vector register: lanes hold neighbouring elements, one plane per limb.
template <class T, int N>
std::vector<Expansion<xsimd::batch<T>, N>> batches(const std::vector<Expansion<T, N>>& v) {
  using Batch = xsimd::batch<T>;
  std::vector<Expansion<Batch, N>> r(v.size() / Batch::size);
  for (std::size_t i = 0; i < r.size(); ++i) {
    for (int k = 0; k < N; ++k) {
      alignas(64) T lanes[Batch::size];
      for (std::size_t j = 0; j < Batch::size; ++j) lanes[j] = v[i * Batch::size + j].limb[k];
      r[i].limb[k] = Batch::load_aligned(lanes);
    }
  }
  return r;
}

}  // namespace mct::bench
#endif
