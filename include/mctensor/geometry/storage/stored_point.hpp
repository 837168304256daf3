// A hyperbolic point in any storage, independent of its number type. Compiled code reads and writes
// it to move points from one storage to another, or along their geodesics through the origin, with
// as many bits as the distance needs. See convert.hpp.
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
  /// The bits of a component, 53 or fewer.
  int bits = 53;
  /// For Kind::l_tile.
  LTile tile = {};
  /// For Kind::h_tile.
  std::int64_t level = 0;
  std::vector<Integer> cube = {};
};

/// Writes to `to` the point in the same direction from the origin whose distance is numerator /
/// denominator times that of `from`, about `distance`. The kind and the numbers of coordinates and
/// components of `to` must be set. Every coordinate is rounded to its components: an error of half
/// a unit of the last one. A place of a tiling is not yet in its tile; `reduce` does that. Numbers
/// outside the range of a component become infinite or zero. It computes with 2.9 max(d, d') bits
/// more than those of the components and those between 1 and the smallest component. Throws
/// DomainError if these exceed 16384, for a component that is not finite, and unless both factors
/// are positive and finite.
void store_at(StoredPoint& to, const StoredPoint& from, double distance, double numerator = 1,
              double denominator = 1);

}  // namespace mct::geometry
