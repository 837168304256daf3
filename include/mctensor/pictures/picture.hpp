// Pictures of embeddings in the Poincaré disk: SVG files, and pages in which the disk moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "mctensor/base/names.hpp"
#include "mctensor/embed/cone_evaluation.hpp"
#include "mctensor/embed/embedding.hpp"
#include "mctensor/graph/graph.hpp"

namespace mct::embed {

/// How far from the middle of a picture a point is drawn.
enum class RadialScale {
  distance,  ///< in proportion to its distance from the node there
  disk,      ///< as in the Poincaré disk: some exp(-distance) from the edge, where most nodes lie
};
inline constexpr Names<RadialScale, 2> radial_scale_names{
    {{RadialScale::distance, "distance"}, {RadialScale::disk, "disk"}}};

struct PictureOptions {
  /// The node in the middle of the disk. -1: the root of the largest tree of the edges, or, without
  /// edges, the node in the middle of all (central_node).
  std::int32_t centre = -1;
  int labels = 80;    ///< the largest number of labels in a panel of an SVG
  int size = 1000;    ///< width of a panel of an SVG, 200 to 10000 pixels
  int subtrees = 12;  ///< subtrees with their own colours, 0 to most_subtrees

  RadialScale radial = RadialScale::distance;
  /// With RadialScale::distance, how much equal angles replace the directions of the nodes, 0 to 1.
  /// 0: each node lies in the direction in which its geodesic leaves the middle. 1: every node has
  /// an equal share of the circle, in the order of directions. Between: the mean of both with this
  /// weight.
  double spread = 0.5;
  /// A second panel of an SVG, at the right of the first, with this node in the middle. In a
  /// picture by distance it shows the nodes below and above this node (for a leaf, the nodes below
  /// its parent; without edges, the nearest nodes); in the disk it shows everything. -1: no second
  /// panel.
  std::int32_t beside = -1;

  /// Draw the half-plane in an SVG instead of the disk: the part with all nodes, with separate
  /// scales for height and width, and with straight lines as edges (as figure 2.9 of Yu 2024).
  bool half_plane = false;
  /// Cones after the points of an SVG, in which their descendants should lie. Cones of a moved
  /// light are drawn on the disk alone.
  std::optional<ConeSystem> cones = {};
  /// The nodes whose cones are drawn. Empty: the subtrees' roots, or without edges the most
  /// prominent nodes.
  std::vector<std::int32_t> cone_nodes = {};

  /// Called during the search for basic edges, with the number of nodes whose basic edges are
  /// known.
  std::function<void(std::size_t done)> progress = {};

  static constexpr int most_subtrees = 24;
};

/// How much of an embedding an SVG shows, in all panels.
struct DrawnCounts {
  std::size_t nodes = 0, edges = 0, labels = 0;
};

/// Writes an SVG: the disk, the edges as geodesics, the nodes with their names as tooltips, labels
/// beside important nodes, and a legend of the subtrees. A node with more nodes below it, or nearer
/// to the middle, is larger and gets a label first; nodes of the legend come before all others.
/// Labels do not overlap. Nodes hidden by others and edges too short to be seen are left out, which
/// bounds the size of the file: some 9 MB for each panel of 1000 pixels (4 MB in the disk), for any
/// number of nodes. By distance, circles show the scale; up to a tenth of the nodes may lie more
/// than 1.5 times as far as the others, and are then drawn at the edge. Cones are filled up to
/// their edges, which are exact to a tenth of a pixel; points in the light have no cone.
///
/// Edges are found by the names of nodes; for a hierarchy the basic edges are drawn. If the graph
/// has no nodes, only points are drawn. Throws DomainError for an embedding that disk_points
/// refuses, for edges of nodes that the embedding does not have (the error names the first), for
/// options out of range and for cones of another space; IoError if the file cannot be written. The
/// file is replaced as a whole.
DrawnCounts write_disk_svg(const std::filesystem::path& path, const Embedding& embedding,
                           const Graph& edges = {}, const PictureOptions& options = {});

/// Writes one HTML page that needs no other file and no network: dragging moves the disk by
/// isometries, a search box finds a node and flies there, a click brings a node to the middle. The
/// page holds all digits of the points and computes with them, so it shows the surroundings of
/// every node, however far from the origin. With two components a node takes 4/3 of 29 bytes and
/// its name. A button changes the radial scale; the option says which one comes first. Errors as
/// write_disk_svg. The options labels, size, beside, half_plane and cones are not used.
void write_disk_page(const std::filesystem::path& path, const Embedding& embedding,
                     const Graph& edges = {}, const PictureOptions& options = {});

}  // namespace mct::embed
