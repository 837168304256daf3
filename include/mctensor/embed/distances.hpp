// Distances between the nodes of an embedding, and the nodes nearest to a node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mctensor/embed/embedding.hpp"

namespace mct::embed {

/// The distance of nodes a[i] and b[i] for every i. A distance is the radius times the root of the
/// sum of the squared distances in all factors. Error as geometry::half_space_dist. Throws
/// ShapeError for lists of different lengths, for numbers that are not nodes and for points without
/// factors.
std::vector<double> distances(const HalfSpacePoints& points, const std::vector<std::int32_t>& a,
                              const std::vector<std::int32_t>& b);

/// The distance from a node to every node, itself included. Throws ShapeError as distances() does.
std::vector<double> distances_from(const HalfSpacePoints& points, std::int32_t node);

struct NodeDistance {
  std::int32_t node;
  double distance;
};

/// The `count` nodes nearest to `node`, or all other nodes if there are fewer. They are sorted by
/// distance, and equally near nodes by their numbers. Nodes whose distance is NaN, because a point
/// has a NaN, come last. Throws ShapeError as distances() does.
std::vector<NodeDistance> nearest(const HalfSpacePoints& points, std::int32_t node,
                                  std::size_t count);

/// The medoid: the node with the smallest sum of distances to all others. In a good embedding of a
/// hierarchy it is a root or next to one. If there are more than `sample` nodes, the sums are over
/// a sample of nodes that is drawn with the seed, but every node is a candidate. Of nodes with
/// equal sums the first is taken. Points with a NaN are left out. Throws DomainError if there are
/// no nodes, for a sample of 0, and if the sample has only points with a NaN.
std::int32_t central_node(const HalfSpacePoints& points, std::size_t sample = 256,
                          std::uint64_t seed = 0);

}  // namespace mct::embed
