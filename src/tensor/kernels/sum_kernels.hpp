// Sums over contiguous memory: accumulators in virtual lanes, and the sum itself.
//
// A sum is split over a fixed number of virtual lanes, whatever the width of a register, so that
// every instruction set with fma gives the same bits.
#pragma once

#include "mctensor/expansion/accumulator.hpp"
#include "src/tensor/kernels/load_work.hpp"
#include "src/tensor/reduce_order.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using tensor_detail::virtual_lanes;

/// The sum of all lanes of several vectors of normalized expansions: lane i and lane i + half of
/// what is left, until one is left.
template <class V, int K, std::size_t Count>
MCT_ALWAYS_INLINE inline void reduce_lanes(Expansion<V, K> (&sums)[Count], double* out) {
  for (std::size_t count = Count / 2; count > 0; count /= 2)
    for (std::size_t i = 0; i < count; ++i) sums[i] = add(sums[i], sums[i + count]);
  if constexpr (lanes < V >> 1) {
    double buffer[K][2 * lanes<V>];
    for (std::size_t width = lanes<V> / 2; width > 0; width /= 2) {
      Expansion<V, K> upper;
      for (int k = 0; k < K; ++k) {
        store_lanes(sums[0].limb[k], buffer[k]);
        store_lanes(sums[0].limb[k], buffer[k] + lanes<V>);
        upper.limb[k] = load_lanes<V>(buffer[k] + width);
      }
      sums[0] = add(sums[0], upper);
    }
    for (int k = 0; k < K; ++k) {
      store_lanes(sums[0].limb[k], buffer[k]);
      out[k] = buffer[k][0];
    }
  } else {
    for (int k = 0; k < K; ++k) out[k] = sums[0].limb[k];
  }
}

/// The last elements of a vector, fewer than a register holds, with zeros after them.
template <class T, int A>
struct ZeroPadded {
  static constexpr std::size_t width = lanes<widest_batch<double>>;
  T buffer[A][width];
  const T* planes[A];

  MCT_ALWAYS_INLINE ZeroPadded(const T* const* from, std::size_t at, std::size_t n) {
    for (int k = 0; k < A; ++k) {
      for (std::size_t i = 0; i < width; ++i) buffer[k][i] = i < n ? from[k][at + i] : T(0);
      planes[k] = buffer[k];
    }
  }
};

/// out = the sum over n elements: term(accumulator, i) adds the elements of a whole register from i
/// on, last_term(accumulator, i) the rest of them. Each accumulator takes every virtual_lanes-th
/// element.
template <int K, class Term, class LastTerm>
MCT_ALWAYS_INLINE inline void accumulate(std::size_t n, double* out, const Term& term,
                                         const LastTerm& last_term) {
  using V = widest_batch<double>;
  constexpr std::size_t step = virtual_lanes<K>;
  constexpr std::size_t count = step / lanes<V>;
  constexpr std::size_t period = std::size_t(Accumulator<V, K>::period);
  Accumulator<V, K> sums[count];
  std::size_t i = 0;
  while (n - i >= step) {
    for (std::size_t s = 0; s < period && n - i >= step; ++s, i += step)
      for (std::size_t j = 0; j < count; ++j) term(sums[j], i + j * lanes<V>);
    if constexpr (K > 1)
      for (auto& sum : sums) sum.carry();
  }
  for (std::size_t j = 0; j < count && i < n; ++j) {
    if (n - i >= lanes<V>) {
      term(sums[j], i);
      i += lanes<V>;
    } else {
      last_term(sums[j], i);
      break;
    }
  }
  Expansion<V, K> results[count];
  for (std::size_t j = 0; j < count; ++j) results[j] = sums[j].result();
  reduce_lanes(results, out);
}

/// out[0..K) = the normalized sum of n expansions, accumulated in the K doubles of their format.
template <class T, int N>
void sum_kernel(std::size_t n, const T* const* x, double* out) {
  using V = widest_batch<double>;
  using Format = tensor_detail::WorkFormat<T, N>;
  constexpr int K = Format::levels;
  constexpr int limbs = Format::template limbs<N>;
  accumulate<K>(
      n, out, [&](Accumulator<V, K>& sum, std::size_t i) { sum.add(load_work<V, limbs, N>(x, i)); },
      [&](Accumulator<V, K>& sum, std::size_t i) {
        const ZeroPadded<T, N> last(x, i, n - i);
        sum.add(load_work<V, limbs, N>(last.planes, 0));
      });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
