// Points of the tilings moved along their geodesics through the origin.
#pragma once

#include <cstddef>
#include <vector>

#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"

namespace mct::geometry {

// compiled once: not in tiling_detail, which has another name for each instruction set
namespace far_scaling {

/// A place within a tile by the components of its coordinates, which are floats if `single`.
struct Places {
  std::vector<std::vector<double>> coordinates;
  bool single = false;
};

/// Moves the tile and the place in it; what is left to do is the last rounding's reduce. d: the
/// distance from the origin at radius 1, about.
void scale_from_origin(LTile& tile, Places& places, double d, double numerator, double denominator);
void scale_from_origin(std::int64_t& level, std::vector<Integer>& cube, Places& places, double d,
                       double numerator, double denominator);

}  // namespace far_scaling

inline namespace MCT_ISA_NAMESPACE {
namespace far_scaling_detail {

using far_scaling::Places;

template <class V, std::size_t n>
Places places_of(const std::array<V, n>& x) {
  Places r;
  r.single = std::is_same_v<tiling_detail::limb_t<V>, float>;
  for (const V& c : x) {
    if constexpr (tiling_detail::limbs_of<V> == 1 && std::is_arithmetic_v<V>) {
      r.coordinates.push_back({double(c)});
    } else {
      r.coordinates.emplace_back(std::begin(c.limb), std::end(c.limb));
    }
  }
  return r;
}
template <class V, std::size_t n>
void set_places(std::array<V, n>& x, const Places& places) {
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (tiling_detail::limbs_of<V> == 1 && std::is_arithmetic_v<V>) {
      x[i] = V(places.coordinates[i][0]);
    } else {
      for (std::size_t k = 0; k < places.coordinates[i].size(); ++k)
        x[i].limb[k] = tiling_detail::limb_t<V>(places.coordinates[i][k]);
    }
  }
}

}  // namespace far_scaling_detail

/// The point in the same direction from the origin whose distance, at radius 1, is `numerator` /
/// `denominator` times that of x: within 4 u^N of its place. Computed on the hyperboloid with
/// binary numbers of 2.9 max(d, d') bits more than V has. Throws DomainError if that exceeds 16384,
/// and unless both factors are positive and finite.
template <class V>
LTilingPoint<V> scaled_from_origin(const LTilingPoint<V>& x, double numerator, double denominator) {
  auto places = far_scaling_detail::places_of(x.u);
  LTilingPoint<V> r = x;
  far_scaling::scale_from_origin(r.tile, places, double(tiling_detail::lead(LTiling<V>().dist0(x))),
                                 numerator, denominator);
  far_scaling_detail::set_places(r.u, places);
  reduce(r);
  return r;
}
template <class V, std::size_t n>
HTilingPoint<V, n> scaled_from_origin(const HTilingPoint<V, n>& x, double numerator,
                                      double denominator) {
  auto places = far_scaling_detail::places_of(x.z);
  HTilingPoint<V, n> r = x;
  std::vector<Integer> cube(x.k.begin(), x.k.end());
  far_scaling::scale_from_origin(r.j, cube, places,
                                 double(tiling_detail::lead(HTiling<V, n>().dist0(x))), numerator,
                                 denominator);
  std::copy(cube.begin(), cube.end(), r.k.begin());
  far_scaling_detail::set_places(r.z, places);
  reduce(r);
  return r;
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
