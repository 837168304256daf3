// Hyperbolic points in any storage without the types of their numbers: what the compiled code reads
// and writes that moves them from one storage to another, or along their geodesics through the
// origin, with binary numbers of as many bits as their distance takes. See convert.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

/// A point of curvature -1.
struct StoredPoint {
  enum class Kind {
    space,       ///< all but the first coordinate on the hyperboloid
    half_space,  ///< horizontal coordinates and the height
    l_tile,      ///< the place in a tile of the L-tiling
    h_tile       ///< the place in a cube of the H-tiling
  };
  Kind kind = Kind::space;
  /// The components of every coordinate.
  std::vector<std::vector<double>> coordinates = {};
  /// Whether the last coordinate is the logarithm of the height.
  bool logarithmic = false;
  /// Of a component, 53 or fewer.
  int bits = 53;
  /// Of Kind::l_tile.
  LTile tile = {};
  /// Of Kind::h_tile.
  std::int64_t level = 0;
  std::vector<Integer> cube = {};
};

/// Writes to `to`, whose kind, number of coordinates and of their components say how, the point in
/// the same direction from the origin whose distance is numerator / denominator times that of
/// `from`, about `distance`. Every coordinate is rounded to the components it has: an error of half
/// a unit of the last one. A place of a tiling is left for `reduce` to bring into its tile. What
/// leaves the range of a component is infinite or zero. Computed with 2.9 max(d, d') bits more than
/// the components have and than lie between 1 and the smallest of them; throws DomainError if these
/// exceed 16384, for a component that is not finite, and unless both factors are positive and
/// finite.
void store_at(StoredPoint& to, const StoredPoint& from, double distance, double numerator = 1,
              double denominator = 1);

}  // namespace mct::geometry
