// Pairs of points for tests of cones: at random and where formulas are likely to fail.
#pragma once

#include <cmath>
#include <random>

#include "mctensor/geometry/cones/cones.hpp"
#include "tests/geometry/cones/cone_oracle.hpp"

namespace mct::geometry_test {

template <class V>
using Point3 = geometry::Point<V, 3>;

/// The number nearest to a large one.
template <class V>
V rounded_value(const Big& x) {
  if constexpr (is_expansion_v<V>) {
    V r;
    x.split(r.limb);
    return renormalize(r);
  } else {
    return x.rounded<V>();
  }
}
template <class V>
Point3<V> rounded_point(const BigVector& x) {
  return {rounded_value<V>(x[0]), rounded_value<V>(x[1]), rounded_value<V>(x[2])};
}

template <class M>
constexpr validation::Model model_of =
    geometry::detail::is_half_space_v<M> ? validation::Model::half_space : validation::Model::ball;

/// One pair.
template <class V>
struct Pair {
  Point3<V> u, v;
};

/// Of cones over the manifold M.
template <class M>
class ConeCases {
 public:
  using V = typename M::Value;
  static constexpr bool upper = geometry::detail::is_half_space_v<M>;
  static constexpr int kinds = 8;

  /// `nearest`: how far from the light's centre (ball; over K) or below its height (half-space) u
  /// is at least; `reach`: how far out points lie.
  ConeCases(const ConeOracle& oracle, double nearest, double reach)
      : oracle_(oracle), nearest_(nearest), reach_(reach) {}

  Pair<V> make(int i) {
    const BigVector u = apex(i % kinds == 1 ? reach_ : 3);
    return {rounded_point<V>(u), rounded_point<V>(other(i % kinds, u))};
  }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<>(low, high)(random_);
  }

 private:
  BigVector direction() {
    BigVector e;
    for (int i = 0; i < 3; ++i) e.push_back(Big(std::normal_distribution<>()(random_)));
    return e * (Big(1) / norm(e));
  }
  BigVector apex(double reach) {
    const Big depth(nearest_ + uniform(0, reach));
    if (!upper) return direction() * (oracle_.k * tanh(ldexp(depth, -1)));
    BigVector u = direction();
    u.back() = exp(-depth);
    return u;
  }
  /// At a distance from u, over K.
  BigVector anywhere(const BigVector& u, double distance) {
    const validation::ManifoldOracle m(oracle_.model, oracle_.k);
    const BigVector e = direction();
    return m.expmap(u, e * (oracle_.k * Big(distance) / m.norm_at(u, e)));
  }
  /// Between two points of the same distance the one where a function changes its sign.
  template <class F>
  BigVector root_of(const BigVector& u, const F& f) {
    const validation::ManifoldOracle m(oracle_.model, oracle_.k);
    const Big distance = oracle_.k * Big(std::exp(uniform(-8, 1)));
    const BigVector side = direction();
    const Big up(1.0);
    BigVector axis = u * up;
    if (upper) axis = BigVector{Big(0), Big(0), Big(-1)};
    axis = axis * (Big(1) / norm(axis));
    const auto at = [&](const Big& t) {
      const BigVector e = axis * cos(t) + (side - axis * dot(side, axis)) * sin(t);
      return m.expmap(u, e * (distance / m.norm_at(u, e)));
    };
    Big low(1e-9), high(3.14159);
    Big below = f(at(low)), above = f(at(high));
    if (!(below < Big(0))) return at(low);
    if (above < Big(0)) return at(high);
    // regula falsi; an end that stays counts half (Illinois), so that both come near
    int stays = 0;
    for (int i = 0; i < 60 && high - low > Big(1e-18); ++i) {
      const Big middle = low - below * (high - low) / (above - below);
      const Big value = f(at(middle));
      if (value < Big(0)) {
        low = middle;
        below = value;
        if (stays > 0) above = ldexp(above, -1);
        stays = 1;
      } else {
        high = middle;
        above = value;
        if (stays < 0) below = ldexp(below, -1);
        stays = -1;
      }
    }
    return at(low);
  }
  BigVector other(int kind, const BigVector& u) {
    switch (kind) {
      case 2:
        return oracle_.pushed(u, oracle_.k * Big(uniform(-0.5, 2)));  // on the axis
      case 3:
        return root_of(u, [&](const BigVector& v) { return oracle_.boundary_distance(u, v); });
      case 4:
        return anywhere(u, std::exp(-uniform(5, 30)));
      case 5:
        return u;
      case 6:
        return root_of(u, [&](const BigVector& v) { return oracle_.altitude(u, v); });
      case 7:
        return anywhere(u, uniform(3, reach_ / 4));
      default:
        return anywhere(u, uniform(0, 3));
    }
  }

  ConeOracle oracle_;
  double nearest_, reach_;
  std::mt19937_64 random_{7};
};

}  // namespace mct::geometry_test
