// Embeddings in the Poincaré disk, seen from any of their nodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// Points of the unit disk, of curvature -1. For a point some 37 or more from the centre, x and y
/// round to the edge; `gap` is 1 - x^2 - y^2 to full relative accuracy, so that cosh d(a, b) = 1 +
/// 2 ((xa - xb)^2 + (ya - yb)^2) / (gap_a gap_b).
struct DiskPoints {
  std::vector<double> x, y, gap;

  std::size_t size() const { return x.size(); }
};

/// Points of the half-plane: horizontal coordinates and heights.
struct HalfPlanePoints {
  std::vector<double> x, height;

  std::size_t size() const { return x.size(); }
};

/// The points of an embedding in the plane after the isometry, a horizontal shift and a scaling,
/// that brings node `centre` to (0, 1). Differences to the centre are taken in all components
/// before anything is rounded. Tensors need not be contiguous. Errors as disk_points.
HalfPlanePoints half_plane_points(const HalfSpacePoints& points, std::int32_t centre);

/// The points of an embedding in the plane after the isometry that brings node `centre` to the
/// middle of the disk and keeps directions there: the horizontal coordinate of the half-plane grows
/// to the right, its height upwards. Differences to the centre are taken in all components before
/// anything is rounded, so the surroundings of the centre are right, however far it is from the
/// origin: x and y have errors of a few units in the last place of 1, gap of a few units in its own
/// last place.
///
/// Throws DomainError for points of a product, of other than two dimensions, and for a centre that
/// is not a node; ShapeError for a factor that is not [components, rows, n] with a component.
DiskPoints disk_points(const HalfSpacePoints& points, std::int32_t centre);

}  // namespace mct::embed
