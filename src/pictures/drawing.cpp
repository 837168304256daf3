// The parts that pictures of an embedding have in common: its edges, its trees, its colours.
#include "src/pictures/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/embed/distances.hpp"
#include "mctensor/error.hpp"
#include "mctensor/graph/closure.hpp"
#include "mctensor/graph/components.hpp"

namespace mct::embed {
namespace {

void check_options(const PictureOptions& options, const Embedding& embedding) {
  const std::size_t nodes = embedding.size();
  const auto check = [](const char* what, int value, int from, int to) {
    if (value < from || value > to)
      throw DomainError("picture: " + std::to_string(value) + " " + what + ", expected " +
                        std::to_string(from) + " to " + std::to_string(to));
  };
  check("labels", options.labels, 0, 100'000);
  check("pixels", options.size, 200, 10'000);
  check("subtrees", options.subtrees, 0, PictureOptions::most_subtrees);
  if (!(options.spread >= 0 && options.spread <= 1))
    throw DomainError("picture: spread " + number_text(options.spread) + ", expected 0 to 1");
  if (nodes == 0) throw DomainError("picture: the embedding has no nodes");
  const auto check_node = [&](const char* what, std::int32_t node) {
    if (node < -1 || node >= std::int64_t(nodes))
      throw DomainError("picture: " + std::string(what) + " " + std::to_string(node) +
                        " is not a node; the embedding has " + std::to_string(nodes) +
                        " nodes, counted from 0");
  };
  check_node("centre", options.centre);
  check_node("beside", options.beside);
  if (options.half_plane && options.beside >= 0)
    throw DomainError(
        "picture: a second panel (beside) is drawn with the disk only, not with the half-plane");
  for (const std::int32_t node : options.cone_nodes)
    if (node < 0 || node >= std::int64_t(nodes))
      throw DomainError("picture: the cone of node " + std::to_string(node) +
                        " cannot be drawn; the embedding has " + std::to_string(nodes) +
                        " nodes, counted from 0");
  if (options.cones && cones_in(embedding.space(), options.cones->kind, options.cones->size,
                                options.cones->light) != *options.cones)
    throw DomainError("picture: " + options.cones->text() + " do not exist in " +
                      embedding.space().text());
  if (options.half_plane && options.cones && !options.cones->light.empty())
    throw DomainError("picture: " + options.cones->text() +
                      " can be drawn on the disk only, not on the half-plane");
}

/// The same edges by the numbers of the embedding.
Graph edges_of(const Embedding& embedding, const Graph& graph) {
  try {
    return renumbered(graph, embedding.names());
  } catch (const DomainError& error) {
    throw DomainError(std::string("picture: the edges: ") + error.what());
  }
}

/// The basic edges of a hierarchy, or all edges of a graph with cycles.
Graph drawn_edges(const Graph& graph, const PictureOptions& options) {
  if (find_cycles(graph).components > 0) return graph;
  return edges_where(graph, basic_edges(graph, options.progress));
}

bool larger(const SpanningForest& forest, std::int32_t a, std::int32_t b) {
  const auto sizes = std::pair(forest.size[std::size_t(a)], forest.size[std::size_t(b)]);
  return sizes.first != sizes.second ? sizes.first > sizes.second : a < b;
}

/// Roots of disjoint subtrees that divide the nodes well: beginning with the roots of the forest,
/// the largest is replaced by its children until there are enough; the largest `count` stay.
std::vector<std::int32_t> large_subtrees(const Graph& edges, const SpanningForest& forest,
                                         int count) {
  std::vector<std::int32_t> chosen;
  if (count == 0 || edges.edge_count() == 0) return chosen;
  const auto by_size = [&](std::int32_t a, std::int32_t b) { return larger(forest, b, a); };
  for (std::size_t v = 0; v < forest.parent.size(); ++v)
    if (forest.parent[v] < 0 && forest.size[v] > 1) chosen.push_back(std::int32_t(v));
  const Adjacency below = predecessors(edges);
  std::make_heap(chosen.begin(), chosen.end(), by_size);
  while (!chosen.empty() && chosen.size() < std::size_t(count)) {
    const std::int32_t largest = chosen.front();
    std::pop_heap(chosen.begin(), chosen.end(), by_size);
    chosen.pop_back();
    bool divided = false;
    for (const std::int32_t child : below[largest]) {
      if (forest.parent[std::size_t(child)] != largest || forest.size[std::size_t(child)] < 2)
        continue;
      chosen.push_back(child);
      std::push_heap(chosen.begin(), chosen.end(), by_size);
      divided = true;
    }
    if (divided) continue;
    chosen.push_back(largest);  // all are stars
    break;
  }
  std::sort(chosen.begin(), chosen.end(),
            [&](std::int32_t a, std::int32_t b) { return larger(forest, a, b); });
  if (chosen.size() > std::size_t(count)) chosen.resize(std::size_t(count));
  return chosen;
}

std::vector<std::uint8_t> colours(const SpanningForest& forest,
                                  const std::vector<std::int32_t>& subtrees) {
  std::vector<std::uint8_t> colour(forest.order.size(), 0);
  for (std::size_t k = 0; k < subtrees.size(); ++k)
    colour[std::size_t(subtrees[k])] = std::uint8_t(k + 1);
  for (const std::int32_t node : forest.order) {
    const std::int32_t parent = forest.parent[std::size_t(node)];
    if (parent >= 0 && colour[std::size_t(node)] == 0)
      colour[std::size_t(node)] = colour[std::size_t(parent)];
  }
  return colour;
}

/// The node in the middle: as named, else the root of the largest tree, else the one nearest to all
/// others, which takes by far the longest to find.
std::int32_t centre_of(const Drawing& drawing, const PictureOptions& options) {
  if (options.centre >= 0) return options.centre;
  if (drawing.edges.edge_count() == 0) return central_node(drawing.points);
  const auto& order = drawing.forest.order;
  return *std::min_element(order.begin(), order.end(),
                           [&](auto a, auto b) { return larger(drawing.forest, a, b); });
}

}  // namespace

Drawing make_drawing(const Embedding& embedding, const Graph& edges,
                     const PictureOptions& options) {
  check_options(options, embedding);
  Drawing drawing;
  drawing.points = embedding.half_space();
  drawing.edges = drawn_edges(edges_of(embedding, edges), options);
  drawing.forest = spanning_forest(drawing.edges);
  drawing.subtrees = large_subtrees(drawing.edges, drawing.forest, options.subtrees);
  drawing.colour = colours(drawing.forest, drawing.subtrees);
  drawing.centre = centre_of(drawing, options);
  return drawing;
}

const Palette& palette() {
  // the second dozen are shades of the first
  static constexpr Palette colours{
      {"#7a8088", "#0b62a8", "#c8500a", "#0a7f5f", "#8e4fa0", "#a87400", "#3f8fc7",
       "#a8325a", "#5a7d1f", "#5b5bd0", "#b0562f", "#128a8a", "#c04fa0", "#06365c",
       "#6e2c06", "#064634", "#4e2b58", "#5c4000", "#234f6d", "#5c1c32", "#324511",
       "#323272", "#612f1a", "#0a4c4c", "#6a2b58"},
      {"#8f969e", "#6cb2f0", "#f19a5b", "#4fc9a4", "#cf9be0", "#e3bd55", "#a5d4f2",
       "#ee8fa8", "#a9cf62", "#a3a3f5", "#e0a184", "#5fd3d3", "#ee96d2", "#b6d8f8",
       "#f8ccad", "#a7e4d2", "#e7cdf0", "#f1deaa", "#d2eaf8", "#f6c7d4", "#d4e7b0",
       "#d1d1fa", "#f0d0c2", "#afe9e9", "#f6cae8"}};
  return colours;
}

double prominence(double gap, std::int32_t subtree_size) {
  return std::sqrt(gap) * (0.25 + 0.75 * std::min(1.0, std::log2(double(subtree_size)) / 10));
}

}  // namespace mct::embed
