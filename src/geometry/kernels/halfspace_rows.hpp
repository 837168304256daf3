// Half-space points in SIMD lanes, a row in each. The formulas are the scalar templates.
#pragma once

#include <vector>

#include "mctensor/geometry/point.hpp"
#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "src/geometry/kernels/halfspace_row_steps.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/kernels/lane_rows.hpp"

namespace mct::inline MCT_ISA_NAMESPACE::kernels {

using geometry_detail::RowPlanes;

/// Memory of one kernel call: for long sums (M = 0) their terms and differences.
template <class V, int M>
struct Scratch {
  Scratch(int /*n*/, int /*components*/) {}
};
template <class V>
struct Scratch<V, 0> {
  std::vector<V> terms, differences;
  Scratch(int n, int components)
      : terms(2 * std::size_t(components) + 1), differences(std::size_t(n)) {}
};

/// The rows in the lanes of one register from `first` on, the last one repeated where fewer are
/// left.
template <class V, class P>
MCT_ALWAYS_INLINE inline LaneRows<V, P> gathered(const RowPlanes<P>& rows, int n,
                                                 std::int64_t first, std::int64_t count) {
  LaneRows<V, P> r;
  const std::int64_t left = count - first;
  r.used = left < r.width ? int(left) : r.width;
  for (int j = 0; j < r.width; ++j) {
    const std::int64_t i = j < r.used ? first + j : count - 1;
    r.row[j] = rows.data + (rows.rows == nullptr ? i : rows.rows[i]) * n;
  }
  return r;
}

/// True if the mask is set in any lane.
template <class V, class Mask>
MCT_ALWAYS_INLINE inline bool any_lane(const Mask& mask) {
  bool set[lanes<V>];
  store_mask(mask, set);
  for (const bool one : set)
    if (one) return true;
  return false;
}

/// One pass of two_sum from the last term to the first: zeros sink, sums rise. Returns whether a
/// term other than the last moved, in any lane.
template <class V>
MCT_ALWAYS_INLINE inline bool settle_lanes(V* terms, int count) {
  V change(scalar_t<V>(0));
  for (int i = count - 1; i > 0; --i) {
    const auto [hi, lo] = two_sum(terms[i - 1], terms[i]);
    change = geometry::halfspace_detail::blend(hi == terms[i - 1], change, V(scalar_t<V>(1)));
    terms[i - 1] = hi;
    terms[i] = lo;
  }
  return any_lane<V>(change != V(scalar_t<V>(0)));
}

/// Rows of any number of components, with heights of one: LongSum's algorithms without branches.
template <class V, class P>
class LongRowLanes {
  using S = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE LongRowLanes(const LaneRows<V, P>& rows, std::ptrdiff_t plane, int components,
                                 Scratch<V, 0>& scratch)
      : rows_(rows), plane_(plane), components_(components), scratch_(scratch) {}

  MCT_ALWAYS_INLINE V leading(int i) const { return rows_.load(i); }
  /// All are computed at once, as lengths ask for each twice.
  MCT_ALWAYS_INLINE auto differences(const LongRowLanes& other, int n) const {
    for (int i = 0; i + 1 < n; ++i) scratch_.differences[std::size_t(i)] = difference(other, i);
    scratch_.differences[std::size_t(n - 1)] = leading(n - 1) - other.leading(n - 1);
    return [this](int i) { return scratch_.differences[std::size_t(i)]; };
  }
  /// x + shift rounded to as many components; x stays where the sum is not finite.
  MCT_ALWAYS_INLINE void move(int i, const V& shift) const {
    const int m = components_;
    V* terms = scratch_.terms.data();
    V carry = shift;
    for (int k = m - 1; k >= 0; --k) {
      const auto [hi, lo] = two_sum(carry, component(i, k));
      carry = hi;
      terms[k + 1] = lo;
    }
    terms[0] = carry;
    for (int pass = 0; pass < m + 2 && settle_lanes(terms, m + 1); ++pass) {
    }
    const auto finite = geometry::halfspace_detail::is_finite_mask(terms[0]);
    for (int k = 0; k < m; ++k)
      rows_.store(k * plane_ + i,
                  geometry::halfspace_detail::blend(finite, terms[k], component(i, k)));
  }
  MCT_ALWAYS_INLINE void stretch(int i, const V& factor, bool /*long_height*/) const {
    const V old = leading(i);
    rows_.store(i, geometry::halfspace_detail::stretched_in_range<false>(old, factor, old));
  }

 private:
  MCT_ALWAYS_INLINE V component(int i, int k) const { return rows_.load(k * plane_ + i); }
  /// The leading component of the sum of 2 m terms, however much of it cancels.
  MCT_ALWAYS_INLINE V difference(const LongRowLanes& other, int i) const {
    V* terms = scratch_.terms.data();
    int count = 0;
    for (int k = 0; k < components_; ++k) {
      const auto [hi, lo] = two_diff(component(i, k), other.component(i, k));
      terms[count++] = hi;
      terms[count++] = lo;
    }
    for (int pass = 0; pass <= count && settle_lanes(terms, count); ++pass) {
      V rest(S(0));
      for (int k = count - 1; k > 0; --k) rest = rest + terms[k];
      if (!any_lane<V>(terms[0] + rest != terms[0])) break;
    }
    return terms[0];
  }

  LaneRows<V, P> rows_;
  std::ptrdiff_t plane_;
  int components_;
  Scratch<V, 0>& scratch_;
};

template <class V, int M, class P>
MCT_ALWAYS_INLINE inline auto load_rows(const RowPlanes<P>& rows, int n, std::int64_t first,
                                        std::int64_t count, Scratch<V, M>& scratch) {
  const LaneRows<V, P> at = gathered<V>(rows, n, first, count);
  if constexpr (M == 0) {
    return LongRowLanes<V, P>(at, rows.plane_stride, rows.components, scratch);
  } else {
    return RowLanes<V, M, LaneRows<V, P>>(at, rows.plane_stride);
  }
}

/// Calls body(first, lanes) for every register of rows of n numbers, which follow one another.
template <class V, class T, class Body>
MCT_ALWAYS_INLINE inline void for_each_register(int n, std::int64_t count, T* data,
                                                const Body& body) {
  const RowPlanes<T> rows{data, 0, nullptr, 1};
  for (std::int64_t i = 0; i < count; i += std::int64_t(lanes<V>))
    body(i, gathered<V>(rows, n, i, count));
}

template <class T, int M>
void half_space_dist(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q,
                     T* out) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(1, count, out, [&](std::int64_t i, const auto& results) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const auto b = load_rows<V, M>(q, n, i, count, scratch);
    results.store(0, row_distance<V>(a, b, n));
  });
}

template <class T, int M>
void half_space_direction(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q,
                          T* out) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(n, count, out, [&](std::int64_t i, const auto& results) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const auto b = load_rows<V, M>(q, n, i, count, scratch);
    const auto difference = a.differences(b, n);
    const auto d = geometry::half_space_direction(gap_of_lanes<V>(a, b, n, difference));
    for (int c = 0; c + 1 < n; ++c) results.store(c, V(difference(c) / d.by * d.times));
    results.store(n - 1, d.up);
  });
}

template <class T, int M>
void half_space_expmap(bool long_height, int n, std::int64_t count, RowPlanes<T> p,
                       const T* frame) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(n, count, frame, [&](std::int64_t i, const auto& vectors) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const auto vector =
        geometry::detail::generate<geometry::Point<V>>(n, [&](int c) { return vectors.load(c); });
    move_row<V>(a, n, long_height, [&](int c) { return vector[c]; });
  });
}

}  // namespace mct::inline MCT_ISA_NAMESPACE::kernels
