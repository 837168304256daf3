// Elements of attention in SIMD lanes: plain numbers, and expansions whose components lie side by
// side in memory.
#pragma once

#include "mctensor/attention/scores.hpp"
#include "mctensor/expansion/value.hpp"
#include "src/attention/kernels/tile_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Elements in a value of V: those in each of its limbs.
template <class W, int N>
inline constexpr std::size_t lanes<Expansion<W, N>> = lanes<W>;

/// What lies in memory: double for a batch of doubles, f64x2 for an expansion of two batches.
template <class V>
struct ElementOf {
  using type = scalar_t<V>;
};
template <class W, int N>
struct ElementOf<Expansion<W, N>> {
  using type = Expansion<scalar_t<W>, N>;
};
template <class V>
using element_t = typename ElementOf<V>::type;

/// The widest lanes of an element.
template <class E>
struct TileLanes {
  using type = widest_batch<E>;
};
template <class T, int N>
struct TileLanes<Expansion<T, N>> {
  using type = Expansion<widest_batch<T>, N>;
};
template <class E>
using tile_lanes = typename TileLanes<E>::type;

template <class V>
requires is_expansion_v<V> MCT_ALWAYS_INLINE inline V load_lanes(const element_t<V>* p) {
  using W = detail::limb_t<V>;
  V r;
  for (int c = 0; c < detail::limbs_of<V>; ++c) {
    scalar_t<W> buffer[lanes<W>];
    for (std::size_t k = 0; k < lanes<W>; ++k) buffer[k] = p[k].limb[c];
    r.limb[c] = load_lanes<W>(buffer);
  }
  return r;
}
template <class V>
requires is_expansion_v<V> MCT_ALWAYS_INLINE inline void store_lanes(const V& x, element_t<V>* p) {
  using W = detail::limb_t<V>;
  for (int c = 0; c < detail::limbs_of<V>; ++c) {
    scalar_t<W> buffer[lanes<W>];
    store_lanes<W>(x.limb[c], buffer);
    for (std::size_t k = 0; k < lanes<W>; ++k) p[k].limb[c] = buffer[k];
  }
}

/// An element in all lanes.
template <class V>
MCT_ALWAYS_INLINE inline V spread(const element_t<V>& x) {
  if constexpr (is_expansion_v<V>) {
    V r;
    for (int c = 0; c < detail::limbs_of<V>; ++c) r.limb[c] = detail::limb_t<V>(x.limb[c]);
    return r;
  } else {
    return V(x);
  }
}

using attention::score_detail::larger;
using attention::score_detail::plus_product;

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
