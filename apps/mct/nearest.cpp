// `mct nearest`: the nodes around a node.
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "apps/mct/command.hpp"
#include "apps/mct/edge_list.hpp"
#include "apps/mct/node_named.hpp"
#include "apps/mct/ranges.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::cli::nearest_command {
namespace {

using embed::Embedding;
using embed::HalfSpacePoints;
using embed::NodeDistance;

struct Arguments {
  std::string file, word;
  std::size_t count = 10;
  EdgeList edges;
};

/// All nodes, ordered by their distance from one node, which has the place 0.
class Places {
 public:
  Places(const HalfSpacePoints& points, std::int32_t node)
      : order_(nearest(points, node, points.size())), places_(points.size(), 0) {
    for (std::size_t i = 0; i < order_.size(); ++i) places_[std::size_t(order_[i].node)] = i + 1;
  }

  /// Nearest first.
  const std::vector<NodeDistance>& order() const { return order_; }
  std::size_t of(std::int32_t node) const { return places_[std::size_t(node)]; }

 private:
  std::vector<NodeDistance> order_;
  std::vector<std::size_t> places_;
};

/// The first `count` of the nodes for which keep(node) is true. Returns how many there are.
template <class Keep>
std::size_t print_nodes(const std::string& title, const Embedding& embedding, const Places& places,
                        const std::vector<NodeDistance>& order, std::size_t count,
                        const Keep& keep) {
  fmt::print("{}\n", title);
  std::size_t found = 0;
  for (const NodeDistance& other : order) {
    if (!keep(other.node) || ++found > count) continue;
    fmt::print("{:>7}  {:10.4f}  {}\n", places.of(other.node), other.distance,
               embedding.name(other.node));
  }
  if (found == 0) fmt::print("{:>7}\n", "none");
  return found;
}

/// 1 for every node to which an edge from `node` leads.
std::vector<std::uint8_t> reached(const embed::Adjacency& edges, std::int32_t node) {
  std::vector<std::uint8_t> seen(edges.size(), 0);
  std::vector<std::int32_t> open = {node};
  while (!open.empty()) {
    const std::int32_t at = open.back();
    open.pop_back();
    for (const std::int32_t next : edges[at]) {
      if (seen[std::size_t(next)] != 0) continue;
      seen[std::size_t(next)] = 1;
      open.push_back(next);
    }
  }
  return seen;
}

void print_by_graph(const Arguments& arguments, const Embedding& embedding, const Places& places,
                    std::int32_t node, const embed::Graph& graph) {
  const auto print = [&](const char* title, const embed::Adjacency& edges) {
    const auto nodes = reached(edges, node);
    const std::size_t found =
        print_nodes(title, embedding, places, places.order(), arguments.count,
                    [&](std::int32_t v) { return nodes[std::size_t(v)] != 0; });
    if (found > arguments.count) fmt::print("{:>7}  and {} more\n", "", found - arguments.count);
  };
  print("ancestors", successors(graph));
  print("descendants", predecessors(graph));
}

void print_likely(const Arguments& arguments, const Embedding& embedding, const Places& places,
                  std::int32_t node, const HalfSpacePoints& points) {
  const std::int32_t centre = central_node(points);
  if (centre == node) {
    fmt::print("'{}' is the most central node\n", arguments.word);
    return;
  }
  const std::vector<double> d = distances_from(points, centre);
  print_nodes(fmt::format("likely ancestors: nearer to the most central node, '{}'",
                          embedding.name(centre)),
              embedding, places, places.order(), arguments.count,
              [&](std::int32_t v) { return d[std::size_t(v)] < d[std::size_t(node)]; });
}

void run(const Arguments& arguments) {
  const Embedding embedding = Embedding::load(arguments.file);
  const std::int32_t node = node_named(embedding, arguments.word);
  embed::Graph graph;
  if (!arguments.edges.file.empty())
    graph = load_graph(arguments.edges, embedding.names(), arguments.file);
  const HalfSpacePoints points = embedding.half_space();
  const Places places(points, node);
  fmt::print("  place    distance  from '{}' in {}\n", arguments.word, embedding.space().text());
  print_nodes("nearest", embedding, places, places.order(), arguments.count,
              [](std::int32_t) { return true; });
  if (arguments.edges.file.empty()) {
    print_likely(arguments, embedding, places, node, points);
  } else {
    print_by_graph(arguments, embedding, places, node, graph);
  }
}

void describe_nearest(CLI::App& command, Arguments& arguments) {
  command.description(
      "List the nodes nearest to one, its ancestors and its descendants, with their "
      "distances.\nExit code: 0 done, 2 bad usage, an unknown node or unusable input.");
  command.footer(
      "The place of a node is its number in the order of distances. With --edges ancestors and "
      "descendants are those of\nthe graph, over any number of edges. Without, likely ancestors "
      "are the nearest of the nodes that are nearer\nthan WORD to the most central node, from "
      "which the sum of distances is smallest (to 256 nodes that are drawn).\n\n"
      "Examples:\n"
      "  mct nearest mammals.safetensors dog.n.01\n"
      "  mct nearest mammals.safetensors dog.n.01 --edges data/wordnet_mammals.tsv --count 20");
  command.add_option("FILE", arguments.file, "The embedding (safetensors)")->required();
  command.add_option("WORD", arguments.word, "The name of the node")->required();
  command.add_option("--count", arguments.count, "List so many of each")->check(positive());
  add_edge_list(command, "--edges", arguments.edges);
}

const Command entry("nearest", describe_nearest, run);

}  // namespace
}  // namespace mct::cli::nearest_command
