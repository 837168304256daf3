// Numbers with more digits, for the few conversions that cancel digits or multiply errors.
#pragma once

#include <algorithm>
#include <type_traits>

#include "mctensor/geometry/tiling/scalar.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::tiling_detail {

/// WiderOf<V>::type has twice the digits of V, but at most four components. For float it is double.
template <class V>
struct WiderOf {
  using type = std::conditional_t<std::is_same_v<V, float>, double, Expansion<V, 2>>;
};
template <class T, int N>
struct WiderOf<Expansion<T, N>> {
  using type = Expansion<T, std::min(2 * N, 4)>;
};
template <class V>
using wider_t = typename WiderOf<V>::type;

template <class V>
wider_t<V> widened(const V& x) {
  if constexpr (is_expansion_v<V>) {
    return ::mct::detail::widen<wider_t<V>::components>(x);
  } else {
    return wider_t<V>(x);
  }
}
template <class V, std::size_t n>
std::array<wider_t<V>, n> widened(const std::array<V, n>& x) {
  std::array<wider_t<V>, n> r;
  for (std::size_t i = 0; i < n; ++i) r[i] = widened(x[i]);
  return r;
}

/// x rounded to V.
template <class V>
V narrowed(const wider_t<V>& x) {
  if constexpr (is_expansion_v<V>) {
    return ::mct::detail::round_limbs<V::components>(x);
  } else {
    return V(lead(x));
  }
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::tiling_detail
