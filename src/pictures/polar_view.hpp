// The plane by distance: a point lies as far from the middle as it is in the metric.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mctensor/pictures/disk.hpp"

namespace mct::embed {

/// Seen from the middle of the disk. Distances are as exact as the gaps of DiskPoints, wherever the
/// points are; infinite where the gap is 0.
struct PolarPoints {
  std::vector<double> distance, angle;

  std::size_t size() const { return distance.size(); }
};
PolarPoints polar_points(const DiskPoints& points);

/// Directions, spread: a share `spread` of the circle is divided equally among the nodes, in their
/// order, and the rest as directions are. Grows with the angle, and by 2 pi in a turn. Nodes keep
/// their directions in the mean, so that nothing jumps where the angle does, from pi to -pi.
class SpreadAngles {
 public:
  SpreadAngles(const std::vector<double>& angles, double spread);
  double operator()(double angle) const;

 private:
  double spread_;
  std::vector<double> from_, to_;  // equal angles of the nodes, at each direction that nodes have
};

/// The plane in a disk of radius 1: distances in units of `reach`, which is usual_reach, directions
/// spread. What is farther lies at the edge.
class PolarView {
 public:
  /// `drawn`: the nodes among which directions are spread; empty: all.
  PolarView(const DiskPoints& nodes, double spread, const std::vector<std::int32_t>& drawn = {});

  double reach() const { return reach_; }
  /// Of points of the disk, with the same middle. gap: how large things are there, by which
  /// prominence() shrinks them: 1 in the middle, 0.16 at the edge.
  DiskPoints of(const DiskPoints& points) const { return placed(polar_points(points)); }
  /// Of the nodes.
  DiskPoints of_nodes() const { return placed(nodes_); }
  /// Places on the geodesic from node a to node b, both ends among them.
  DiskPoints geodesic(std::size_t a, std::size_t b) const;

 private:
  DiskPoints placed(const PolarPoints& polar) const;
  void add(DiskPoints& to, double distance, double spread_angle) const;

  PolarPoints nodes_;
  double reach_;
  SpreadAngles spread_;
};

/// A reach with which nearly all distances can be told apart: the largest, but no more than 1.5
/// times that of which 90 % are no larger.
double usual_reach(const std::vector<double>& distances);

/// 1, 2 or 5 times a power of ten, of which at least three and at most seven fit into `reach`.
double ring_step(double reach);

}  // namespace mct::embed
