// Textbook formulas of cones in 3072 bits: those of Yu 2024, section 2.2 and appendix A.1, as they
// stand in docs/errata.md where they are wrong there.
#pragma once

#include "validation/core/geometry_oracle.hpp"

namespace mct::geometry_test {

using validation::Big;
using validation::BigVector;

enum class ConeKind { umbral, penumbral };

/// Cones in the ball or half-space of radius K; `length` the radius of balls or of the light, or
/// the light's height.
struct ConeOracle {
  validation::Model model;
  ConeKind kind;
  Big k, length;

  static Big clamped(const Big& c) {
    if (Big(1) < c) return Big(1);
    return c < Big(-1) ? Big(-1) : c;
  }
  static Big acos_of(const Big& c) { return acos(clamped(c)); }
  static Big asin_of(const Big& s) { return ldexp(acos(Big(-1)), -1) - acos_of(s); }
  bool in_ball() const { return model == validation::Model::ball; }
  Big r() const { return length / k; }
  /// The length over K; heights have no unit.
  Big relative_length() const { return in_ball() || kind == ConeKind::umbral ? r() : Big(0); }
  Big dist(const BigVector& x, const BigVector& y) const {
    return validation::ManifoldOracle(model, k).dist(x, y) / k;
  }
  Big dist0(const BigVector& x) const { return dist(x - x, x); }

  /// sinh d_u and so on, with light from the origin.
  Big alpha(const BigVector& u, const BigVector& v) const {
    return acos_of(dot(u, v) / (norm(u) * norm(v)));
  }
  Big beta(const BigVector& u) const { return asin_of(sinh(r()) / sinh(dist0(u))); }
  static Big aside(const BigVector& u, const BigVector& v) {
    BigVector d = v - u;
    d.back() = Big(0);
    return norm(d);
  }

  Big half_aperture(const BigVector& u) const {
    if (kind == ConeKind::penumbral) {
      if (in_ball()) return beta(u);
      return asin_of(u.back() / length);
    }
    if (!in_ball()) return acos_of(Big(1) / cosh(r()));
    return asin_of(tanh(r()) / tanh(dist0(u)));
  }
  Big cone_angle(const BigVector& u, const BigVector& v) const {
    if (norm(v - u).is_zero()) return Big(0);
    const validation::ManifoldOracle m(model, k);
    if (kind == ConeKind::penumbral) {
      const BigVector log = m.logmap(u, v);
      const Big along = in_ball() ? dot(log, u) / norm(u) : -log.back();
      return acos_of(along / norm(log));
    }
    if (!in_ball()) return acos_of((u.back() - v.back()) / norm(v - u));
    const BigVector U = m.to_space(u), X = m.to_space(v) - U;
    const Big c = clamped(dot(X, U) / (norm(X) * norm(U)));
    const Big across = cosh(dist0(u)) * sqrt(Big(1) - c * c);
    return acos_of(c / sqrt(c * c + across * across));
  }
  Big angle_energy(const BigVector& u, const BigVector& v) const {
    const Big e = cone_angle(u, v) - half_aperture(u);
    return e < Big(0) ? Big(0) : e;
  }
  Big temperature(const BigVector& u, const BigVector& v) const {
    if (!in_ball()) return (aside(u, v) - u.back() * sinh(r())) / v.back();
    return sinh(dist0(v)) * sin(alpha(u, v) - beta(u));
  }
  Big boundary_distance(const BigVector& u, const BigVector& v) const {
    if (kind == ConeKind::umbral) return k * (asinh(temperature(u, v)) + r());
    return k * asinh(sinh(dist(u, v)) * sin(cone_angle(u, v) - half_aperture(u)));
  }
  Big altitude(const BigVector& u, const BigVector& v) const {
    if (kind == ConeKind::penumbral)
      return -k * atanh(tanh(dist(u, v)) * cos(cone_angle(u, v) - half_aperture(u)));
    if (in_ball()) {
      const Big own = acosh(cosh(dist0(u)) / cosh(r()));
      return k * (own - atanh(tanh(dist0(v)) * cos(alpha(u, v) - beta(u))));
    }
    const Big t = temperature(u, v);
    return k * log(v.back() * sqrt(Big(1) + t * t) / (u.back() * cosh(r())));
  }
  /// u moved along the axis.
  BigVector pushed(const BigVector& u, const Big& gamma) const {
    if (in_ball()) return u * (k * tanh(ldexp(dist0(u) + gamma / k, -1)) / norm(u));
    BigVector p = u;
    p.back() = u.back() * exp(-gamma / k);
    return p;
  }
  /// Where rays cross that touch the light and a ball around u, of radius `size`.
  BigVector surrogate(const BigVector& u, const Big& size) const {
    if (in_ball()) {
      const Big small = sinh(size / k), d = dist0(u);
      const Big s = atanh(small * sinh(d) / (sinh(r()) - small * cosh(d)));
      return pushed(u, k * s);
    }
    BigVector p = u;
    p.back() = sqrt(u.back() * (u.back() - Big(2) * length * sinh(size / k)));
    return p;
  }
  Big cone_distance(const BigVector& u, const BigVector& v, const Big& gamma) const {
    if (Big(0) < altitude(u, v)) return k * dist(pushed(u, gamma), v);
    return boundary_distance(u, v);
  }
};

}  // namespace mct::geometry_test
