// Half-space points in SIMD lanes, a row in each. The formulas are those of the scalar templates.
#pragma once

#include "mctensor/geometry/halfspace/height.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using geometry_detail::HalfSpaceRows;

/// The rows in the lanes of one register, the last ones repeated where fewer are left.
template <class V, int M, class P>
class RowLanes {
  using S = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE RowLanes(const HalfSpaceRows<P>& rows, int n, std::int64_t first,
                             std::int64_t count)
      : rows_(rows) {
    for (std::size_t j = 0; j < lanes<V>; ++j) {
      const std::int64_t i = first + std::int64_t(j) < count ? first + std::int64_t(j) : count - 1;
      offset_[j] = (rows.rows == nullptr ? i : rows.rows[i]) * n;
    }
  }

  MCT_ALWAYS_INLINE Expansion<V, M> coordinate(int i) const {
    Expansion<V, M> x;
    for (int k = 0; k < M; ++k) {
      S buffer[lanes<V>];
      for (std::size_t j = 0; j < lanes<V>; ++j)
        buffer[j] = rows_.data[k * rows_.plane_stride + offset_[j] + i];
      x.limb[k] = load_lanes<V>(buffer);
    }
    return x;
  }
  /// Writes the first `used` lanes.
  MCT_ALWAYS_INLINE void set(int i, const Expansion<V, M>& x, std::size_t used) const {
    for (int k = 0; k < M; ++k) {
      S buffer[lanes<V>];
      store_lanes(x.limb[k], buffer);
      for (std::size_t j = 0; j < used; ++j)
        rows_.data[k * rows_.plane_stride + offset_[j] + i] = buffer[j];
    }
  }

 private:
  HalfSpaceRows<P> rows_;
  std::int64_t offset_[lanes<V>];
};

/// The gap of two registers of points.
template <class V, int M, class P>
MCT_ALWAYS_INLINE inline geometry::HalfSpaceGap<V> gap_of_lanes(const RowLanes<V, M, P>& p,
                                                                const RowLanes<V, M, P>& q, int n) {
  namespace detail = geometry::halfspace_detail;
  const V across = detail::length_of<V>(
      n - 1, [&](int i) { return detail::difference_of(p.coordinate(i), q.coordinate(i)); });
  const auto h = p.coordinate(n - 1);
  const auto k = q.coordinate(n - 1);
  return detail::gap_of(across, h.limb[0], k.limb[0], detail::difference_of(h, k));
}

/// Calls body(first, used) for every register of rows.
template <class V, class Body>
MCT_ALWAYS_INLINE inline void for_each_register(std::int64_t count, const Body& body) {
  constexpr auto width = std::int64_t(lanes<V>);
  for (std::int64_t i = 0; i < count; i += width)
    body(i, std::size_t(count - i < width ? count - i : width));
}

template <class T, int M>
void half_space_dist(int n, std::int64_t count, HalfSpaceRows<const T> p, HalfSpaceRows<const T> q,
                     T* out) {
  using V = widest_batch<T>;
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const RowLanes<V, M, const T> a(p, n, i, count);
    const RowLanes<V, M, const T> b(q, n, i, count);
    T buffer[lanes<V>];
    store_lanes(geometry::half_space_distance(gap_of_lanes(a, b, n)), buffer);
    for (std::size_t j = 0; j < used; ++j) out[i + std::int64_t(j)] = buffer[j];
  });
}

template <class T, int M>
void half_space_direction(int n, std::int64_t count, HalfSpaceRows<const T> p,
                          HalfSpaceRows<const T> q, T* out) {
  using V = widest_batch<T>;
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const RowLanes<V, M, const T> a(p, n, i, count);
    const RowLanes<V, M, const T> b(q, n, i, count);
    const auto d = geometry::half_space_direction(gap_of_lanes(a, b, n));
    for (int c = 0; c < n; ++c) {
      V x = d.up;
      if (c + 1 < n)
        x = geometry::halfspace_detail::difference_of(a.coordinate(c), b.coordinate(c)) / d.by *
            d.times;
      T buffer[lanes<V>];
      store_lanes(x, buffer);
      for (std::size_t j = 0; j < used; ++j) out[(i + std::int64_t(j)) * n + c] = buffer[j];
    }
  });
}

template <class T, int M>
void half_space_step(bool long_height, int n, std::int64_t count, HalfSpaceRows<T> p,
                     const T* frame) {
  namespace detail = geometry::halfspace_detail;
  using V = widest_batch<T>;
  const HalfSpaceRows<const T> vectors{frame, 0, nullptr};
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const RowLanes<V, M, T> a(p, n, i, count);
    const RowLanes<V, 1, const T> v(vectors, n, i, count);
    const V shorter = detail::shortening<V>(n, [&](int c) { return v.coordinate(c).limb[0]; });
    const auto side = [&](int c) { return V(v.coordinate(c).limb[0] * shorter); };
    const auto stride = geometry::half_space_stride(detail::length_of<V>(n - 1, side), side(n - 1));
    Expansion<V, M> h = a.coordinate(n - 1);
    for (int c = 0; c + 1 < n; ++c) {
      const V shift = h.limb[0] * (side(c) / stride.by) * stride.times;
      a.set(c, detail::moved(a.coordinate(c), shift), used);
    }
    // an expansion that overflows has no leading component: the side is that of this product
    const V about = h.limb[0] * stride.stretch;
    const Expansion<V, M> old = h;
    h = long_height ? Expansion<V, M>(h * stride.stretch) : Expansion<V, M>(about);
    T least = detail::lowest_height<T, 1>;
    if (long_height) least = detail::lowest_height<T, M>;
    const V lowest(least);
    const V highest(detail::highest_height<T>);
    h = detail::choose_value(about <= lowest, Expansion<V, M>(lowest), h);
    h = detail::choose_value(about >= highest, Expansion<V, M>(highest), h);
    h = detail::choose_value(about == about, h, old);
    a.set(n - 1, h, used);
  });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
