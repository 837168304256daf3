// The part of the plane that a picture shows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/pictures/disk.hpp"
#include "mctensor/pictures/picture.hpp"
#include "src/pictures/polar_view.hpp"

namespace mct::embed {

/// Points of the cones' model (half-space or ball of two dimensions) on the edge of the cone of u.
/// Both sides begin at u and end where the plane practically ends, some 25 radii of curvature
/// farther from the light; the side that turns to the left of the axis is the side with the larger
/// angle (ball) or the smaller horizontal coordinate, as the light sees it. `axis` goes between
/// them from u to as far.
struct ConeOutline {
  std::vector<std::array<double, 2>> left, axis, right;
};

/// The edge is where ConeRelation::contains, that is the half-aperture and the angle to the axis,
/// changes: found by bisection at each distance from the light, so that it is exact to the rounding
/// of these for every kind of cone. Nothing for a point that has no cone because it lies in the
/// light. Throws DomainError for other than two dimensions and as ConeSystem::check.
ConeOutline cone_outline(const ConeSystem& cones, const std::array<double, 2>& u);

/// The disk, the plane by distance or the part of the half-plane that has all nodes, in a square of
/// side 2 around the middle of the picture, seen from one of the nodes.
class PictureView {
 public:
  /// `drawn`: by distance, the nodes among which directions are spread; empty: all.
  PictureView(const HalfSpacePoints& points, std::int32_t centre, const PictureOptions& options,
              const std::vector<std::int32_t>& drawn = {});

  /// Of points [components, rows, 2], seen from row `centre`, the node of this view. gap: 1 in the
  /// half-plane, which has no middle; by distance as PolarView::of.
  DiskPoints of(const HalfSpacePoints& points, std::int32_t centre) const;
  /// Of the points of this view, the nodes.
  const DiskPoints& nodes() const { return nodes_; }

  bool is_half_plane() const { return half_plane_; }
  /// By distance; nullptr for the others.
  const PolarView* polar() const { return polar_ ? &*polar_ : nullptr; }

 private:
  DiskPoints in_square(HalfPlanePoints plane) const;

  bool half_plane_;
  std::optional<PolarView> polar_;
  double left_ = 0, bottom_ = 0, width_ = 1, height_ = 1;
  DiskPoints nodes_;
};

/// The edge of a cone in a picture.
struct ConeEdge {
  DiskPoints left, axis, right;  ///< each beginning at the apex

  bool empty() const { return left.size() == 0; }
};

/// The edge of the cone of a node: the points of cone_outline through the same conversions as those
/// of the embedding. Empty for a node without a cone. Throws DomainError as cone_outline.
ConeEdge cone_edge(const PictureView& view, const Embedding& embedding, const ConeSystem& cones,
                   std::int32_t node, std::int32_t centre);

/// Numbers of the points after the first, the last among them, such that the lines between these
/// and the first pass all others within `tolerance`.
std::vector<std::size_t> kept_points(const DiskPoints& points, double tolerance);

}  // namespace mct::embed
