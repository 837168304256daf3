// The edge of a cone in the plane.
#include "src/embed/cone_outline.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "mctensor/error.hpp"
#include "src/embed/cone_relation.hpp"

namespace mct::embed {
namespace {

using PlanePoint = std::array<double, 2>;

constexpr int samples = 400;  // of a side, the nearer to the apex the denser
constexpr double reach = 25;  // in radii of curvature: e^-25 is no pixel

/// Lines across the axis on which a cone is what lies within some way of the axis on both sides:
/// horizontal ones in the half-space, circles around the light in the ball.
class CrossLines {
 public:
  CrossLines(const ConeSystem& cones, const PlanePoint& u)
      : ball_(cones.model == Model::poincare),
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
  /// A way that is as far as there is, or more than the last one.
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

/// How far from the axis the cone goes at the distance t from the apex; at least `from`.
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
  const auto relation = make_cone_relation(cones);
  const CrossLines lines(cones, u);
  ConeOutline outline;
  const PlanePoint below = lines.at(1, 0);
  if (!relation->contains(u.data(), below.data())) return outline;
  double way = 0;
  for (int i = 0; i <= samples; ++i) {
    const double part = double(i) / samples;
    const double t = reach * part * part;
    way = i == 0 ? 0 : half_width(*relation, lines, u, t, way);
    outline.left.push_back(lines.at(t, -way));
    outline.axis.push_back(lines.at(t, 0));
    outline.right.push_back(lines.at(t, way));
  }
  outline.left[0] = outline.axis[0] = outline.right[0] = u;
  return outline;
}

}  // namespace mct::embed
