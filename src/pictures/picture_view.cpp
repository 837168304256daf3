// The part of the plane that a picture shows.
#include "src/pictures/picture_view.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <utility>

#include "mctensor/error.hpp"
#include "src/embed/cone_relation.hpp"

namespace mct::embed {
namespace {

using PlanePoint = std::array<double, 2>;

constexpr int samples = 400;          // of a side; they are denser near the apex
constexpr double outline_reach = 25;  // in radii of curvature: e^-25 is no pixel

/// Lines across the axis: horizontal lines in the half-space, circles around the light in the ball.
/// On each line, the cone is the part within some way of the axis on both sides.
class CrossLines {
 public:
  CrossLines(const ConeSystem& cones, const PlanePoint& u)
      : ball_(cones.storage == PointStorage::ball),
        radius_(cones.radius),
        apex_(u),
        length_(std::hypot(u[0], u[1])) {}

  /// On the line that crosses the axis at a distance t from the apex, `way` to the right of it.
  PlanePoint at(double t, double way) const {
    if (!ball_) return {apex_[0] + way, apex_[1] * std::exp(-t)};
    const double half = std::tanh(t / 2);
    const double x = length_ / radius_;
    const double size = radius_ * ((x + half) / (1 + x * half));
    const PlanePoint e = {apex_[0] / length_, apex_[1] / length_};
    const double c = std::cos(way);
    const double s = std::sin(way);
    return {size * (e[0] * c + e[1] * s), size * (e[1] * c - e[0] * s)};
  }
  /// The longest way on the line, or a longer way than the previous one.
  double farther(double way) const {
    if (ball_) return std::numbers::pi;
    return way == 0 ? apex_[1] : 2 * way;
  }
  bool ends_at(double way) const { return ball_ ? way >= std::numbers::pi : way > 1e300; }

 private:
  bool ball_;
  double radius_;
  PlanePoint apex_;
  double length_;
};

/// The way from the axis to the edge of the cone at the distance t from the apex; at least `from`.
double half_width(const ConeRelation& relation, const CrossLines& lines, const PlanePoint& u,
                  double t, double from) {
  const auto inside = [&](double way) {
    const PlanePoint v = lines.at(t, way);
    return relation.contains(u.data(), v.data());
  };
  double in = inside(from) ? from : 0;
  double out = lines.farther(in);
  while (!lines.ends_at(out) && inside(out)) {
    in = out;
    out = lines.farther(out);
  }
  for (double middle = in + (out - in) / 2; middle > in && middle < out;
       middle = in + (out - in) / 2)
    (inside(middle) ? in : out) = middle;
  return in;
}

}  // namespace

ConeOutline cone_outline(const ConeSystem& cones, const std::array<double, 2>& u) {
  if (cones.dimensions != 2)
    throw DomainError("cones of " + std::to_string(cones.dimensions) +
                      " dimensions cannot be drawn; a picture has 2");
  if (!cones.light.empty()) {  // the outline as the light sees it
    const auto moved = make_cone_relation(cones);
    PlanePoint apex;
    moved->to_light(u.data(), apex.data());
    ConeOutline outline = cone_outline(seen_by_light(cones), apex);
    for (auto* const line : {&outline.left, &outline.axis, &outline.right})
      for (PlanePoint& point : *line) {
        const PlanePoint seen = point;
        moved->from_light(seen.data(), point.data());
      }
    return outline;
  }
  const auto relation = make_cone_relation(cones);
  const CrossLines lines(cones, u);
  ConeOutline outline;
  const PlanePoint below = lines.at(1, 0);
  if (!relation->contains(u.data(), below.data())) return outline;
  double way = 0;
  for (int i = 0; i <= samples; ++i) {
    const double part = double(i) / samples;
    const double t = outline_reach * part * part;
    way = i == 0 ? 0 : half_width(*relation, lines, u, t, way);
    outline.left.push_back(lines.at(t, -way));
    outline.axis.push_back(lines.at(t, 0));
    outline.right.push_back(lines.at(t, way));
  }
  outline.left[0] = outline.axis[0] = outline.right[0] = u;
  return outline;
}

namespace {

std::array<double, 2> row_of(const Embedding& embedding, std::int32_t node) {
  const double* const x = embedding.coordinates().data() + 2 * std::int64_t(node);
  return {x[0], x[1]};
}

/// A point first and others after it, as points of an embedding.
HalfSpacePoints beginning_with(const std::array<double, 2>& first,
                               const std::vector<std::array<double, 2>>& points,
                               const EmbeddingSpace& space) {
  auto names = std::make_shared<NameTable>();
  Tensor<double> coordinates({1, std::int64_t(points.size()) + 1, 2});
  double* to = std::copy(first.begin(), first.end(), coordinates.data());
  names->enter("0");
  for (std::size_t i = 0; i < points.size(); ++i) {
    names->enter(std::to_string(i + 1));
    to = std::copy(points[i].begin(), points[i].end(), to);
  }
  return Embedding(names, space, coordinates).half_space();
}

}  // namespace

PictureView::PictureView(const HalfSpacePoints& points, std::int32_t centre,
                         const PictureOptions& options, const std::vector<std::int32_t>& drawn)
    : half_plane_(options.half_plane) {
  if (!half_plane_) {
    nodes_ = disk_points(points, centre);
    if (options.radial == RadialScale::disk) return;
    polar_.emplace(nodes_, options.spread, drawn);
    nodes_ = polar_->of_nodes();
    return;
  }
  HalfPlanePoints plane = half_plane_points(points, centre);
  const auto fit = [](const std::vector<double>& values, double& least, double& span) {
    constexpr double border = 0.04;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    span = *high > *low ? *high - *low : 1;
    least = (*low + *high - span) / 2 - border * span;
    span *= 1 + 2 * border;
  };
  fit(plane.x, left_, width_);
  fit(plane.height, bottom_, height_);
  nodes_ = in_square(std::move(plane));
}

DiskPoints PictureView::in_square(HalfPlanePoints plane) const {
  for (double& x : plane.x) x = 2 * (x - left_) / width_ - 1;
  for (double& y : plane.height) y = 2 * (y - bottom_) / height_ - 1;
  const std::vector<double> gap(plane.size(), 1.0);
  return {std::move(plane.x), std::move(plane.height), gap};
}

DiskPoints PictureView::of(const HalfSpacePoints& points, std::int32_t centre) const {
  if (polar_) return polar_->of(disk_points(points, centre));
  if (!half_plane_) return disk_points(points, centre);
  return in_square(half_plane_points(points, centre));
}

ConeEdge cone_edge(const PictureView& view, const Embedding& embedding, const ConeSystem& cones,
                   std::int32_t node, std::int32_t centre) {
  const ConeOutline outline = cone_outline(cones, row_of(embedding, node));
  if (outline.axis.empty()) return {};
  const auto seen = [&](const auto& points) {
    DiskPoints placed =
        view.of(beginning_with(row_of(embedding, centre), points, embedding.space()), 0);
    for (auto* part : {&placed.x, &placed.y, &placed.gap}) part->erase(part->begin());
    return placed;
  };
  return {seen(outline.left), seen(outline.axis), seen(outline.right)};
}

std::vector<std::size_t> kept_points(const DiskPoints& points, double tolerance) {
  std::vector<std::size_t> kept;
  const auto passes = [&](std::size_t from, std::size_t to) {
    const double dx = points.x[to] - points.x[from];
    const double dy = points.y[to] - points.y[from];
    const double length = std::hypot(dx, dy);
    for (std::size_t i = from + 1; i < to; ++i) {
      const double x = points.x[i] - points.x[from];
      const double y = points.y[i] - points.y[from];
      const double off = length == 0 ? std::hypot(x, y) : std::fabs(dx * y - dy * x) / length;
      if (off > tolerance) return false;
    }
    return true;
  };
  std::size_t from = 0;
  for (std::size_t i = 2; i < points.size(); ++i) {
    if (passes(from, i)) continue;
    from = i - 1;
    kept.push_back(from);
  }
  if (points.size() > 1) kept.push_back(points.size() - 1);
  return kept;
}

}  // namespace mct::embed
