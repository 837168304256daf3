// Distances between the nodes of an embedding, and the nodes nearest to a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// The distance of nodes a[i] and b[i] for every i: the root of the sum of the squares of the
/// factors' distances, times the radius. Error as geometry::half_space_dist. Throws ShapeError for
/// lists of different lengths, for numbers that are not nodes and for points without factors.
std::vector<double> distances(const HalfSpacePoints& points, const std::vector<std::int32_t>& a,
                              const std::vector<std::int32_t>& b);

/// The distance from a node to every node, itself included. Throws ShapeError as distances().
std::vector<double> distances_from(const HalfSpacePoints& points, std::int32_t node);

struct NodeDistance {
  std::int32_t node;
  double distance;
};

/// The nodes nearest to `node`, nearest first (of equal distances the lower number), without
/// itself: `count` of them, or as many as there are. Nodes whose distance is NaN (because a point
/// has a NaN) come last. Throws ShapeError as distances().
std::vector<NodeDistance> nearest(const HalfSpacePoints& points, std::int32_t node,
                                  std::size_t count);

/// The node from which the sum of the distances to all others is smallest, the medoid: in a
/// hierarchy that is embedded well it is a root or next to one. For more than `sample` nodes the
/// sum is over a sample drawn with the seed, but every node is a candidate. Of equal nodes it takes
/// the first. Points with a NaN are left out. Throws DomainError without nodes, for a sample of 0,
/// and if the sample has only points with a NaN.
std::int32_t central_node(const HalfSpacePoints& points, std::size_t sample = 256,
                          std::uint64_t seed = 0);

}  // namespace mct::embed
