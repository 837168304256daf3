// Half-space points in SIMD lanes, a row in each. The formulas are those of the scalar templates.
#pragma once

#include <vector>

#include "mctensor/geometry/storage/halfspace/height.hpp"
#include "src/geometry/kernels/halfspace_table.hpp"
#include "src/tensor/kernels/lanes.hpp"

namespace mct {
inline namespace MCT_ISA_NAMESPACE {
namespace kernels {

using geometry_detail::HalfSpaceRows;

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
class RowMemory {
  using S = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE RowMemory(const HalfSpaceRows<P>& rows, int n, std::int64_t first,
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
  HalfSpaceRows<P> rows_;
  std::int64_t offset_[lanes<V>];
};

/// Rows of M components.
template <class V, int M, class P>
class RowLanes {
  using S = scalar_t<V>;

 public:
  MCT_ALWAYS_INLINE RowLanes(const HalfSpaceRows<P>& rows, int n, std::int64_t first,
                             std::int64_t count, Scratch<V, M>& /*scratch*/)
      : memory_(rows, n, first, count) {}

  MCT_ALWAYS_INLINE Expansion<V, M> coordinate(int i) const {
    Expansion<V, M> x;
    for (int k = 0; k < M; ++k) x.limb[k] = memory_.component(i, k);
    return x;
  }
  MCT_ALWAYS_INLINE V leading(int i) const { return memory_.component(i, 0); }
  /// The difference of coordinate i as one number, for any i below n.
  MCT_ALWAYS_INLINE auto differences(const RowLanes& other, int /*n*/) const {
    return [this, &other](int i) {
      return geometry::halfspace_detail::difference_of(coordinate(i), other.coordinate(i));
    };
  }
  MCT_ALWAYS_INLINE void move(int i, const V& shift, std::size_t used) const {
    set(i, geometry::halfspace_detail::moved(coordinate(i), shift), used);
  }
  /// Multiplies the height, of one component or of all.
  MCT_ALWAYS_INLINE void stretch(int i, const V& factor, bool long_height, std::size_t used) const {
    namespace detail = geometry::halfspace_detail;
    const Expansion<V, M> old = coordinate(i);
    // an expansion that overflows has no leading component: the side is that of this product
    const V about = old.limb[0] * factor;
    Expansion<V, M> h = long_height ? Expansion<V, M>(old * factor) : Expansion<V, M>(about);
    S least = detail::lowest_height<S, 1>;
    if (long_height) least = detail::lowest_height<S, M>;
    const V lowest(least);
    const V highest(detail::highest_height<S>);
    h = detail::blend(about <= lowest, Expansion<V, M>(lowest), h);
    h = detail::blend(about >= highest, Expansion<V, M>(highest), h);
    h = detail::blend(about == about, h, old);
    set(i, h, used);
  }

 private:
  MCT_ALWAYS_INLINE void set(int i, const Expansion<V, M>& x, std::size_t used) const {
    for (int k = 0; k < M; ++k) memory_.set_component(i, k, x.limb[k], used);
  }

  RowMemory<V, P> memory_;
};

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
  MCT_ALWAYS_INLINE LongRowLanes(const HalfSpaceRows<P>& rows, int n, std::int64_t first,
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
    namespace detail = geometry::halfspace_detail;
    const V old = leading(i);
    const V product = old * factor;
    const V inside = detail::smaller(detail::larger(product, V(detail::lowest_height<S, 1>)),
                                     V(detail::highest_height<S>));
    memory_.set_component(i, 0, detail::blend(product == product, inside, old), used);
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

  RowMemory<V, P> memory_;
  Scratch<V, 0>& scratch_;
};

template <class V, int M, class P>
struct LanesOf {
  using type = RowLanes<V, M, P>;
};
template <class V, class P>
struct LanesOf<V, 0, P> {
  using type = LongRowLanes<V, P>;
};
template <class V, int M, class P>
using lanes_of = typename LanesOf<V, M, P>::type;

/// The gap of two registers of points with these differences.
template <class V, class L, class D>
MCT_ALWAYS_INLINE inline geometry::HalfSpaceGap<V> gap_of_lanes(const L& p, const L& q, int n,
                                                                const D& difference) {
  namespace detail = geometry::halfspace_detail;
  const V across = detail::length_of<V>(n - 1, difference);
  return detail::gap_of(across, p.leading(n - 1), q.leading(n - 1), V(difference(n - 1)));
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
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const lanes_of<V, M, const T> a(p, n, i, count, scratch);
    const lanes_of<V, M, const T> b(q, n, i, count, scratch);
    T buffer[lanes<V>];
    store_lanes(geometry::half_space_distance(gap_of_lanes<V>(a, b, n, a.differences(b, n))),
                buffer);
    for (std::size_t j = 0; j < used; ++j) out[i + std::int64_t(j)] = buffer[j];
  });
}

template <class T, int M>
void half_space_direction(int n, std::int64_t count, HalfSpaceRows<const T> p,
                          HalfSpaceRows<const T> q, T* out) {
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const lanes_of<V, M, const T> a(p, n, i, count, scratch);
    const lanes_of<V, M, const T> b(q, n, i, count, scratch);
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
void half_space_expmap(bool long_height, int n, std::int64_t count, HalfSpaceRows<T> p,
                       const T* frame) {
  namespace detail = geometry::halfspace_detail;
  using V = widest_batch<T>;
  Scratch<V, M> scratch(n, p.components);
  const HalfSpaceRows<const T> vectors{frame, 0, nullptr, 1};
  for_each_register<V>(count, [&](std::int64_t i, std::size_t used) {
    const lanes_of<V, M, T> a(p, n, i, count, scratch);
    const RowMemory<V, const T> v(vectors, n, i, count);
    V longest(T(0));
    for (int c = 0; c < n; ++c) {
      scratch.vector[std::size_t(c)] = v.component(c, 0);
      longest = detail::larger(longest, V(detail::magnitude(scratch.vector[std::size_t(c)])));
    }
    const auto side = [&](int c) { return scratch.vector[std::size_t(c)]; };
    if (any_lane<V>(longest > V(detail::longest_step<T>))) {
      const V shorter = detail::shortening<V>(n, side);
      for (V& x : scratch.vector) x = x * shorter;
    }
    const auto stride = geometry::half_space_stride(detail::length_of<V>(n - 1, side), side(n - 1));
    const V h = a.leading(n - 1);
    for (int c = 0; c + 1 < n; ++c) a.move(c, V(h * (side(c) / stride.by) * stride.times), used);
    a.stretch(n - 1, stride.stretch, long_height, used);
  });
}

}  // namespace kernels
}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct
