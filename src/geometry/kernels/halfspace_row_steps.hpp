// Operations on half-space points of several components, with a row in each lane of V: a register,
// or on a GPU a thread's number (cuda/geometry). The formulas are the scalar templates.
#pragma once

#include <cstddef>

#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

/// Points of M components, which lie in planes: component k of coordinate i is number k plane + i
/// of the rows, LaneRows or their like.
template <class V, int M, class Rows>
class RowLanes {
 public:
  MCT_HD MCT_ALWAYS_INLINE RowLanes(const Rows& rows, std::ptrdiff_t plane)
      : rows_(rows), plane_(plane) {}

  MCT_HD MCT_ALWAYS_INLINE Expansion<V, M> coordinate(int i) const {
    Expansion<V, M> x;
    for (int k = 0; k < M; ++k) x.limb[k] = rows_.load(k * plane_ + i);
    return x;
  }
  MCT_HD MCT_ALWAYS_INLINE V leading(int i) const { return rows_.load(i); }
  /// The difference of coordinate i as one number, for any i below n.
  MCT_HD MCT_ALWAYS_INLINE auto differences(const RowLanes& other, int /*n*/) const {
    return [this, &other](int i) {
      return geometry::halfspace_detail::difference_of(coordinate(i), other.coordinate(i));
    };
  }
  MCT_HD MCT_ALWAYS_INLINE void move(int i, const V& shift) const {
    set(i, geometry::halfspace_detail::moved(coordinate(i), shift));
  }
  /// Multiplies the height, of one component or of all.
  MCT_HD MCT_ALWAYS_INLINE void stretch(int i, const V& factor, bool long_height) const {
    using geometry::halfspace_detail::stretched_in_range;
    const Expansion<V, M> old = coordinate(i);
    set(i, long_height ? stretched_in_range<true>(old, factor, old)
                       : stretched_in_range<false>(old, factor, old));
  }

 private:
  MCT_HD MCT_ALWAYS_INLINE void set(int i, const Expansion<V, M>& x) const {
    for (int k = 0; k < M; ++k) rows_.store(k * plane_ + i, x.limb[k]);
  }

  Rows rows_;
  std::ptrdiff_t plane_;
};

/// The gap of two registers of points with these differences.
template <class V, class L, class D>
MCT_HD MCT_ALWAYS_INLINE inline geometry::HalfSpaceGap<V> gap_of_lanes(const L& p, const L& q,
                                                                       int n, const D& difference) {
  namespace detail = geometry::halfspace_detail;
  const V across = detail::length_of<V>(n - 1, difference);
  return detail::gap_of(across, p.leading(n - 1), q.leading(n - 1), V(difference(n - 1)));
}
/// The distances of rows, over K.
template <class V, class L>
MCT_HD MCT_ALWAYS_INLINE inline V row_distance(const L& p, const L& q, int n) {
  return geometry::half_space_distance(gap_of_lanes<V>(p, q, n, p.differences(q, n)));
}
/// Moves rows by the exponential map of their frame vectors, given(c) for coordinate c, of any
/// length. Rows whose vector is not finite stay.
template <class V, class L, class F>
MCT_HD MCT_ALWAYS_INLINE inline void move_row(const L& row, int n, bool long_height,
                                              const F& given) {
  namespace detail = geometry::halfspace_detail;
  const V shorter = detail::shortening<V>(n, given);
  const auto side = [&](int c) { return V(given(c) * shorter); };
  geometry::half_space_step<V>(
      n, side, row.leading(n - 1), [&](int c, const V& shift) { row.move(c, shift); },
      [&](const auto& stride) { row.stretch(n - 1, stride.stretch, long_height); });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
