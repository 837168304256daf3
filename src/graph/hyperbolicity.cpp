// Gromov's delta of a sample of nodes.
#include <algorithm>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/graph/statistics.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "src/graph/draws.hpp"

namespace mct::embed {
namespace {

constexpr std::size_t most_sampled = 500;

/// Edges from a node to every other; the graph is connected.
std::vector<std::int32_t> distances_from(const Adjacency& around, std::int32_t start) {
  std::vector<std::int32_t> distance(around.size(), -1);
  std::vector<std::int32_t> open = {start};
  open.reserve(around.size());
  distance[std::size_t(start)] = 0;
  for (std::size_t next = 0; next < open.size(); ++next)
    for (const std::int32_t to : around[open[next]])
      if (std::int32_t& d = distance[std::size_t(to)]; d < 0) {
        d = distance[std::size_t(open[next])] + 1;
        open.push_back(to);
      }
  return distance;
}

/// Distances between the nodes of a sample, and from them to any.
struct Distances {
  std::size_t size = 0;
  std::vector<std::int32_t> between;  // size x size
  std::int32_t longest = 0;

  std::int64_t operator()(std::size_t a, std::size_t b) const { return between[a * size + b]; }
};

Distances distances_of(const Adjacency& around, const std::vector<std::int32_t>& sample,
                       const std::function<void(std::size_t)>& progress) {
  const std::size_t size = sample.size();
  Distances result{size, std::vector<std::int32_t>(size * size), 0};
  std::vector<std::int32_t> longest(size, 0);
  std::atomic<std::size_t> done{0};
  const double cost = double(size) * double(around.size());
  parallel_for(std::int64_t(size), cost, [&](std::int64_t begin, std::int64_t end) {
    for (auto i = std::size_t(begin); i < std::size_t(end); ++i) {
      const std::vector<std::int32_t> distance = distances_from(around, sample[i]);
      longest[i] = *std::max_element(distance.begin(), distance.end());
      for (std::size_t k = 0; k < size; ++k)
        result.between[i * size + k] = distance[std::size_t(sample[k])];
      if (progress) progress(++done);
    }
  });
  result.longest = *std::max_element(longest.begin(), longest.end());
  return result;
}

/// Twice delta: the larger two of the three sums, subtracted.
std::int64_t twice_delta(const Distances& d, std::size_t a, std::size_t b, std::size_t c,
                         std::size_t e) {
  const std::int64_t x = d(a, b) + d(c, e);
  const std::int64_t y = d(a, c) + d(b, e);
  const std::int64_t z = d(a, e) + d(b, c);
  const std::int64_t most = std::max(std::max(x, y), z);
  const std::int64_t least = std::min(std::min(x, y), z);
  return 2 * most + least - (x + y + z);
}

}  // namespace

Hyperbolicity hyperbolicity(const Graph& graph, const HyperbolicityOptions& options) {
  if (options.nodes > most_sampled)
    throw DomainError("hyperbolicity: a sample of " + std::to_string(options.nodes) +
                      " nodes; at most " + std::to_string(most_sampled) + " are possible");
  Hyperbolicity result;
  const Graph connected = largest_component(graph);
  result.of_nodes = connected.node_count();
  const auto sample = sampled(connected.node_count(), options.nodes, options.seed);
  result.nodes = sample.size();
  if (sample.empty()) return result;
  const Distances d = distances_of(neighbours(connected), sample, options.progress);
  result.diameter = d.longest;
  std::int64_t largest = 0;
  std::uint64_t sum = 0;
  for (std::size_t a = 0; a < sample.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (std::size_t c = 0; c < b; ++c)
        for (std::size_t e = 0; e < c; ++e) {
          const std::int64_t twice = twice_delta(d, a, b, c, e);
          largest = std::max(largest, twice);
          sum += std::uint64_t(twice);
          ++result.quadruples;
        }
  result.largest = double(largest) / 2;
  if (result.quadruples > 0) result.mean = double(sum) / 2 / double(result.quadruples);
  return result;
}

}  // namespace mct::embed
