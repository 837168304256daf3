// Reads and writes coordinates of points and tangent vectors with the same functions for every
// storage. In memory, coordinates are rows of n numbers, in one plane for each component.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "mctensor/geometry/storage/halfspace/coordinate.hpp"
#include "mctensor/geometry/work.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::stored_detail {

using halfspace_detail::limb_of;

/// Coordinate i of a vector, of a point of a model, or of a tiled point within its tile. A product
/// of planes is a list of pairs.
template <class X>
MCT_HD auto& coordinate_of(X& x, std::size_t i) {
  if constexpr (requires { x.u; }) {
    return x.u[i];
  } else if constexpr (requires { x.z; }) {
    return x.z[i];
  } else if constexpr (
      requires { x.front().u; } || requires { x.front().front(); }) {
    return coordinate_of(x[i / 2], i % 2);
  } else if constexpr (requires { X::dimension; }) {
    return x[int(i)];
  } else {
    return x[i];
  }
}
template <class X>
MCT_HD std::size_t coordinates_in(const X& x) {
  if constexpr (requires { x.u; }) {
    return x.u.size();
  } else if constexpr (requires { x.z; }) {
    return x.z.size();
  } else if constexpr (
      requires { x.front().u; } || requires { x.front().front(); }) {
    return 2 * x.size();
  } else {
    return std::size_t(x.size());
  }
}

/// Whether the last coordinate is a height, which may have fewer components than the others.
template <class X>
concept HasHeight = requires(X& x) {
  x.height;
};
/// f(coordinate i), in the order of memory.
template <class X, class F>
MCT_HD MCT_ALWAYS_INLINE inline decltype(auto) with_coordinate(X& x, int i, const F& f) {
  if constexpr (HasHeight<X>) {
    return i + 1 < X::dimension ? f(x.x[i]) : f(x.height);
  } else {
    return f(coordinate_of(x, std::size_t(i)));
  }
}
/// Component k of coordinate i. Components that a height lacks are zeros in memory.
template <class X>
MCT_HD MCT_ALWAYS_INLINE inline auto& component_of(X& x, int i, int k) {
  if constexpr (HasHeight<X>) {
    return i + 1 < X::dimension ? x.x[i].limb[k] : limb_of(x.height, k);
  } else {
    return limb_of(coordinate_of(x, std::size_t(i)), k);
  }
}
template <class X>
MCT_HD constexpr bool has_component([[maybe_unused]] int i, [[maybe_unused]] int k) {
  if constexpr (HasHeight<X>) {
    return i + 1 < X::dimension || k < detail::limbs_of<decltype(X::height)>;
  } else {
    return true;
  }
}

/// Copies row `row` of N planes into x, and x into the row. plane(k) is the address of the plane of
/// component k, whose rows have n numbers.
template <int N, class X, class Plane>
MCT_ALWAYS_INLINE inline void load_row(X& x, std::int64_t row, std::int64_t n, const Plane& plane) {
  for (int i = 0; i < int(n); ++i)
    for (int k = 0; k < N; ++k)
      if (has_component<X>(i, k)) component_of(x, i, k) = plane(k)[row * n + i];
}
template <int N, class X, class Plane>
MCT_ALWAYS_INLINE inline void store_row(const X& x, std::int64_t row, std::int64_t n,
                                        const Plane& plane) {
  using T = std::remove_cvref_t<decltype(plane(0)[0])>;
  for (int i = 0; i < int(n); ++i)
    for (int k = 0; k < N; ++k)
      plane(k)[row * n + i] = has_component<X>(i, k) ? T(component_of(x, i, k)) : T(0);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::stored_detail
