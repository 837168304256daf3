// What a scalar of any type is in a comparison with a tensor: no rounding may change the answer.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "mctensor/expansion/arithmetic.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/expansion/convert.hpp"
#include "mctensor/expansion/limits.hpp"
#include "mctensor/expansion/renormalize.hpp"
#include "mctensor/tensor/operation.hpp"

namespace mct::tensor_detail {
inline namespace MCT_ISA_NAMESPACE {

template <class S>
struct ScalarInDoubles {
  using type = Expansion<double, 2>;  // 64-bit integers, too
};
template <class T, int k>
struct ScalarInDoubles<Expansion<T, k>> {
  using type = Expansion<double, k>;
};

/// The number next to x, which is finite, among those of N components; from an infinity inward the
/// largest.
template <class T, int N>
Expansion<T, N> next_to(Expansion<T, N> x, bool up) {
  using std::isfinite;
  using std::nextafter;
  if (!isfinite(x.limb[0])) {
    const auto largest = std::numeric_limits<Expansion<T, N>>::max();
    return up ? -largest : largest;
  }
  const T infinity = FloatTraits<T>::infinity;
  x.limb[N - 1] = nextafter(x.limb[N - 1], up ? infinity : -infinity);
  return renormalize(x);
}

/// A number of N components that elements x of a tensor have the same relation to as to s: s itself
/// if it is one, or one of its neighbors, of which one decides x < s and s <= x, the other x <= s
/// and s < x; no number equals an s between them, as none equals NaN.
template <Compare Op, bool scalar_first, class T, int N, class S>
Expansion<T, N> threshold(const S& s) {
  const Expansion<T, N> near(s);
  using Doubles = typename ScalarInDoubles<S>::type;
  using Common = Expansion<double, std::max(N, Doubles::components)>;
  const Common exact{Doubles(s)};
  const Common rounded{Expansion<double, N>(near)};
  if (rounded == exact || exact != exact) return near;
  if constexpr (Op != Compare::lt && Op != Compare::le) {
    return FloatTraits<T>::nan;
  } else {
    constexpr bool from_above = (Op == Compare::lt) != scalar_first;
    const bool is_above = exact < rounded;
    return is_above == from_above ? near : next_to(near, from_above);
  }
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::tensor_detail
