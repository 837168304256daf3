// Half-space points in SIMD lanes, a row in each. The formulas are those of the scalar templates.
#pragma once

#include <vector>

#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "src/geometry/kernels/halfspace_row_steps.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using geometry_detail::RowPlanes;

/// Memory of one kernel call: numbers by coordinate, and for long sums (M = 0) their terms.
template <class V, int M>
struct Scratch {
  std::vector<V> vector;
  Scratch(int n, int /*components*/) : vector(std::size_t(n)) {}
};
template <class V>
struct Scratch<V, 0> : Scratch<V, 1> {
  std::vector<V> terms;
  std::vector<V> differences;
  Scratch(int n, int components)
      : Scratch<V, 1>(n, components),
        terms(2 * std::size_t(components) + 1),
        differences(std::size_t(n)) {}
};

/// The rows in the lanes of one register, the last ones repeated where fewer are left.
template <class V, class P>
class GatheredRows {
  using S = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE GatheredRows(const RowPlanes<P>& rows, int n, std::int64_t first,
                                 std::int64_t count)
      : rows_(rows) {
    for (std::size_t j = 0; j < lanes<V>; ++j) {
      const std::int64_t i = first + std::int64_t(j) < count ? first + std::int64_t(j) : count - 1;
      offset_[j] = (rows.rows == nullptr ? i : rows.rows[i]) * n;
    }
  }

  MCT_ALWAYS_INLINE int components() const { return rows_.components; }
  MCT_ALWAYS_INLINE V component(int i, int k) const {
    S buffer[lanes<V>];
    for (std::size_t j = 0; j < lanes<V>; ++j)
      buffer[j] = rows_.data[k * rows_.plane_stride + offset_[j] + i];
    return load_lanes<V>(buffer);
  }
  /// Writes the first `used` lanes.
  MCT_ALWAYS_INLINE void set_component(int i, int k, const V& x, std::size_t used) const {
    S buffer[lanes<V>];
    store_lanes(x, buffer);
    for (std::size_t j = 0; j < used; ++j)
      rows_.data[k * rows_.plane_stride + offset_[j] + i] = buffer[j];
  }

 private:
  RowPlanes<P> rows_;
  std::int64_t offset_[lanes<V>];
};

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
  MCT_ALWAYS_INLINE LongRowLanes(const RowPlanes<P>& rows, int n, std::int64_t first,
                                 std::int64_t count, Scratch<V, 0>& scratch)
      : memory_(rows, n, first, count), scratch_(scratch) {}

  MCT_ALWAYS_INLINE V leading(int i) const { return memory_.component(i, 0); }
  /// All are computed at once, as lengths ask for each twice.
  MCT_ALWAYS_INLINE auto differences(const LongRowLanes& other, int n) const {
    for (int i = 0; i + 1 < n; ++i) scratch_.differences[std::size_t(i)] = difference(other, i);
    scratch_.differences[std::size_t(n - 1)] = leading(n - 1) - other.leading(n - 1);
    return [this](int i) { return scratch_.differences[std::size_t(i)]; };
  }
  /// x + shift rounded to as many components, as it was where that is not finite.
  MCT_ALWAYS_INLINE void move(int i, const V& shift, std::size_t used) const {
    const int m = memory_.components();
    V* terms = scratch_.terms.data();
    V carry = shift;
    for (int k = m - 1; k >= 0; --k) {
      const auto [hi, lo] = two_sum(carry, memory_.component(i, k));
      carry = hi;
      terms[k + 1] = lo;
    }
    terms[0] = carry;
    for (int pass = 0; pass < m + 2 && settle_lanes(terms, m + 1); ++pass) {
    }
    const auto finite = geometry::halfspace_detail::is_finite_mask(terms[0]);
    for (int k = 0; k < m; ++k)
      memory_.set_component(
          i, k, geometry::halfspace_detail::blend(finite, terms[k], memory_.component(i, k)), used);
  }
  MCT_ALWAYS_INLINE void stretch(int i, const V& factor, bool /*long_height*/,
                                 std::size_t used) const {
    const V old = leading(i);
    const V h = geometry::halfspace_detail::stretched_in_range<false>(old, factor, old);
    memory_.set_component(i, 0, h, used);
  }

 private:
  /// The leading component of the sum of 2 m terms, however much of it cancels.
  MCT_ALWAYS_INLINE V difference(const LongRowLanes& other, int i) const {
    V* terms = scratch_.terms.data();
    int count = 0;
    for (int k = 0; k < memory_.components(); ++k) {
      const auto [hi, lo] = two_diff(memory_.component(i, k), other.memory_.component(i, k));
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

  GatheredRows<V, P> memory_;
  Scratch<V, 0>& scratch_;
};

template <class V, int M, class P>
struct LanesOf {
  using type = RowLanes<V, M, GatheredRows<V, P>>;
};
template <class V, class P>
struct LanesOf<V, 0, P> {
  using type = LongRowLanes<V, P>;
};
template <class V, int M, class P>
using lanes_of = typename LanesOf<V, M, P>::type;

template <class V, int M, class P>
MCT_ALWAYS_INLINE inline lanes_of<V, M, P> load_rows(const RowPlanes<P>& rows, int n,
                                                     std::int64_t first, std::int64_t count,
                                                     Scratch<V, M>& scratch) {
  if constexpr (M == 0) {
    return {rows, n, first, count, scratch};
  } else {
    return lanes_of<V, M, P>({rows, n, first, count});
  }
}

/// Calls body(first, used) for every register of rows.
template <class V, class Body>
MCT_ALWAYS_INLINE inline void for_each_register(std::int64_t count, const Body& body) {
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < count; i += width)
    body(i, std::size_t(count - i < width ? count - i : width));
}

template <class T, int M>
void half_space_dist(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q,
                     T* out) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const auto b = load_rows<V, M>(q, n, i, count, scratch);
    T buffer[lanes<V>];
    store_lanes(row_distance<V>(a, b, n), buffer);
    for (std::size_t j = 0; j < used; ++j) out[i + std::int64_t(j)] = buffer[j];
  });
}

template <class T, int M>
void half_space_direction(int n, std::int64_t count, RowPlanes<const T> p, RowPlanes<const T> q,
                          T* out) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const auto b = load_rows<V, M>(q, n, i, count, scratch);
    const auto difference = a.differences(b, n);
    const auto d = geometry::half_space_direction(gap_of_lanes<V>(a, b, n, difference));
    for (int c = 0; c < n; ++c) {
      V x = d.up;
      if (c + 1 < n) x = difference(c) / d.by * d.times;
      T buffer[lanes<V>];
      store_lanes(x, buffer);
      for (std::size_t j = 0; j < used; ++j) out[(i + std::int64_t(j)) * n + c] = buffer[j];
    }
  });
}

template <class T, int M>
void half_space_expmap(bool long_height, int n, std::int64_t count, RowPlanes<T> p,
                       const T* frame) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  const RowPlanes<const T> vectors{frame, 0, nullptr, 1};
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const auto a = load_rows<V, M>(p, n, i, count, scratch);
    const GatheredRows<V, const T> v(vectors, n, i, count);
    for (int c = 0; c < n; ++c) scratch.vector[std::size_t(c)] = v.component(c, 0);
    const auto side = [&](int c) { return scratch.vector[std::size_t(c)]; };
    if (is_too_long<V>(n, side)) {
      const V shorter = geometry::halfspace_detail::shortening<V>(n, side);
      for (V& x : scratch.vector) x = x * shorter;
    }
    move_row<V>(a, n, long_height, used, side);
  });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
