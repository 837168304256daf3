// The errors that the headers of the manifolds allow, relative to what: for the suite and the
// tests.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "mctensor/expansion/error_bounds.hpp"
#include "mctensor/geometry/error_bounds.hpp"
#include "validation/core/geometry_cases.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

/// What points must be given for a bound to say something, and the magnitudes that it is relative
/// to, at points x and y of a chart.
class BoundReference {
 public:
  BoundReference(Model chart, const ManifoldOracle& oracle, const BigVector& x, const BigVector& y)
      : chart_(chart), oracle_(oracle), x_(x), y_(y) {}

  /// What rounding its coordinates has put a point off the sphere; 0 on other manifolds.
  static Big off(Model chart, const Big& radius, const BigVector& x) {
    return chart == Model::sphere ? abs(norm(x) - radius) : Big(0);
  }
  Big off() const {
    const Big& k = oracle_.radius();
    return off(chart_, k, x_) + off(chart_, k, y_);
  }
  /// In ambient coordinates a vector at x cannot be told apart better than this from others.
  static Big blur(Model chart, const Big& radius, const BigVector& x) {
    if (chart == Model::lorentz) return x[0] / radius;
    if (chart == Model::klein) return radius / sqrt(radius * radius - validation::dot(x, x));
    return Big(1);
  }
  /// No geodesic is the shortest, and any may be taken.
  bool opposite() const { return chart_ == Model::sphere && chord() < ldexp(Big(1), -1000); }

  Big dist(const Big& exact) const { return exact + off(); }
  /// What points off the sphere add to a geodesic: their directions turn toward the antipode.
  Big geodesic_off() const {
    if (chart_ != Model::sphere) return Big(0);
    const Big angle = oracle_.dist(x_, y_) / oracle_.radius();
    return angle.is_zero() ? off() : off() * angle / sin(angle);
  }
  /// Rounding alone may put a point of a ball on its boundary or beyond; it is kept inside, another
  /// u^N away.
  template <class V>
  Big kept_inside(const BigVector& exact) const {
    const bool round = chart_ == Model::ball || chart_ == Model::klein;
    const Big size = norm(exact);
    const Big margin = oracle_.radius() * ldexp(unit<V>(), 1);
    const bool work = std::is_same_v<Limb<V>, double>;
    return round && !work && oracle_.radius() - size < margin ? size : Big(0);
  }
  Big logmap(const BigVector& exact) const {
    const Big size = norm(exact);
    if (chart_ == Model::klein) return size * blur(chart_, oracle_.radius(), x_);
    if (chart_ == Model::lorentz) {
      const Big blurred = oracle_.norm_at(x_, exact) * blur(chart_, oracle_.radius(), x_);
      return blurred > size ? blurred : size;
    }
    if (chart_ != Model::sphere || size.is_zero()) return size + off();
    const Big angle = size / oracle_.radius();
    return size + off() * angle / sin(angle);
  }
  /// A gradient is as long as lambda_x; on the hyperboloid, where Y minus a multiple of X is nearly
  /// 0 beside both, it has the digits of M limbs.
  template <class V>
  Big gradient(const BigVector& exact) const {
    if (chart_ != Model::lorentz) return norm(exact);
    const Big way = sinh(oracle_.dist(x_, y_) / oracle_.radius());
    if (way.is_zero()) return Big(1);
    constexpr int bits = bits_of<geometry::detail::long_t<geometry::work_t<V>>> - bits_of<V>;
    return norm(exact) + ldexp(y_[0] / (oracle_.radius() * way), -bits);
  }
  /// Of the hyperboloid: the rounding of the result, and of the product <x, v> with a limb more.
  Big proju(const BigVector& v, const BigVector& exact) const {
    const Big blurred = blur(chart_, oracle_.radius(), x_);
    return norm(exact) + norm(v) * (Big(1) + ldexp(blurred * blurred, -53));
  }
  Big ptransp(const BigVector& u) const {
    Big size = oracle_.norm_at(x_, u);
    const Big& k = oracle_.radius();
    if (chart_ == Model::sphere) return size * (Big(1) + off() / (k * chord()));
    if (chart_ != Model::lorentz && chart_ != Model::klein) return size;
    return size * (blur(chart_, k, x_) + blur(chart_, k, y_));
  }

 private:
  /// The sum of the points over K, brought to the sphere of radius 1.
  Big chord() const { return norm(x_ * (Big(1) / norm(x_)) + y_ * (Big(1) / norm(y_))); }

  Model chart_;
  const ManifoldOracle& oracle_;
  const BigVector& x_;
  const BigVector& y_;
};

/// A bound: so many u^N of the reference, which is in words `text`.
struct StatedBound {
  double units;
  const char* text;
};

enum class GeometryOperation {
  dist,
  expmap,
  logmap,
  ptransp,
  geodesic,
  retr,
  proju,
  mobius_add,
  dist_gradient,
  to_half_space,
  to_lorentz
};

inline std::string geometry_operation_name(GeometryOperation operation) {
  constexpr const char* names[] = {"dist",          "expmap",        "logmap",    "ptransp",
                                   "geodesic",      "retr",          "proju",     "mobius_add",
                                   "dist_gradient", "to_half_space", "to_lorentz"};
  return names[int(operation)];
}

/// An error as a share of its bound, so many u^N of a reference; what limbs below the smallest
/// subnormal leave is free.
template <class V>
double share_of_bound(const Big& error, double units, const Big& reference) {
  const Big rest = error - Big(1e6) * Big(double(FloatTraits<Limb<V>>::eta));
  if (rest <= Big(0)) return 0;
  const double share = double(rest / (Big(units) * unit<V>() * reference));
  return std::isnan(share) ? INFINITY : share;
}

/// What the report says of an operation on points of V whose errors are such shares.
template <class V>
OperationResult geometry_result(const std::string& name, const std::string& type,
                                const StatedBound& bound) {
  OperationResult result;
  result.operation = name;
  result.type = type;
  result.components = limbs<V>;
  result.precision = FloatTraits<Limb<V>>::p;
  result.bound = 1;
  result.bound_text = fmt::format("1 = {:.3g} u^{} {}", bound.units, limbs<V>, bound.text);
  return result;
}

/// The bound of an operation of M on points of V.
template <template <class> class M, class V>
StatedBound stated_bound(GeometryOperation operation) {
  using enum GeometryOperation;
  using Info = ModelInfo<M>;
  constexpr int n = Cases<M, V>::n;
  constexpr bool narrow = !std::is_same_v<Limb<V>, double>;
  const double units = geometry::manifold_bound<V>(n);
  if constexpr (Info::chart == Model::euclidean) {
    if (operation == geodesic) return {units, "(|z| + t |dz/dt|)"};
    if (operation == dist) return {narrow ? units : n / 2.0 + 4, "dist"};
    if (operation == ptransp) return {0, "|u|"};
    if (operation == dist_gradient) return {units, "|z|"};
    return {narrow ? units : error_bounds<limbs<V>>.add, "|z_i|"};
  }
  constexpr bool sphere = Info::chart == Model::sphere;
  switch (operation) {
    case dist:
      return {units, sphere ? "(dist + off)" : "dist"};
    case geodesic:
      if (Info::model == Model::half_space) return {units, "(|z_i| + t |dz_i/dt|)"};
      return {units, sphere ? "(|z| + t |dz/dt| + off t / sin t)" : "(|z| + t |dz/dt|)"};
    case proju:
      return {units, "(|z| + |v| (1 + u (x_0/K)^2))"};
    case retr:
    case expmap:
      if (Info::model == Model::half_space) return {units, "(|z_i| + condition number)"};
      return {units, "(|z| + condition number)"};
    case mobius_add:
      return {units, "(|z| + condition number)"};
    case logmap:
      if (Info::chart == Model::klein) return {units, "|z| K / sqrt(G_x)"};
      if (Info::chart == Model::lorentz) return {units, "max(|z|, dist x_0 / K)"};
      return {units, sphere ? "(|z| + off t / sin t)" : "|z|"};
    case dist_gradient:
      if (Info::chart == Model::lorentz) return {units, "(|z| + u^(M-N) y_0 / (K sinh d))"};
      return {units, "|z|"};
    case ptransp:
      if (Info::chart == Model::lorentz) return {units, "|u| (x_0 + y_0) / K"};
      if (Info::chart == Model::klein) return {units, "|u| (K / sqrt(G_x) + K / sqrt(G_y))"};
      return {units, sphere ? "|u| (1 + off / |x + y|)" : "|u|"};
    default:
      return {2 * units, "|z|"};
  }
}

}  // namespace mct::validation
