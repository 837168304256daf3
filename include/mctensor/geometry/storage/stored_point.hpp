// A hyperbolic point in any storage, independent of its number type. Compiled code reads and writes
// it to move points from one storage to another, or along their geodesics through the origin, with
// as many bits as the distance needs. See convert.hpp.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/geometry/model_names.hpp"
#include "mctensor/geometry/tiling/ltile.hpp"

namespace mct::geometry {

/// A point of curvature -1.
struct StoredPoint {
  /// lorentz, half_space, log_half_space, l_tiling or h_tiling: `coordinates` have any number of
  /// components.
  PointStorage storage = PointStorage::lorentz;
  /// The components of every coordinate; on the hyperboloid of every coordinate but the first.
  std::vector<std::vector<double>> coordinates = {};
  /// The bits of a component, 53 or fewer.
  int bits = 53;
  /// For l_tiling.
  LTile tile = {};
  /// For h_tiling.
  std::int64_t level = 0;
  std::vector<Integer> cube = {};
};

/// Writes to `to` the point in the same direction from the origin whose distance is numerator /
/// denominator times the distance of `from`, which is about `distance`. The storage and the numbers
/// of coordinates and components of `to` must be set. Every coordinate is rounded to its
/// components, with an error of half a unit of the last component. A place of a tiling is not yet
/// in its tile;
/// `reduce` does that. Numbers outside the range of a component become infinite or zero. The number
/// of bits of the computation is the sum of the bits of the components, the bits between 1 and the
/// smallest component, and 2.9 max(d, d'). Throws DomainError for a storage that is not listed
/// above, for more than 16384 bits, for a component that is not finite, and unless both factors are
/// positive and finite.
void store_at(StoredPoint& to, const StoredPoint& from, double distance, double numerator = 1,
              double denominator = 1);

}  // namespace mct::geometry
