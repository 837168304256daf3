// Sums over contiguous memory: accumulators in virtual lanes, and the sum itself.
//
// A sum is split over a fixed number of virtual lanes, whatever the width of a register, so that
// every instruction set with fma gives the same bits.
#pragma once

#include "mctensor/expansion/accumulator.hpp"
#include "src/tensor/kernels/load_work.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Virtual lanes of a sum in K levels: enough independent chains for the widest registers.
template <int K>
inline constexpr std::size_t virtual_lanes = K <= 2 ? 32 : 16;

/// The sum of all lanes of several vectors of normalized expansions: lane i and lane i + half of
/// what is left, until one is left.
template <class V, int K, std::size_t Count>
MCT_ALWAYS_INLINE inline void reduce_lanes(Expansion<V, K> (&sums)[Count], double* out) {
  for (std::size_t count = Count / 2; count > 0; count /= 2)
    for (std::size_t i = 0; i < count; ++i) sums[i] = add(sums[i], sums[i + count]);
  if constexpr (lanes<V> > 1) {
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

/// Calls term(accumulator, i) for the elements i = 0, lanes, 2 lanes, ... below n, n a multiple of
/// virtual_lanes, each accumulator taking every virtual_lanes-th element.
template <class V, int K, class Term>
MCT_ALWAYS_INLINE inline void accumulate(std::size_t n,
                                         Accumulator<V, K> (&sums)[virtual_lanes<K> / lanes<V>],
                                         const Term& term) {
  constexpr std::size_t step = virtual_lanes<K>;
  constexpr std::size_t period = std::size_t(Accumulator<V, K>::period);
  for (std::size_t i = 0; i < n;) {
    const std::size_t stop = n - i < period * step ? n : i + period * step;
    for (; i < stop; i += step)
      for (std::size_t j = 0; j < step / lanes<V>; ++j) term(sums[j], i + j * lanes<V>);
    if constexpr (K > 1)
      for (auto& sum : sums) sum.carry();
  }
}

template <class V, int K>
MCT_ALWAYS_INLINE inline void finish(Accumulator<V, K> (&sums)[virtual_lanes<K> / lanes<V>],
                                     double* out) {
  Expansion<V, K> results[virtual_lanes<K> / lanes<V>];
  for (std::size_t j = 0; j < virtual_lanes<K> / lanes<V>; ++j) results[j] = sums[j].result();
  reduce_lanes(results, out);
}

/// The last n % virtual_lanes elements, with zeros behind them.
template <class T, int A, std::size_t Lanes>
struct ZeroPadded {
  T buffer[A][Lanes];
  const T* planes[A];

  MCT_ALWAYS_INLINE ZeroPadded(const T* const* from, std::size_t at, std::size_t n) {
    for (int k = 0; k < A; ++k) {
      for (std::size_t i = 0; i < Lanes; ++i) buffer[k][i] = i < n ? from[k][at + i] : T(0);
      planes[k] = buffer[k];
    }
  }
};

/// out[0..K) = the normalized sum of n expansions, accumulated in the K doubles of their format.
template <class T, int N>
void sum_kernel(std::size_t n, const T* const* x, double* out) {
  using V = widest_batch<double>;
  using Format = tensor_detail::WorkFormat<T, N>;
  constexpr int K = Format::levels;
  constexpr int limbs = Format::template limbs<N>;
  constexpr std::size_t step = virtual_lanes<K>;
  Accumulator<V, K> sums[step / lanes<V>];
  const std::size_t whole = n / step * step;
  accumulate<V, K>(whole, sums, [&](Accumulator<V, K>& sum, std::size_t i) {
    sum.add(load_work<V, limbs, N>(x, i));
  });
  if (whole < n) {
    const ZeroPadded<T, N, step> last(x, whole, n - whole);
    for (std::size_t j = 0; j < step / lanes<V>; ++j)
      sums[j].add(load_work<V, limbs, N>(last.planes, j * lanes<V>));
  }
  finish<V, K>(sums, out);
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
