// Pictures as SVG: one panel or two, and a legend.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/markup.hpp"
#include "mctensor/embed/distances.hpp"
#include "src/pictures/disk_panel.hpp"
#include "src/pictures/drawing.hpp"
#include "src/pictures/svg_text.hpp"

namespace mct::embed {
namespace {

constexpr double legend_text = 13;
constexpr double legend_row = 22;

/// The subtrees in rows below the panels. `bottom`: where they begin, and then end.
std::string legend(const Embedding& embedding, const Drawing& drawing, double page_width,
                   double& bottom) {
  std::string out;
  if (drawing.subtrees.empty()) return out;
  add(out, "<g font-size=\"", legend_text, "\" fill=\"#1d2126\">\n");
  double left = DiskPanel::margin;
  double row = bottom + legend_text;
  for (std::size_t k = 0; k < drawing.subtrees.size(); ++k) {
    const std::int32_t root = drawing.subtrees[k];
    const std::string size = std::to_string(drawing.forest.size[std::size_t(root)]);
    const double name = text_slack * text_width(embedding.name(root), legend_text);
    const double width = 17 + name + 5 + text_width(size, legend_text) + 20;
    if (left > DiskPanel::margin && left + width > page_width - DiskPanel::margin) {
      left = DiskPanel::margin;
      row += legend_row;
    }
    add(out, "<circle cx=\"", left + 6, "\" cy=\"", row - 4.5, "\" r=\"5.5\" fill=\"",
        palette().light[k + 1], "\"/><text class=\"legend\" x=\"", left + 17, "\" y=\"", row,
        "\" textLength=\"", name, "\" lengthAdjust=\"spacingAndGlyphs\">",
        escaped(embedding.name(root)), "</text><text class=\"legend\" x=\"", left + 17 + name + 5,
        "\" y=\"", row, "\" fill=\"#5b636d\">", size, "</text>\n");
    left += width;
  }
  bottom = row + DiskPanel::margin;
  return out + "</g>\n";
}

/// What a second panel by distance shows: the node, what is below and above it; of a leaf, its
/// parent with all that is below that. Without edges, the nearest nodes.
std::vector<std::int32_t> nodes_beside(const Drawing& drawing, std::int32_t node) {
  constexpr std::size_t most_near = 40;
  const auto& forest = drawing.forest;
  std::vector<std::int32_t> drawn;
  if (drawing.edges.edge_count() == 0) {
    for (const auto& near : nearest(drawing.points, node, most_near)) drawn.push_back(near.node);
    drawn.push_back(node);
    return drawn;
  }
  const std::int32_t parent = forest.parent[std::size_t(node)];
  const std::int32_t top = forest.size[std::size_t(node)] == 1 && parent >= 0 ? parent : node;
  for (std::int32_t above = forest.parent[std::size_t(top)]; above >= 0;
       above = forest.parent[std::size_t(above)])
    drawn.push_back(above);
  std::vector<bool> below(forest.parent.size(), false);
  below[std::size_t(top)] = true;
  for (const std::int32_t other : forest.order) {
    const std::int32_t its_parent = forest.parent[std::size_t(other)];
    if (its_parent >= 0 && below[std::size_t(its_parent)]) below[std::size_t(other)] = true;
    if (below[std::size_t(other)]) drawn.push_back(other);
  }
  return drawn;
}

std::string_view kind_text(const PictureOptions& options) {
  if (options.half_plane) return " in the half-plane";
  return options.radial == RadialScale::distance ? " in the hyperbolic plane, by distance"
                                                 : " in the Poincar\xC3\xA9 disk";
}

std::string_view edges_text(const PictureOptions& options) {
  if (options.half_plane) return "; edges are straight, height and width have scales of their own.";
  if (options.radial == RadialScale::disk) return "; edges are geodesics.";
  return options.spread == 0
             ? "; edges are geodesics, the circles have these distances from the middle."
             : "; edges are geodesics, the circles have these distances from the middle, and "
               "directions are spread.";
}

std::string picture(const Embedding& embedding, const Drawing& drawing,
                    const PictureOptions& options, DrawnCounts& counts) {
  std::vector<DiskPanel> panels;
  panels.emplace_back(embedding, drawing, options, drawing.centre, 0.0,
                      std::vector<std::int32_t>());
  const bool two = options.beside >= 0;
  if (two) {
    const bool by_distance = options.radial == RadialScale::distance;
    panels.emplace_back(
        embedding, drawing, options, options.beside, double(options.size),
        by_distance ? nodes_beside(drawing, options.beside) : std::vector<std::int32_t>());
  }
  std::string drawn;
  for (DiskPanel& panel : panels) {
    drawn += panel.svg();
    counts.nodes += panel.counts().nodes;
    counts.edges += panel.counts().edges;
    counts.labels += panel.counts().labels;
  }
  const double width = double(panels.size()) * options.size;
  double bottom = panels[0].bottom();
  const std::string legend_part = legend(embedding, drawing, width, bottom);
  std::string name = escaped(embedding.name(drawing.centre));
  if (two) name += " and " + escaped(embedding.name(options.beside));
  std::string out;
  add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", width, " ", bottom,
      "\" width=\"", width, "\" height=\"", bottom,
      "\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
      "<title>",
      name, kind_text(options), "</title>\n<desc>", std::to_string(panels[0].counts().nodes),
      " of ", std::to_string(embedding.size()), " nodes and ",
      std::to_string(panels[0].counts().edges), " of ", std::to_string(drawing.edges.edge_count()),
      " edges of an embedding in the hyperbolic plane, seen from ",
      escaped(embedding.name(drawing.centre)), edges_text(options),
      "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  add(out, drawn, legend_part, "</svg>\n");
  return out;
}

}  // namespace

DrawnCounts write_disk_svg(const std::filesystem::path& path, const Embedding& embedding,
                           const Graph& edges, const PictureOptions& options) {
  const Drawing drawing = make_drawing(embedding, edges, options);
  DrawnCounts counts;
  write_file_atomically(path, picture(embedding, drawing, options, counts));
  return counts;
}

}  // namespace mct::embed
