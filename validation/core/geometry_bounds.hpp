// The errors that the headers of the manifolds allow, relative to what: for the suite and the
// tests.
#pragma once

#include <cmath>
#include <string>

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
  Big kept_inside(const PointType& type, const BigVector& exact) const {
    const bool round = chart_ == Model::ball || chart_ == Model::klein;
    const Big size = norm(exact);
    const Big margin = oracle_.radius() * ldexp(type.unit(), 1);
    return round && !type.is_double && oracle_.radius() - size < margin ? size : Big(0);
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
  /// 0 beside both, it has the digits of M limbs: the quotient of times and its product with X are
  /// rounded to them, 2 u^M Y_0. The factor of narrow types allows for one rounding only.
  Big gradient(const PointType& type, const BigVector& exact) const {
    if (chart_ != Model::lorentz) return norm(exact);
    const Big way = sinh(oracle_.dist(x_, y_) / oracle_.radius());
    if (way.is_zero()) return Big(1);
    const long roundings = type.is_double ? 1 : 2;
    return norm(exact) + ldexp(y_[0] / (oracle_.radius() * way), -type.spare_bits) * Big(roundings);
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

/// The error of a result as a share of its bound, so many u^N of a reference; what limbs below the
/// smallest subnormal leave is free.
inline double share_of_bound(const PointType& type, const Big& error, double units,
                             const Big& reference) {
  const Big rest = error - Big(1e6) * Big(type.eta);
  if (rest <= Big(0)) return 0;
  const double share = double(rest / (Big(units) * type.unit() * reference));
  return std::isnan(share) ? INFINITY : share;
}

/// What the report says of an operation on points of a type whose errors are such shares.
OperationResult geometry_result(const PointType& points, const std::string& name,
                                const std::string& type, const StatedBound& bound);

}  // namespace mct::validation
