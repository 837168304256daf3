// Ways to store points of the hyperbolic plane, after one interface: the half-space
// representations, and Lorentz and Poincaré in double with the formulas and clamps of geoopt.
//
// Each has store(exact point), exact(stored point) (nothing if the stored numbers are no point),
// dist and step (by a frame vector of the half-space). Exact points are those of the half-space.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "validation/geometry/halfspace_truth.hpp"

namespace mct::validation {

/// Points of the plane: n = 2.
using PlaneVector = std::array<double, 2>;

template <class Space>
struct HalfSpaceModel {
  using Point = typename Space::template Point<2>;

  static Point store(const ExactPoint& p) { return stored<2>(Space(), p); }
  static std::optional<ExactPoint> exact(const Point& p) {
    for (const double limb : p.x[0].limb)
      if (!std::isfinite(limb)) return {};
    if (!std::isfinite(double(p.height))) return {};
    ExactPoint r = exact_point(Space(), p);
    if (!(Big(0.0) < r.back())) return {};
    return r;
  }
  static double dist(const Point& p, const Point& q) { return Space().template dist<2>(p, q); }
  static Point step(const Point& p, const PlaneVector& frame) {
    return Space().template expmap<2>(p, frame);
  }
};

/// The hyperboloid's coordinates of a half-space point, (time, x, last), and back.
struct LorentzTruth {
  Big time, side, last;

  static LorentzTruth of(const ExactPoint& p) {
    const Big square = p[0] * p[0] + p[1] * p[1];
    const Big twice = Big(2.0) * p[1];
    return {(square + Big(1.0)) / twice, p[0] / p[1], (square - Big(1.0)) / twice};
  }
  /// From the space coordinates alone, as geoopt's projx reads them.
  static LorentzTruth of_space(const Big& side, const Big& last) {
    return {sqrt(Big(1.0) + side * side + last * last), side, last};
  }
  ExactPoint half_space() const {
    const Big height = Big(1.0) / (time - last);
    return {side * height, height};
  }
  /// The image of a half-space frame vector at p.
  static LorentzTruth tangent(const ExactPoint& p, const PlaneVector& v) {
    const LorentzTruth x = of(p);
    const Big along = p[0] * Big(v[0]) + p[1] * Big(v[1]);
    return {along - x.time * Big(v[1]), Big(v[0]) - x.side * Big(v[1]), along - x.last * Big(v[1])};
  }
};

/// geoopt.Lorentz in double: dist = arcosh(-<x, y>), expmap by cosh and sinh, then projx.
struct GeooptLorentz {
  using Point = std::array<double, 3>;

  static Point project(double side, double last) {
    return {std::sqrt(1 + (side * side + last * last)), side, last};
  }
  static Point store(const ExactPoint& p) {
    const LorentzTruth x = LorentzTruth::of(p);
    return project(double(x.side), double(x.last));
  }
  static std::optional<ExactPoint> exact(const Point& p) {
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !std::isfinite(p[2])) return {};
    return LorentzTruth::of_space(Big(p[1]), Big(p[2])).half_space();
  }
  static double inner(const Point& p, const Point& q) {
    return -p[0] * q[0] + (p[1] * q[1] + p[2] * q[2]);
  }
  static double dist(const Point& p, const Point& q) {
    const double c = -inner(p, q);
    return std::log(c + std::sqrt(std::max(c * c - 1, 1e-15)));
  }
  static Point step(const Point& p, const PlaneVector& frame) {
    const auto at = exact(p);
    if (!at) return p;
    const LorentzTruth tangent = LorentzTruth::tangent(*at, frame);
    const Point u = {double(tangent.time), double(tangent.side), double(tangent.last)};
    const double length = std::sqrt(inner(u, u));
    const double factor = std::sinh(length) / length;
    return project(std::cosh(length) * p[1] + factor * u[1],
                   std::cosh(length) * p[2] + factor * u[2]);
  }
};

/// geoopt.PoincareBall in double: artanh clamped at 1 - 1e-7, points at norm 1 - 1e-5, arguments of
/// tanh at 15.
struct GeooptPoincare {
  using Point = PlaneVector;

  static double norm(const Point& p) { return std::max(std::hypot(p[0], p[1]), 1e-15); }
  static Point project(const Point& p) {
    constexpr double most = 1 - 1e-5;
    const double length = norm(p);
    return length > most ? Point{p[0] / length * most, p[1] / length * most} : p;
  }
  static Point store(const ExactPoint& p) {
    const LorentzTruth x = LorentzTruth::of(p);
    const Big scale = Big(1.0) + x.time;
    return project({double(x.side / scale), double(x.last / scale)});
  }
  static std::optional<ExactPoint> exact(const Point& p) {
    const Big rest = Big(1.0) - Big(p[0]) * Big(p[0]) - Big(p[1]) * Big(p[1]);
    if (!std::isfinite(p[0]) || !std::isfinite(p[1]) || !(Big(0.0) < rest)) return {};
    const Big scale = Big(2.0) / rest;
    return LorentzTruth{scale - Big(1.0), scale * Big(p[0]), scale * Big(p[1])}.half_space();
  }
  static Point mobius_add(const Point& x, const Point& y) {
    const double xx = x[0] * x[0] + x[1] * x[1];
    const double yy = y[0] * y[0] + y[1] * y[1];
    const double xy = x[0] * y[0] + x[1] * y[1];
    const double divisor = std::max(1 + 2 * xy + xx * yy, 1e-15);
    const auto entry = [&](std::size_t i) {
      return ((1 + 2 * xy + yy) * x[i] + (1 - xx) * y[i]) / divisor;
    };
    return {entry(0), entry(1)};
  }
  static double dist(const Point& p, const Point& q) {
    const Point difference = mobius_add({-p[0], -p[1]}, q);
    return 2 * std::atanh(std::min(norm(difference), 1 - 1e-7));
  }
  static Point step(const Point& p, const PlaneVector& frame) {
    const auto at = exact(p);
    if (!at) return p;
    const LorentzTruth x = LorentzTruth::of(*at);
    const LorentzTruth t = LorentzTruth::tangent(*at, frame);
    const Big scale = Big(1.0) + x.time;
    const Point u = {double((t.side - x.side * t.time / scale) / scale),
                     double((t.last - x.last * t.time / scale) / scale)};
    const double length = norm(u);
    const double lambda = 2 / std::max(1 - p[0] * p[0] - p[1] * p[1], 1e-15);
    const double reach = std::tanh(std::min(lambda * length / 2, 15.0)) / length;
    return project(mobius_add(p, {reach * u[0], reach * u[1]}));
  }
};

}  // namespace mct::validation
