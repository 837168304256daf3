// The points of an embedding in the Poincaré disk, with any node in the middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// Points of the unit disk, of curvature -1. From a distance of about 37 from the centre on, x and
/// y are rounded to the edge of the disk. `gap` is 1 - x^2 - y^2 with full relative accuracy. So
/// cosh d(a, b) = 1 + 2 ((xa - xb)^2 + (ya - yb)^2) / (gap_a gap_b).
struct DiskPoints {
  std::vector<double> x, y, gap;

  std::size_t size() const { return x.size(); }
};

/// Points of the half-plane: horizontal coordinates and heights.
struct HalfPlanePoints {
  std::vector<double> x, height;

  std::size_t size() const { return x.size(); }
};

/// The points of an embedding in the plane, after an isometry (a horizontal shift and a scaling)
/// has brought node `centre` to (0, 1). Differences to the centre are computed in all components
/// before anything is rounded. Tensors need not be contiguous. Throws as disk_points.
HalfPlanePoints half_plane_points(const HalfSpacePoints& points, std::int32_t centre);

/// The points of an embedding in the plane, after an isometry has brought node `centre` to the
/// middle of the disk. The isometry keeps directions there: the horizontal coordinate of the
/// half-plane grows to the right, its height upwards. Differences to the centre are computed in all
/// components before anything is rounded. So the surroundings of the centre are right, however far
/// the centre is from the origin. The errors of x and y are a few u, the error of gap a few u of
/// its value.
///
/// Throws DomainError for points of a product, for points that do not have two dimensions, and for
/// a centre that is not a node. Throws ShapeError for a factor that is not [components, rows, n]
/// with at least one component.
DiskPoints disk_points(const HalfSpacePoints& points, std::int32_t centre);

}  // namespace mct::embed
