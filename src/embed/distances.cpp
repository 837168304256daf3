// Distances between nodes, a factor at a time.
#include "mctensor/embed/distances.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "mctensor/error.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

using Index = Tensor<std::int64_t>;

Index index_of(const std::vector<std::int32_t>& nodes) {
  return Index::from_values(std::vector<std::int64_t>(nodes.begin(), nodes.end()));
}

std::vector<std::int32_t> all_nodes(const HalfSpacePoints& points) {
  std::vector<std::int32_t> nodes(points.size());
  std::iota(nodes.begin(), nodes.end(), 0);
  return nodes;
}

std::vector<double> distances(const HalfSpacePoints& points, const Index& a, const Index& b) {
  if (points.factors.empty())
    throw ShapeError("distances: points of 0 factors, expected at least 1");
  if (points.factors.size() == 1)
    return geometry::half_space_dist(points.factors[0], a, b, points.radius).values();
  std::vector<double> sum(std::size_t(a.numel()), 0);
  for (const auto& factor : points.factors) {
    const auto d = geometry::half_space_dist(factor, a, b, points.radius);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = std::hypot(sum[i], d.data()[i]);
  }
  return sum;
}

/// Nearer ones first, those without a distance last; of equals the lower number.
bool is_nearer(const NodeDistance& x, const NodeDistance& y) {
  const bool has_none = std::isnan(x.distance);
  if (has_none != std::isnan(y.distance)) return !has_none;
  return x.distance < y.distance || (!(y.distance < x.distance) && x.node < y.node);
}

}  // namespace

std::vector<double> distances(const HalfSpacePoints& points, const std::vector<std::int32_t>& a,
                              const std::vector<std::int32_t>& b) {
  return distances(points, index_of(a), index_of(b));
}

std::vector<double> distances_from(const HalfSpacePoints& points, std::int32_t node) {
  return distances(points, std::vector<std::int32_t>(points.size(), node), all_nodes(points));
}

std::vector<NodeDistance> nearest(const HalfSpacePoints& points, std::int32_t node,
                                  std::size_t count) {
  const std::vector<double> d = distances_from(points, node);
  std::vector<NodeDistance> others;
  for (std::size_t v = 0; v < d.size(); ++v)
    if (std::int32_t(v) != node) others.push_back({std::int32_t(v), d[v]});
  count = std::min(count, others.size());
  std::partial_sort(others.begin(), others.begin() + std::ptrdiff_t(count), others.end(),
                    is_nearer);
  others.resize(count);
  return others;
}

std::int32_t central_node(const HalfSpacePoints& points, std::size_t sample, std::uint64_t seed) {
  if (points.size() == 0 || sample == 0)
    throw DomainError("central_node: " + std::to_string(points.size()) + " points, a sample of " +
                      std::to_string(sample));
  std::vector<NodeDistance> sums;
  for (const std::int32_t node : all_nodes(points)) sums.push_back({node, 0});
  bool has_distances = false;
  for (const std::int32_t node : sampled(points.size(), sample, seed)) {
    const std::vector<double> d = distances_from(points, node);
    if (std::isnan(d[std::size_t(node)]))
      continue;  // its point has a NaN: no distance tells anything
    has_distances = true;
    for (std::size_t v = 0; v < sums.size(); ++v) sums[v].distance += d[v];
  }
  if (!has_distances) throw DomainError("central_node: each point of the sample has a NaN");
  return std::min_element(sums.begin(), sums.end(), is_nearer)->node;
}

}  // namespace mct::embed
