// The Poincaré disk and the half-plane as SVG.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <numeric>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "mctensor/base/atomic_file.hpp"
#include "mctensor/base/markup.hpp"
#include "src/pictures/drawing.hpp"
#include "src/pictures/geodesic_arc.hpp"
#include "src/pictures/label_layout.hpp"
#include "src/pictures/picture_view.hpp"

namespace mct::embed {
namespace {

// The limits on the size of a file.
constexpr std::size_t most_drawn_nodes = 30'000;
constexpr std::size_t most_drawn_edges = 40'000;

constexpr double side_margin = 0.09;     // beside the disk, for labels, in parts of the width
constexpr double margin = 22;            // above and below it
constexpr double node_spacing = 0.7;     // of two nodes that are drawn, in pixels, roughly
constexpr double edge_spacing = 0.5;     // shorter edges, and others between such squares, are not
constexpr double least_bulge = 0.1;      // a flatter arc is drawn straight
constexpr double cone_tolerance = 0.05;  // of the lines that a cone's edge is drawn with
constexpr double least_dot = 0.8;        // radius of a node
constexpr double most_dot = 8;
constexpr double least_text = 10.5;  // font sizes
constexpr double most_text = 17;
constexpr double least_labelled = 0.006;  // prominence of a node with a label

constexpr double bold_slack = 1.12;
constexpr double text_slack = 1.05;  // other fonts are wider than Helvetica
constexpr double legend_text = 13;
constexpr double legend_row = 22;

/// With one decimal, none if it is 0.
void append(std::string& out, double value) {
  char text[32];
  const auto result =
      std::to_chars(text, text + sizeof text, value + 0.0, std::chars_format::fixed, 1);
  std::string_view digits(text, std::size_t(result.ptr - text));
  if (digits.ends_with(".0")) digits.remove_suffix(2);
  out += digits == "-0" ? "0" : digits;
}

void append(std::string& out, std::string_view text) { out += text; }

template <class... Parts>
void add(std::string& out, const Parts&... parts) {
  (append(out, parts), ...);
}

/// A square of the page as one number.
std::uint64_t square_at(double x, double y, double side) {
  return std::uint64_t(std::int64_t(std::floor(x / side)) + 1) << 32 |
         std::uint64_t(std::int64_t(std::floor(y / side)) + 1);
}

class DiskSvg {
 public:
  DiskSvg(const Embedding& embedding, const Drawing& drawing, const PictureOptions& options)
      : embedding_(embedding),
        drawing_(drawing),
        options_(options),
        view_(drawing.points, drawing.centre, options.half_plane),
        disk_(view_.of(drawing.points, drawing.centre)),
        radius_(options.size * (0.5 - side_margin)),
        order_(disk_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
      return prominence_of(a) > prominence_of(b);
    });
  }

  std::string text();
  const DrawnCounts& counts() const { return counts_; }

 private:
  double page_x(double x) const { return options_.size / 2.0 + radius_ * x; }
  double page_y(double y) const { return margin + radius_ * (1 - y); }
  double x(std::int32_t node) const { return page_x(disk_.x[std::size_t(node)]); }
  double y(std::int32_t node) const { return page_y(disk_.y[std::size_t(node)]); }
  double prominence_of(std::int32_t node) const {
    return prominence(disk_.gap[std::size_t(node)], drawing_.forest.size[std::size_t(node)]);
  }
  double dot(std::int32_t node) const {
    return least_dot + (most_dot - least_dot) * prominence_of(node);
  }
  std::string_view colour(std::size_t group) const { return palette().light[group]; }
  std::size_t groups() const { return drawing_.subtrees.size() + 1; }
  std::size_t group_of(std::int32_t node) const { return drawing_.colour[std::size_t(node)]; }

  std::string cones() const;
  std::string cone(std::int32_t node) const;
  std::string arc_along_the_disk(const ConeEdge& cone) const;
  std::string frame() const;
  std::vector<std::int32_t> cone_nodes() const;
  std::string edges();
  std::string edge(std::int32_t from, std::int32_t to) const;
  std::string nodes();
  std::string labels();
  std::string legend(double& bottom) const;

  const Embedding& embedding_;
  const Drawing& drawing_;
  const PictureOptions& options_;
  PictureView view_;
  DiskPoints disk_;
  double radius_;
  std::vector<std::int32_t> order_;  // the most prominent first
  DrawnCounts counts_;
};

std::vector<std::int32_t> DiskSvg::cone_nodes() const {
  constexpr std::size_t most_cones = 8;
  if (!options_.cone_nodes.empty()) return options_.cone_nodes;
  if (!drawing_.subtrees.empty()) return drawing_.subtrees;
  return {order_.begin(), order_.begin() + std::ptrdiff_t(std::min(most_cones, order_.size()))};
}

/// From the end of a cone's right side, past the end of its axis, to the end of its left side.
std::string DiskSvg::arc_along_the_disk(const ConeEdge& cone) const {
  const auto angle = [](const DiskPoints& p) { return std::atan2(p.y.back(), p.x.back()); };
  const auto turn = [](double from, double to) {  // against the clock, within 0 and 2 pi
    const double d = to - from;
    return d < 0 ? d + 2 * std::numbers::pi : d;
  };
  const double from = angle(cone.right);
  const double total = turn(from, angle(cone.left));
  const bool left_turn = turn(from, angle(cone.axis)) <= total;
  const bool large = (left_turn ? total : 2 * std::numbers::pi - total) > std::numbers::pi;
  std::string path;
  add(path, "A", radius_, " ", radius_, " 0 ", large ? "1 " : "0 ", left_turn ? "0 " : "1 ",
      page_x(cone.left.x.back()), " ", page_y(cone.left.y.back()));
  return path;
}

/// Down one side, along the edge of the disk or the ground, and back on the other side.
std::string DiskSvg::cone(std::int32_t node) const {
  const ConeEdge cone = cone_edge(view_, embedding_, *options_.cones, node, drawing_.centre);
  if (cone.empty()) return {};
  std::string path;
  add(path, "M", x(node), " ", y(node));
  const auto line_to = [&](const DiskPoints& side, std::size_t i) {
    add(path, "L", page_x(side.x[i]), " ", page_y(side.y[i]));
  };
  for (const std::size_t i : kept_points(cone.right, cone_tolerance / radius_))
    line_to(cone.right, i);
  if (!options_.half_plane) path += arc_along_the_disk(cone);
  const auto left = kept_points(cone.left, cone_tolerance / radius_);
  for (std::size_t k = left.size(); k-- > 0;) line_to(cone.left, left[k]);
  return path + "Z";
}

std::string DiskSvg::cones() const {
  if (!options_.cones) return {};
  std::string out = options_.half_plane ? "<g clip-path=\"url(#frame)\" " : "<g ";
  out += "fill-opacity=\".13\" stroke-width=\"1.3\" stroke-opacity=\".8\">\n";
  for (const std::int32_t node : cone_nodes()) {
    const std::string path = cone(node);
    if (path.empty()) continue;
    add(out, "<path class=\"cone\" fill=\"", colour(group_of(node)), "\" stroke=\"",
        colour(group_of(node)), "\" d=\"", path, "\"><title>cone of ",
        escaped(embedding_.name(node)), "</title></path>\n");
  }
  return out + "</g>\n";
}

std::string DiskSvg::edge(std::int32_t from, std::int32_t to) const {
  const auto a = std::size_t(from);
  const auto b = std::size_t(to);
  const GeodesicArc arc = geodesic_arc(disk_.x[a], disk_.y[a], disk_.x[b], disk_.y[b]);
  std::string path;
  add(path, "M", x(from), " ", y(from));
  if (options_.half_plane || arc.bulge * radius_ < least_bulge) {
    add(path, "L", x(to), " ", y(to));
  } else {
    // y points downwards; a turn to the left goes against the clock there: sweep 0
    const double r = arc.radius * radius_;
    add(path, "A", r, " ", r, " 0 0 ", arc.left ? "0 " : "1 ", x(to), " ", y(to));
  }
  return path;
}

/// A path for each colour and width, of the edges of the most prominent nodes first.
std::string DiskSvg::edges() {
  constexpr std::size_t widths = 3;
  constexpr std::array<std::string_view, widths> width_text = {"0.6", "1", "1.8"};
  const Adjacency above = successors(drawing_.edges);
  std::vector<std::string> paths(groups() * widths);
  std::unordered_set<std::uint64_t> seen;
  for (const std::int32_t from : order_) {
    for (const std::int32_t to : above[from]) {
      const std::uint64_t ends = square_at(x(from), y(from), edge_spacing) * 0x9E3779B97F4A7C15u +
                                 square_at(x(to), y(to), edge_spacing);
      const bool seen_as_point = std::hypot(x(from) - x(to), y(from) - y(to)) < edge_spacing;
      if (seen_as_point || counts_.edges == most_drawn_edges || !seen.insert(ends).second) continue;
      const double p = prominence_of(from);
      const std::size_t width = p > 0.35 ? 2 : p > 0.12 ? 1 : 0;
      paths[group_of(from) * widths + width] += edge(from, to);
      ++counts_.edges;
    }
  }
  // the more there are the fainter, in hundredths
  const double faint = 45 * std::sqrt(3000 / std::max(1.0, double(counts_.edges)));
  const std::string opacity = std::to_string(std::lround(std::clamp(faint, 15.0, 45.0)));
  std::string out = "<g fill=\"none\">\n";
  for (std::size_t width = 0; width < widths; ++width)
    for (std::size_t group = 0; group < groups(); ++group) {
      const std::string& path = paths[group * widths + width];
      if (path.empty()) continue;
      add(out, "<path stroke=\"", colour(group), "\" stroke-width=\"", width_text[width],
          "\" stroke-opacity=\".", width == 0 ? opacity : "45", "\" d=\"", path, "\"/>\n");
    }
  return out + "</g>\n";
}

/// Dots with tooltips, the most prominent on top.
std::string DiskSvg::nodes() {
  std::vector<std::vector<std::int32_t>> drawn(groups());
  std::unordered_set<std::uint64_t> taken;
  for (const std::int32_t node : order_) {
    if (counts_.nodes == most_drawn_nodes) break;
    if (!taken.insert(square_at(x(node), y(node), node_spacing)).second) continue;
    drawn[group_of(node)].push_back(node);
    ++counts_.nodes;
  }
  std::string out;
  for (std::size_t group = 0; group < groups(); ++group) {
    add(out, "<g fill=\"", colour(group), "\">\n");
    for (std::size_t i = drawn[group].size(); i-- > 0;) {
      const std::int32_t node = drawn[group][i];
      add(out, "<circle cx=\"", x(node), "\" cy=\"", y(node), "\" r=\"", dot(node), "\"><title>",
          escaped(embedding_.name(node)), "</title></circle>\n");
    }
    out += "</g>\n";
  }
  add(out, "<circle cx=\"", x(drawing_.centre), "\" cy=\"", y(drawing_.centre), "\" r=\"",
      dot(drawing_.centre) + 3, "\" fill=\"none\" stroke=\"#1d2126\" stroke-width=\"1.2\"/>\n");
  return out;
}

std::string DiskSvg::labels() {
  std::string out =
      "<g fill=\"#1d2126\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
      "paint-order=\"stroke\">\n";
  const double side = options_.size;
  LabelLayout layout({2, 2, side - 2, 2 * (margin + radius_) - 2});
  const auto ranked = std::span(order_);
  for (const std::int32_t node : ranked.first(std::min(ranked.size(), std::size_t(200)))) {
    const double r = dot(node);
    if (r > 2.5) layout.block({x(node) - r, y(node) - r, x(node) + r, y(node) + r});
  }
  const auto label = [&](std::int32_t node) {
    const double size = std::round(2 * (least_text + (most_text - least_text) *
                                                         std::min(1.0, prominence_of(node)))) /
                        2;
    const std::string name = escaped(embedding_.name(node));
    const bool centre = node == drawing_.centre;
    const double width =
        text_width(embedding_.name(node), size) * (centre ? bold_slack : text_slack);
    const auto at = std::size_t(node);
    const auto box =
        layout.place({x(node), y(node), dot(node), disk_.x[at], -disk_.y[at]}, width, size);
    if (!box) return;
    add(out, "<text x=\"", box->left, "\" y=\"", box->top + 0.88 * size, "\" font-size=\"", size,
        "\" textLength=\"", width,
        centre ? "\" lengthAdjust=\"spacingAndGlyphs\" font-weight=\"600\">"
               : "\" lengthAdjust=\"spacingAndGlyphs\">",
        name, "</text>\n");
    ++counts_.labels;
  };
  if (options_.labels > 0) label(drawing_.centre);
  // the subtrees of the legend, wherever they are
  for (const std::int32_t root : drawing_.subtrees)
    if (counts_.labels < std::size_t(options_.labels) && root != drawing_.centre) label(root);
  for (const std::int32_t node : order_) {
    if (counts_.labels >= std::size_t(options_.labels) || prominence_of(node) < least_labelled)
      break;
    const auto& subtrees = drawing_.subtrees;
    const bool done = std::find(subtrees.begin(), subtrees.end(), node) != subtrees.end();
    if (node != drawing_.centre && !done) label(node);
  }
  return out + "</g>\n";
}

/// The subtrees in rows below the disk. `bottom`: where they begin, and then end.
std::string DiskSvg::legend(double& bottom) const {
  std::string out;
  if (drawing_.subtrees.empty()) return out;
  add(out, "<g font-size=\"", legend_text, "\" fill=\"#1d2126\">\n");
  double left = margin;
  double row = bottom + legend_text;
  for (std::size_t k = 0; k < drawing_.subtrees.size(); ++k) {
    const std::int32_t root = drawing_.subtrees[k];
    const std::string size = " " + std::to_string(drawing_.forest.size[std::size_t(root)]);
    const double text =
        text_slack * text_width(std::string(embedding_.name(root)) + size, legend_text);
    const double width = text + 17 + 20;
    if (left > margin && left + width > options_.size - margin) {
      left = margin;
      row += legend_row;
    }
    add(out, "<circle cx=\"", left + 6, "\" cy=\"", row - 4.5, "\" r=\"5.5\" fill=\"",
        colour(k + 1), "\"/><text x=\"", left + 17, "\" y=\"", row, "\" textLength=\"", text,
        "\" lengthAdjust=\"spacingAndGlyphs\">", escaped(embedding_.name(root)),
        "<tspan fill=\"#5b636d\">", size, "</tspan></text>\n");
    left += width;
  }
  bottom = row + margin;
  return out + "</g>\n";
}

std::string DiskSvg::frame() const {
  std::string out;
  if (options_.half_plane) {
    add(out, "<clipPath id=\"frame\"><rect x=\"", page_x(-1), "\" y=\"", page_y(1), "\" width=\"",
        2 * radius_, "\" height=\"", 2 * radius_, "\"/></clipPath>\n<rect x=\"", page_x(-1),
        "\" y=\"", page_y(1), "\" width=\"", 2 * radius_, "\" height=\"", 2 * radius_);
  } else {
    add(out, "<circle cx=\"", page_x(0), "\" cy=\"", page_y(0), "\" r=\"", radius_);
  }
  return out + "\" fill=\"#fafbfc\" stroke=\"#c9ced3\"/>\n";
}

std::string DiskSvg::text() {
  const double side = options_.size;
  const std::string name = escaped(embedding_.name(drawing_.centre));
  double bottom = 2 * (margin + radius_) + 6;
  const std::string edge_text = edges();
  const std::string node_text = nodes();
  const std::string label_text = labels();
  const std::string legend_part = legend(bottom);
  std::string out;
  add(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 ", side, " ", bottom,
      "\" width=\"", side, "\" height=\"", bottom,
      "\" role=\"img\" font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\">\n"
      "<title>",
      name, options_.half_plane ? " in the half-plane" : " in the Poincar\xC3\xA9 disk",
      "</title>\n<desc>", std::to_string(counts_.nodes), " of ", std::to_string(embedding_.size()),
      " nodes and ", std::to_string(counts_.edges), " of ",
      std::to_string(drawing_.edges.edge_count()),
      " edges of an embedding in the hyperbolic plane, seen from ", name,
      options_.half_plane ? "; edges are straight, height and width have scales of their own."
                          : "; edges are geodesics.",
      "</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
  add(out, frame(), cones(), edge_text, node_text, label_text, legend_part, "</svg>\n");
  return out;
}

}  // namespace

DrawnCounts write_disk_svg(const std::filesystem::path& path, const Embedding& embedding,
                           const Graph& edges, const PictureOptions& options) {
  const Drawing drawing = make_drawing(embedding, edges, options);
  DiskSvg svg(embedding, drawing, options);
  write_file_atomically(path, svg.text());
  return svg.counts();
}

}  // namespace mct::embed
