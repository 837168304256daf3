#include "src/pictures/polar_view.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace mct::embed {
namespace {

/// The way from one direction to another, in (-pi, pi].
double way_round(double from, double to) {
  double d = to - from;
  if (d > std::numbers::pi) d -= 2 * std::numbers::pi;
  if (d <= -std::numbers::pi) d += 2 * std::numbers::pi;
  return d;
}

/// The distance from the middle of a geodesic between points at distances p and q, where it has the
/// directions y from p and x from q: coth r is linear in sin x and sin y. coth r - 1 has positive
/// terms only, since sin x + sin y - sin(x + y) = 4 sin(x / 2) sin(y / 2) sin((x + y) / 2).
double distance_on_geodesic(double p, double q, double x, double y) {
  const auto above_one = [](double r) { return 2 / std::expm1(2 * r); };
  const double sum = above_one(p) * std::sin(x) + above_one(q) * std::sin(y) +
                     4 * std::sin(x / 2) * std::sin(y / 2) * std::sin((x + y) / 2);
  return 0.5 * std::log1p(2 * std::sin(x + y) / sum);
}

/// The numbers of these rows; of all without any.
std::vector<double> part_of(const std::vector<double>& numbers,
                            const std::vector<std::int32_t>& rows) {
  if (rows.empty()) return numbers;
  std::vector<double> part;
  part.reserve(rows.size());
  for (const std::int32_t row : rows) part.push_back(numbers[std::size_t(row)]);
  return part;
}

}  // namespace

PolarPoints polar_points(const DiskPoints& points) {
  PolarPoints polar;
  for (std::size_t i = 0; i < points.size(); ++i) {
    // sinh(d / 2) = |z| / sqrt(1 - |z|^2)
    const double length = std::hypot(points.x[i], points.y[i]);
    polar.distance.push_back(2 * std::asinh(length / std::sqrt(points.gap[i])));
    polar.angle.push_back(std::atan2(points.y[i], points.x[i]));
  }
  return polar;
}

SpreadAngles::SpreadAngles(const std::vector<double>& angles, double spread) : spread_(spread) {
  if (spread == 0 || angles.empty()) return;
  std::vector<double> sorted = angles;
  std::sort(sorted.begin(), sorted.end());
  const double share = 2 * std::numbers::pi / double(sorted.size());
  double mean = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i)
    mean += (sorted[i] - share * (double(i) + 0.5)) / double(sorted.size());
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t next = i;
    while (next < sorted.size() && sorted[next] == sorted[i]) ++next;
    from_.push_back(sorted[i]);
    to_.push_back(mean + share * (double(i) + double(next)) / 2);
    i = next;
  }
}

double SpreadAngles::operator()(double angle) const {
  if (from_.empty()) return angle;
  const double turns = std::floor((angle - from_.front()) / (2 * std::numbers::pi));
  const double a = angle - 2 * std::numbers::pi * turns;
  // the directions around it: after the last comes the first, a turn later
  const auto next = std::size_t(std::upper_bound(from_.begin(), from_.end(), a) - from_.begin());
  const std::size_t i = next == 0 ? 0 : next - 1;
  const bool last = i + 1 == from_.size();
  const double from_end = last ? from_.front() + 2 * std::numbers::pi : from_[i + 1];
  const double to_end = last ? to_.front() + 2 * std::numbers::pi : to_[i + 1];
  const double equal = to_[i] + (a - from_[i]) / (from_end - from_[i]) * (to_end - to_[i]);
  return (1 - spread_) * angle + spread_ * (equal + 2 * std::numbers::pi * turns);
}

PolarView::PolarView(const DiskPoints& nodes, double spread, const std::vector<std::int32_t>& drawn)
    : nodes_(polar_points(nodes)),
      reach_(usual_reach(part_of(nodes_.distance, drawn))),
      spread_(part_of(nodes_.angle, drawn), spread) {}

void PolarView::add(DiskPoints& to, double distance, double spread_angle) const {
  const double radius = std::min(1.0, distance / reach_);
  to.x.push_back(radius * std::cos(spread_angle));
  to.y.push_back(radius * std::sin(spread_angle));
  const double size = 1 - 0.6 * radius;
  to.gap.push_back(size * size);
}

DiskPoints PolarView::placed(const PolarPoints& polar) const {
  DiskPoints placed;
  for (std::size_t i = 0; i < polar.size(); ++i)
    add(placed, polar.distance[i], spread_(polar.angle[i]));
  return placed;
}

DiskPoints PolarView::geodesic(std::size_t a, std::size_t b) const {
  constexpr int steps = 40;
  const double most = 100 * reach_;
  const double p = std::min(nodes_.distance[a], most);
  const double q = std::min(nodes_.distance[b], most);
  const double angle = nodes_.angle[a];
  const double all = way_round(angle, nodes_.angle[b]);
  DiskPoints line;
  add(line, p, spread_(angle));
  // Near an end, the distance grows with the logarithm of the angle to it, twice as slowly; so
  // y = all / (1 + exp -s) with s far beyond both ends, denser where the geodesic bends.
  const double farthest = 2 * std::max(p, q) + 3;
  if (p > 1e-9 && q > 1e-9 && all != 0)
    for (int i = 1; i < steps; ++i) {
      const double t = 2.0 * i / steps - 1;
      const double s = farthest * std::sinh(5 * t) / std::sinh(5.0);
      const double y = std::fabs(all) / (1 + std::exp(-s));
      const double x = std::fabs(all) / (1 + std::exp(s));
      add(line, distance_on_geodesic(p, q, x, y), spread_(angle + std::copysign(y, all)));
    }
  add(line, q, spread_(angle + all));
  return line;
}

double usual_reach(const std::vector<double>& distances) {
  std::vector<double> finite;
  for (const double d : distances)
    if (std::isfinite(d)) finite.push_back(d);
  if (finite.empty()) return 1;
  std::sort(finite.begin(), finite.end());
  const double most = finite[(90 * finite.size() + 99) / 100 - 1];
  const double reach = most > 0 ? std::min(finite.back(), 1.5 * most) : finite.back();
  return reach > 0 ? reach : 1;
}

double ring_step(double reach) {
  const double power = std::pow(10, std::floor(std::log10(reach / 3)));
  for (const double factor : {5.0, 2.0})
    if (3 * factor * power <= reach) return factor * power;
  return power;
}

}  // namespace mct::embed
