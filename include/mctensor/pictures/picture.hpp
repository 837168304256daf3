// Pictures of embeddings in the Poincaré disk: SVG files, and pages in which the disk moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

struct PictureOptions {
  /// The node in the middle of the disk. -1: the root of the largest tree of the edges, or without
  /// edges the one in the middle of all (central_node).
  std::int32_t centre = -1;
  int labels = 80;   ///< at most so many, of an SVG
  int size = 1000;   ///< width of an SVG, 200 to 10000 pixels
  int subtrees = 8;  ///< with colours of their own, 0 to most_subtrees

  /// The half-plane in an SVG instead of the disk: the part with all nodes, height and width by
  /// scales of their own, where edges are straight lines (as figure 2.9 of Yu 2024).
  bool half_plane = false;
  /// Behind an SVG: cones of points, in which their descendants should lie.
  std::optional<ConeSystem> cones = {};
  /// Whose cones; none: the subtrees' roots, or without edges the most prominent nodes.
  std::vector<std::int32_t> cone_nodes = {};

  /// Looking for basic edges, which may take long: of so many nodes they are known.
  std::function<void(std::size_t done)> progress = {};

  static constexpr int most_subtrees = 12;
};

/// How much of an embedding an SVG shows.
struct DrawnCounts {
  std::size_t nodes = 0, edges = 0, labels = 0;
};

/// Writes an SVG: the disk, the edges as geodesics, the nodes with their names as tooltips, labels
/// beside those that matter, and a legend of the subtrees. The more nodes are below one and the
/// nearer it is to the middle, the larger it is and the sooner it has a label, those of the legend
/// first; labels do not overlap. Nodes that would be drawn on others and edges too short to be seen
/// are left out, which bounds the size of the file: some 4 MB at 1000 pixels, however many nodes
/// there are. Cones are filled up to their edges, which are exact to a tenth of a pixel; points in
/// the light have none.
///
/// Edges are found by name; a hierarchy is drawn by its basic edges. A graph without nodes: points
/// alone. Throws DomainError for an embedding that disk_points refuses, for edges of nodes that the
/// embedding has not, naming the first, and for options that are out of range or cones of another
/// space; IoError if the file cannot be written, which is replaced as a whole.
DrawnCounts write_disk_svg(const std::filesystem::path& path, const Embedding& embedding,
                           const Graph& edges = {}, const PictureOptions& options = {});

/// Writes one HTML page that needs no other file and no network: dragging moves the disk by
/// isometries, a search box finds a node and flies there, a click brings a node to the middle. The
/// page has all digits of the points and computes with them, so that it shows the surroundings of
/// every node, however far from the origin: 4/3 of 29 bytes a node with two components, and names.
/// Errors as write_disk_svg; labels, size, half_plane and cones have no meaning here.
void write_disk_page(const std::filesystem::path& path, const Embedding& embedding,
                     const Graph& edges = {}, const PictureOptions& options = {});

}  // namespace mct::embed
