#include "src/pictures/disk_panel.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>
#include <unordered_set>
#include <utility>

#include "mctensor/base/markup.hpp"
#include "mctensor/base/number_text.hpp"
#include "src/pictures/geodesic_arc.hpp"
#include "src/pictures/label_layout.hpp"
#include "src/pictures/svg_text.hpp"

namespace mct::embed {
namespace {

// The limits on the size of a file.
constexpr std::size_t most_drawn_nodes = 30'000;
constexpr std::size_t most_drawn_edges = 40'000;

constexpr double side_margin = 0.09;     // beside the disk, for labels, in parts of the width
constexpr double node_spacing = 0.7;     // of two nodes that are drawn, in pixels, roughly
constexpr double edge_spacing = 0.5;     // shorter edges, and others between such squares, are not
constexpr double least_bulge = 0.1;      // a flatter arc is drawn straight
constexpr double line_tolerance = 0.3;   // of the lines that a geodesic by distance is drawn with
constexpr double cone_tolerance = 0.05;  // of those that a cone's edge is drawn with
constexpr double least_dot = 0.8;        // radius of a node
constexpr double most_dot = 8;
constexpr double least_text = 10.5;  // font sizes
constexpr double most_text = 17;
constexpr double ring_text = 10.5;
constexpr double least_labelled = 0.006;  // prominence of a node with a label
constexpr std::size_t labels_tried = 25;  // for each that there may be: most find no place

constexpr double bold_slack = 1.12;

/// A square of the page as one number.
std::uint64_t square_at(double x, double y, double side) {
  return std::uint64_t(std::int64_t(std::floor(x / side)) + 1) << 32 |
         std::uint64_t(std::uint32_t(std::int64_t(std::floor(y / side)) + 1));
}

}  // namespace

DiskPanel::DiskPanel(const Embedding& embedding, const Drawing& drawing,
                     const PictureOptions& options, std::int32_t centre, double left,
                     std::vector<std::int32_t> drawn)
    : embedding_(embedding),
      drawing_(drawing),
      options_(options),
      centre_(centre),
      left_(left),
      clip_(left == 0 ? "frame" : "frame-beside"),
      radius_(options.size * (0.5 - side_margin)),
      view_(drawing.points, centre, options, drawn),
      order_(std::move(drawn)) {
  if (order_.empty()) {
    order_.resize(places().size());
    std::iota(order_.begin(), order_.end(), 0);
  }
  is_drawn_.assign(places().size(), false);
  for (const std::int32_t node : order_) is_drawn_[std::size_t(node)] = true;
  std::stable_sort(order_.begin(), order_.end(), [&](std::int32_t a, std::int32_t b) {
    return prominence_of(a) > prominence_of(b);
  });
}

double DiskPanel::dot(std::int32_t node) const {
  return least_dot + (most_dot - least_dot) * prominence_of(node);
}

bool DiskPanel::is_subtree(std::int32_t node) const {
  const auto& subtrees = drawing_.subtrees;
  return std::find(subtrees.begin(), subtrees.end(), node) != subtrees.end();
}

/// The frame, at which cones end.
std::string DiskPanel::frame() const {
  std::string shape;
  if (options_.half_plane) {
    add(shape, "<rect x=\"", page_x(-1), "\" y=\"", page_y(1), "\" width=\"", 2 * radius_,
        "\" height=\"", 2 * radius_, "\"");
  } else {
    add(shape, "<circle cx=\"", page_x(0), "\" cy=\"", page_y(0), "\" r=\"", radius_, "\"");
  }
  std::string out;
  add(out, "<clipPath id=\"", clip_, "\">", shape, "/></clipPath>\n", shape,
      " fill=\"#fafbfc\" stroke=\"#c9ced3\"/>\n");
  return out;
}

/// Circles around the middle; their distances from it go to ring_texts_.
std::string DiskPanel::rings() {
  if (view_.polar() == nullptr) return {};
  const double reach = view_.polar()->reach() * drawing_.points.radius;  // as programs print it
  const double step = ring_step(reach);
  std::string out = "<g fill=\"none\" stroke=\"#dfe3e7\">";
  for (int k = 1; k * step <= 0.97 * reach; ++k) {
    const double r = k * step / reach;
    add(out, "<circle class=\"ring\" cx=\"", page_x(0), "\" cy=\"", page_y(0), "\" r=\"",
        r * radius_, "\"/>");
    const std::string text = number_text(k * step);
    const double width = text_width(text, ring_text);
    const double left = page_x(0) - width / 2;
    const double base = page_y(r) + 0.35 * ring_text;
    add(ring_texts_, "<text class=\"ring\" x=\"", left, "\" y=\"", base, "\">", text, "</text>");
    ring_boxes_.push_back({left - 2, base - ring_text, left + width + 2, base + 3});
  }
  return out + "</g>\n";
}

std::vector<std::int32_t> DiskPanel::cone_nodes() const {
  constexpr std::size_t most_cones = 8;
  if (!options_.cone_nodes.empty()) return options_.cone_nodes;
  if (!drawing_.subtrees.empty()) return drawing_.subtrees;
  return {order_.begin(), order_.begin() + std::ptrdiff_t(std::min(most_cones, order_.size()))};
}

/// From the end of a cone's right side, past the end of its axis, to the end of its left side, on a
/// circle around the middle. By distance all ends are about as far from there.
std::string DiskPanel::far_edge(const ConeEdge& cone) const {
  const auto angle = [](const DiskPoints& p) { return std::atan2(p.y.back(), p.x.back()); };
  const auto turn = [](double from, double to) {  // against the clock, within 0 and 2 pi
    const double d = to - from;
    return d < 0 ? d + 2 * std::numbers::pi : d;
  };
  const double from = angle(cone.right);
  const double total = turn(from, angle(cone.left));
  const bool left_turn = turn(from, angle(cone.axis)) <= total;
  const bool large = (left_turn ? total : 2 * std::numbers::pi - total) > std::numbers::pi;
  const double r = view_.polar() == nullptr
                       ? radius_
                       : radius_ * std::hypot(cone.left.x.back(), cone.left.y.back());
  std::string path;
  add(path, "A", r, " ", r, " 0 ", large ? "1 " : "0 ", left_turn ? "0 " : "1 ",
      page_x(cone.left.x.back()), " ", page_y(cone.left.y.back()));
  return path;
}

/// Down one side, along the edge of the disk or the ground, and back on the other side.
std::string DiskPanel::cone(std::int32_t node) const {
  const ConeEdge cone = cone_edge(view_, embedding_, *options_.cones, node, centre_);
  if (cone.empty()) return {};
  std::string path;
  add(path, "M", x(node), " ", y(node));
  const auto line_to = [&](const DiskPoints& side, std::size_t i) {
    add(path, "L", page_x(side.x[i]), " ", page_y(side.y[i]));
  };
  for (const std::size_t i : kept_points(cone.right, cone_tolerance / radius_))
    line_to(cone.right, i);
  if (!options_.half_plane) path += far_edge(cone);
  const auto left = kept_points(cone.left, cone_tolerance / radius_);
  for (std::size_t k = left.size(); k-- > 0;) line_to(cone.left, left[k]);
  return path + "Z";
}

std::string DiskPanel::cones() const {
  if (!options_.cones) return {};
  std::string out;
  add(out, "<g clip-path=\"url(#", clip_, ")\"");
  out += " fill-opacity=\".13\" stroke-width=\"1.3\" stroke-opacity=\".8\">\n";
  for (const std::int32_t node : cone_nodes()) {
    const std::string path = cone(node);
    if (path.empty()) continue;
    add(out, "<path class=\"cone\" fill=\"", colour(group_of(node)), "\" stroke=\"",
        colour(group_of(node)), "\" d=\"", path, "\"><title>cone of ",
        escaped(embedding_.name(node)), "</title></path>\n");
  }
  return out + "</g>\n";
}

std::string DiskPanel::edge(std::int32_t from, std::int32_t to) const {
  const auto a = std::size_t(from);
  const auto b = std::size_t(to);
  std::string path;
  if (view_.polar() != nullptr) {
    const DiskPoints line = view_.polar()->geodesic(a, b);
    add(path, "M", x(from), " ", y(from), "L");
    const auto kept = kept_points(line, line_tolerance / radius_);
    for (std::size_t i = 0; i < kept.size(); ++i)
      add(path, i == 0 ? "" : " ", page_x(line.x[kept[i]]), " ", page_y(line.y[kept[i]]));
    return path;
  }
  add(path, "M", x(from), " ", y(from));
  const GeodesicArc arc = geodesic_arc(places().x[a], places().y[a], places().x[b], places().y[b]);
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
std::string DiskPanel::edges() {
  constexpr std::size_t widths = 3;
  constexpr std::array<std::string_view, widths> width_text = {"0.6", "1", "1.8"};
  const Adjacency above = successors(drawing_.edges);
  std::vector<std::string> paths(groups() * widths);
  std::unordered_set<std::uint64_t> seen;
  for (const std::int32_t from : order_) {
    for (const std::int32_t to : above[from]) {
      if (!is_drawn_[std::size_t(to)]) continue;
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
std::string DiskPanel::nodes() {
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
  add(out, "<circle cx=\"", x(centre_), "\" cy=\"", y(centre_), "\" r=\"", dot(centre_) + 3,
      "\" fill=\"none\" stroke=\"#1d2126\" stroke-width=\"1.2\"/>\n");
  return out;
}

std::string DiskPanel::labels() {
  std::string out =
      "<g fill=\"#1d2126\" stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" "
      "paint-order=\"stroke\">\n";
  if (!ring_texts_.empty())
    add(out, "<g font-size=\"", ring_text, "\" fill=\"#5b636d\">", ring_texts_, "</g>\n");
  const double side = options_.size;
  LabelLayout layout({left_ + 2, 2, left_ + side - 2, 2 * (margin + radius_) - 2});
  for (const Box& box : ring_boxes_) layout.block(box);
  const auto ranked = std::span(order_);
  const auto label = [&](std::int32_t node) {
    const double size = std::round(2 * (least_text + (most_text - least_text) *
                                                         std::min(1.0, prominence_of(node)))) /
                        2;
    const std::string name = escaped(embedding_.name(node));
    const bool bold = node == centre_ || is_subtree(node);
    const double width = text_width(embedding_.name(node), size) * (bold ? bold_slack : text_slack);
    const auto at = std::size_t(node);
    const auto box =
        layout.place({x(node), y(node), dot(node), places().x[at], -places().y[at]}, width, size);
    if (!box) return;
    add(out, "<text x=\"", box->left, "\" y=\"", box->top + 0.88 * size, "\" font-size=\"", size,
        "\" textLength=\"", width, "\" lengthAdjust=\"spacingAndGlyphs\"");
    if (bold) out += " font-weight=\"600\"";
    if (is_subtree(node)) add(out, " fill=\"", colour(group_of(node)), "\"");
    add(out, ">", name, "</text>\n");
    ++counts_.labels;
  };
  if (options_.labels > 0) label(centre_);
  // the subtrees of the legend, wherever they are
  for (const std::int32_t root : drawing_.subtrees)
    if (counts_.labels < std::size_t(options_.labels) && root != centre_ &&
        is_drawn_[std::size_t(root)])
      label(root);
  // all others where they cover no large node
  for (const std::int32_t node : ranked.first(std::min(ranked.size(), std::size_t(200)))) {
    const double r = dot(node);
    if (r > 2.5) layout.block({x(node) - r, y(node) - r, x(node) + r, y(node) + r});
  }
  const std::size_t tried = labels_tried * std::size_t(options_.labels);
  for (const std::int32_t node : ranked.first(std::min(ranked.size(), tried))) {
    if (counts_.labels >= std::size_t(options_.labels) || prominence_of(node) < least_labelled)
      break;
    if (node != centre_ && !is_subtree(node)) label(node);
  }
  return out + "</g>\n";
}

std::string DiskPanel::svg() {
  std::string out = frame() + rings();
  if (options_.cones) out += cones();
  out += edges();
  out += nodes();
  out += labels();
  return out;
}

}  // namespace mct::embed
