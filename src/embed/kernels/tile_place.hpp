// Places of tiles in lanes of float: what is exact in doubles is loaded as in the place of doubles,
// whose lanes are two halves, and rounded.
#pragma once

#include "src/embed/kernels/lane_rows.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

/// Components of a tile's coordinates in the half-space, whose numbers are stored in M: in float
/// three hold a whole number of a double and more.
template <int M, class V>
inline constexpr int components_of_tile = in_float<V> ? 3 : M + 1;

/// Half of the rows: the first one, or the last one.
template <class V, class P>
MCT_ALWAYS_INLINE inline LaneRows<PlaceLanes, P> half_of(const LaneRows<V, P>& rows, bool last) {
  LaneRows<PlaceLanes, P> half;
  for (int j = 0; j < half.width; ++j)
    half.row[j] = rows.row[last ? rows.width - half.width + j : j];
  return half;
}

/// Sums of two doubles in each lane of the halves, as sums of three floats.
template <class V>
MCT_ALWAYS_INLINE inline Expansion<V, 3> narrowed(const Expansion<PlaceLanes, 2>& low,
                                                  const Expansion<PlaceLanes, 2>& high) {
  Expansion<V, 3> x;
  x.limb[0] = Halves<V>::joined(low.limb[0], high.limb[0]);
  const PlaceLanes low_rest = (low.limb[0] - Halves<V>::low(x.limb[0])) + low.limb[1];
  const PlaceLanes high_rest = (high.limb[0] - Halves<V>::high(x.limb[0])) + high.limb[1];
  x.limb[1] = Halves<V>::joined(low_rest, high_rest);
  x.limb[2] = Halves<V>::joined(low_rest - Halves<V>::low(x.limb[1]),
                                high_rest - Halves<V>::high(x.limb[1]));
  return x;
}
/// The coordinates in a place of doubles.
template <class Wide, class Coordinates, class V, class P>
MCT_ALWAYS_INLINE inline Coordinates narrowed(const LaneRows<V, P>& rows, int n) {
  const auto low = Wide::load(half_of(rows, false), n);
  const auto high = Wide::load(half_of(rows, true), n);
  return geometry::detail::generate<Coordinates>(
      n, [&](int i) { return narrowed<V>(low[i], high[i]); });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
