// Random bits for stochastic rounding: those of an element depend on seed, step and position alone.
#pragma once

#include "mctensor/tensor/philox.hpp"
#include "src/optim/kernels/adamw_table.hpp"
#include "src/tensor/kernels/rounding_lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using optim_detail::group_length;

/// What the words of a group of elements are made of.
struct GroupKey {
  std::uint32_t offset, key;

  /// Of group number `group` in a step. Groups of a step have different keys: the finalizer of
  /// SplitMix64 (Steele, Lea, Flood 2014) is a bijection. Those of two steps, and of two seeds,
  /// have nothing in common but by chance: c.random comes from Philox.
  MCT_HD MCT_ALWAYS_INLINE static constexpr GroupKey of(const optim_detail::AdamWConstants& c,
                                                        std::uint64_t group) {
    std::uint64_t x = c.random[0] + group * 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    x ^= (x >> 31) ^ c.random[1];
    return {std::uint32_t(x), std::uint32_t(x >> 32)};
  }
};

/// The words that serve an element: of theta the upper 16 bits are random, and what is below them
/// nearly so; m and v are 16 bits. Any two of the three are independent, the third is the other two
/// added without carry.
template <class W>
struct ElementWords {
  W theta, m, v;
};

/// What is added to the offset of a group for its element number i.
MCT_HD MCT_ALWAYS_INLINE constexpr std::uint32_t element_place(std::size_t i) {
  return std::uint32_t(i) * 0x9e3779b9u;
}

/// The words of an element at a place, W: std::uint32_t or a batch of it: a bijection of 32 bits
/// (Wellons 2018, "lowbias32") into which the key of the group enters.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline ElementWords<W> element_words(const W& place, const W& key) {
  W x = (place ^ (place >> 16)) * W(0x7feb352du);
  x = (x ^ (x >> 15) ^ key) * W(0x846ca68bu);
  const W mixed = x ^ (x >> 16);
  return {mixed, mixed & W(0xffffu), x & W(0xffffu)};
}

/// All words of an element from that of theta: what mixed the halves is its own inverse.
template <class W>
MCT_HD MCT_ALWAYS_INLINE inline ElementWords<W> words_beside(const W& mixed) {
  return {mixed, mixed & W(0xffffu), (mixed ^ (mixed >> 16)) & W(0xffffu)};
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
