// What part of the plane a picture shows.
#include "src/embed/picture_view.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

namespace mct::embed {
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

PictureView::PictureView(const HalfSpacePoints& points, std::int32_t centre, bool half_plane)
    : half_plane_(half_plane) {
  if (!half_plane) return;
  const HalfPlanePoints plane = half_plane_points(points, centre);
  const auto fit = [](const std::vector<double>& values, double& least, double& span) {
    constexpr double border = 0.04;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    span = *high > *low ? *high - *low : 1;
    least = (*low + *high - span) / 2 - border * span;
    span *= 1 + 2 * border;
  };
  fit(plane.x, left_, width_);
  fit(plane.height, bottom_, height_);
}

DiskPoints PictureView::of(const HalfSpacePoints& points, std::int32_t centre) const {
  if (!half_plane_) return disk_points(points, centre);
  HalfPlanePoints plane = half_plane_points(points, centre);
  for (double& x : plane.x) x = 2 * (x - left_) / width_ - 1;
  for (double& y : plane.height) y = 2 * (y - bottom_) / height_ - 1;
  const std::vector<double> gap(plane.size(), 1.0);
  return {std::move(plane.x), std::move(plane.height), gap};
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
