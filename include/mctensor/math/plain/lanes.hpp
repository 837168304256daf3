// Operations on a SIMD batch, besides arithmetic, that functions of plain numbers need: a table
// read at another index in every lane, and floats converted to doubles. A header of interop/ has
// the instructions for the batches of a SIMD library.
//
// Error: reading a table and widening a float are exact; starting values of iterations state their
// error. Domain: indices within the table; finite numbers. Source: the instruction that each
// function represents.
#pragma once

#include <cstddef>

#include "mctensor/eft/representation.hpp"
#include "mctensor/eft/value.hpp"

namespace mct {

/// table[index] in every lane of V, a double or a batch of them.
template <class V>
struct TableEntries {
  using Bits = typename Representation<V>::Bits;

  MCT_HD MCT_ALWAYS_INLINE static V at(const double* table, const Bits& index) {
    if constexpr (std::is_arithmetic_v<V>) {
      return table[index];
    } else {
      std::uint64_t indices[V::size];
      double entries[V::size];
      index.store_unaligned(indices);
      for (std::size_t i = 0; i < V::size; ++i) entries[i] = table[indices[i]];
      return V::load_unaligned(entries);
    }
  }
};

/// The entry of a table of 16 entries at the last four bits of the index. The table is so short
/// that registers can hold it.
template <class V>
struct SixteenEntries {
  using Bits = typename Representation<V>::Bits;

  MCT_HD MCT_ALWAYS_INLINE static V at(const double* table, const Bits& index) {
    return TableEntries<V>::at(table, index & Bits(std::uint64_t(15)));
  }
};

/// 1/x and 1/sqrt(x) to 2^-50 relative, for 2^-500 < |x| < 2^500. Their bits differ between
/// processors, so use them only for results that are rounded correctly to a shorter format.
template <class V>
struct ShortReciprocal {
  MCT_HD MCT_ALWAYS_INLINE static constexpr V of(const V& x) { return V(1.0) / x; }
  /// 1/x to 2^-13.
  MCT_HD MCT_ALWAYS_INLINE static constexpr V rough(const V& x) { return of(x); }
  MCT_HD MCT_ALWAYS_INLINE static constexpr V root(const V& x) {
    return V(1.0) / detail::square_root(x);
  }
};

/// Converts a batch of floats to two batches of doubles, and back by rounding.
template <class V>
struct DoubleHalves;

}  // namespace mct
