// Operations that argument reduction needs beyond arithmetic: nearest integers, exponents, powers
// of two and table rows, for a scalar, a SIMD batch and a CUDA thread.
#pragma once

#include <cstddef>

#include "mctensor/eft/representation.hpp"
#include "mctensor/expansion/range.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::detail {

/// The nearest integer, ties to even, for |x| <= 2^(p-2). The sum with 1.5 * 2^(p-1) rounds x to an
/// integer.
template <class V>
MCT_HD constexpr V nearest_integer(const V& x) {
  using S = scalar_t<V>;
  const V shift(S(1.5) * pow2<S>(FloatTraits<V>::p - 1));
  return (x + shift) - shift;
}

/// x minus the nearest multiple of `unit`, a power of two. This is exact for |x| <= 2^(2p-14) unit.
/// The function first subtracts a multiple of 2^(p-12) units.
template <class V>
MCT_HD constexpr V modulo_unit(const V& x, scalar_t<V> unit) {
  using S = scalar_t<V>;
  constexpr int p = FloatTraits<V>::p;
  const S fine = S(1.5) * pow2<S>(p - 1) * unit;
  const V coarse(fine * pow2<S>(p - 12));
  const V near = x - ((x + coarse) - coarse);
  return near - ((near + V(fine)) - V(fine));
}

/// floor(log2 x) as a value, for a positive normal x.
template <class V>
MCT_HD inline V exponent_value(const V& x) {
  return binary_split(x, scalar_t<V>(1)).exponent;
}

/// The first N limbs of row `index` of a table of this layer. The lanes of `index` hold integers.
template <template <class> class Table, int N, class V>
MCT_HD inline Expansion<V, N> table_row(const V& index) {
  using S = scalar_t<V>;
  static_assert(N <= Table<S>::limbs);
  Expansion<V, N> r;
  if constexpr (std::is_arithmetic_v<V>) {
    const S* row = Table<S>::row(static_cast<int>(index));
    for (int i = 0; i < N; ++i) r.limb[i] = row[i];
  } else {
    S indices[V::size];
    S limbs[N][V::size];
    index.store_unaligned(indices);
    for (std::size_t lane = 0; lane < V::size; ++lane) {
      const S* row = Table<S>::row(static_cast<int>(indices[lane]));
      for (int i = 0; i < N; ++i) limbs[i][lane] = row[i];
    }
    for (int i = 0; i < N; ++i) r.limb[i] = V::load_unaligned(limbs[i]);
  }
  return r;
}

/// Limb L of entry I of a table of constants. Each limb is a variable, because device code cannot
/// read an array at namespace scope.
template <class Table, class S, int I, int L>
inline constexpr S constant_limb = Table::template value<S>[I][L];

/// Entry I of a table of constants in N limbs.
template <class Table, class V, int N, int I = 0>
MCT_HD MCT_ALWAYS_INLINE constexpr Expansion<V, N> constant() {
  using S = scalar_t<V>;
  static_assert(I < Table::count && N <= Table::limbs);
  Expansion<V, N> r(V(constant_limb<Table, S, I, 0>));
  if constexpr (N > 1) r.limb[1] = V(constant_limb<Table, S, I, 1>);
  if constexpr (N > 2) r.limb[2] = V(constant_limb<Table, S, I, 2>);
  if constexpr (N > 3) r.limb[3] = V(constant_limb<Table, S, I, 3>);
  if constexpr (N > 4) r.limb[4] = V(constant_limb<Table, S, I, 4>);
  return r;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::detail
