// A hyperbolic point in any storage, independent of its number type. Compiled code uses it to move
// a point to another storage, or along the geodesic through the point and the origin. The
// computation has as many bits as the distance needs. See convert.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/geometry/model_names.hpp"
#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

/// A point of curvature -1.
struct StoredPoint {
  /// lorentz, half_space, log_half_space, l_tiling or h_tiling.
  PointStorage storage = PointStorage::lorentz;
  /// coordinates[i] has the components of coordinate i, any number of them. On the hyperboloid the
  /// first coordinate is left out. For a tiling these are the coordinates of the place in the tile.
  std::vector<std::vector<double>> coordinates = {};
  /// The bits of a component, 53 or fewer.
  int bits = 53;
  /// For l_tiling.
  LTile tile = {};
  /// For h_tiling.
  std::int64_t level = 0;
  std::vector<Integer> cube = {};
};

/// Moves the point `from` along its geodesic through the origin and writes the result to `to`. The
/// result has the direction of `from` from the origin, and numerator / denominator times its
/// distance. The caller passes `distance`, about the distance of `from`. The caller must set the
/// storage of `to`, its bits, and its numbers of coordinates and components. Every coordinate is
/// rounded to its components, with an error of half a unit of the last component. Rounding may put
/// a place of a tiling on the far edge of its tile; `reduce` mends this. Numbers outside the range
/// of a component become infinite or zero.
///
/// The computation has at least b + s + 2.9 d + 96 bits. b is the number of bits of a coordinate:
/// the larger number of `from` and `to`. s is the number of bits between 1 and the smallest
/// component of `from`. d is the larger distance of the two points. Throws DomainError for a
/// storage that is not listed above, for more than 16384 bits, and for a component that is not
/// finite. Throws DomainError unless numerator and denominator are positive and finite.
void store_at(StoredPoint& to, const StoredPoint& from, double distance, double numerator = 1,
              double denominator = 1);

}  // namespace mct::geometry
