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

/// How far from the middle of a picture a node is drawn.
enum class RadialScale {
  distance,  ///< in proportion to its distance from the node in the middle
  disk,      ///< as in the Poincaré disk: some exp(-distance) from the edge, where most nodes lie
};
inline constexpr Names<RadialScale, 2> radial_scale_names{
    {{RadialScale::distance, "distance"}, {RadialScale::disk, "disk"}}};

struct PictureOptions {
  /// The node in the middle of the disk. -1 with edges: the root of the largest tree of the edges.
  /// -1 without edges: the node in the middle of all (central_node).
  std::int32_t centre = -1;
  int labels = 80;    ///< the largest number of labels in a panel of an SVG
  int size = 1000;    ///< width of a panel of an SVG, 200 to 10000 pixels
  int subtrees = 12;  ///< subtrees with their own colours, 0 to most_subtrees

  RadialScale radial = RadialScale::distance;
  /// For RadialScale::distance only, 0 to 1. 0: each node lies in the direction in which its
  /// geodesic leaves the middle. 1: every node gets an equal share of the circle, in the order of
  /// these directions. Between: the mean of both angles, where the second has this weight.
  double spread = 0.5;
  /// The node in the middle of a second panel of an SVG, to the right of the first; -1: no second
  /// panel. By distance, this panel shows the nodes below and above the node; for a leaf, the nodes
  /// below and above its parent; without edges, the nearest nodes. In the disk it shows all nodes.
  std::int32_t beside = -1;

  /// True: an SVG shows the half-plane instead of the disk. It shows the part with all nodes, with
  /// separate scales for height and width, and draws edges as straight lines (as figure 2.9 of Yu
  /// 2024). A second panel is not possible.
  bool half_plane = false;
  /// The cones in an SVG, drawn after the points; the descendants of a node should lie in its cone.
  /// Cones of a moved light cannot be drawn in the half-plane.
  std::optional<ConeSystem> cones = {};
  /// The nodes whose cones are drawn. Empty: the roots of the subtrees, or without edges the most
  /// prominent nodes.
  std::vector<std::int32_t> cone_nodes = {};

  /// Called during the search for basic edges. `done` is the number of nodes whose basic edges are
  /// known.
  std::function<void(std::size_t done)> progress = {};

  static constexpr int most_subtrees = 24;
};

/// What an SVG shows, in all panels together.
struct DrawnCounts {
  std::size_t nodes = 0, edges = 0, labels = 0;
};

/// Writes an SVG: the disk, the edges as geodesics, the nodes with their names as tooltips, labels
/// beside important nodes, and a legend of the subtrees. A node with more nodes below it, or nearer
/// to the middle, is larger and gets a label first; nodes of the legend come before all others.
/// Labels do not overlap. Nodes that others hide and edges too short to be visible are left out.
/// This limits the size of the file: some 9 MB for each panel of 1000 pixels (4 MB in the disk),
/// for any number of nodes. By distance, circles show the scale. The edge of the picture is at most
/// 1.5 times as far as 90 % of the nodes lie; nodes beyond it are drawn at the edge. Cones are
/// filled up to their edges, which are exact to a tenth of a pixel; points in the light have no
/// cone.
///
/// The names of nodes connect edges and points. For a hierarchy the basic edges are drawn, for a
/// graph without nodes the points only. Throws DomainError if disk_points does not take the
/// embedding, for cones of another space, and for options that are out of range or exclude each
/// other. Throws DomainError if an edge has a node that the embedding lacks; the message names the
/// first such node. Throws IoError if the file cannot be written. The file is replaced as a whole.
DrawnCounts write_disk_svg(const std::filesystem::path& path, const Embedding& embedding,
                           const Graph& edges = {}, const PictureOptions& options = {});

/// Writes one HTML page that needs no other file and no network. Dragging moves the disk by
/// isometries, a search box finds a node and moves it to the middle, and so does a click on a node.
/// The page holds all digits of the points and computes with them, so that it shows the
/// surroundings of every node, however far from the origin. With two components a node takes 4/3 of
/// 29 bytes and its name. A button changes the radial scale; options.radial is the first one.
/// Throws as write_disk_svg. The options labels, size, beside, half_plane and cones have no effect.
void write_disk_page(const std::filesystem::path& path, const Embedding& embedding,
                     const Graph& edges = {}, const PictureOptions& options = {});

}  // namespace mct::embed
