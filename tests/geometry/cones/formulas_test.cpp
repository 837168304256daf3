// Every operation of cones against textbook formulas in 3072 bits, with the bounds that cones.hpp
// states: at random points, next to the boundary, on the axis, on the cone's boundary, at equal
// points, at altitude 0.
#include <gtest/gtest.h>

#include <string>

#include "tests/geometry/cones/cone_cases.hpp"
#include "tests/geometry/worst.hpp"

namespace mct::geometry_test {
namespace {

using namespace mct::geometry;
using geometry::detail::limbs_of;

/// Bounds in units of u^N: `reference`, and where that is not enough also a condition number, which
/// takes long to compute.
template <class V>
struct Bound {
  Big unit = Big(manifold_bound<V>(3) * geometry::detail::unit_roundoff<V>());
  Big floor = ldexp(Big(1), -1000);  // what 3072 bits leave of the oracle's differences
  /// u^(M - N): of three and four components products have M = 5.
  Big beside_axis = limbs_of<V> < 3 ? Big(0) : Big(limbs_of<V> == 3 ? 0x1p-106 : 0x1p-53);

  template <class F>
  Big of(const V& ours, const Big& truth, const Big& reference, const F& condition) const {
    const Big bound = unit * reference + floor;
    return abs(Big(ours) - truth) <= bound ? bound : unit * (reference + condition()) + floor;
  }
};

/// Cones of a kind over M, their length, the closest to the light and the farthest that points lie.
template <class C>
void check(const std::string& name, const C& cones, ConeKind kind, double nearest, double reach,
           int count) {
  using V = typename C::Value;
  using M = std::remove_cvref_t<decltype(cones.manifold())>;
  const auto radii = cones.all_radii();
  const ConeOracle oracle{model_of<M>, kind, Big(radii[0]), Big(radii[1])};
  ConeCases<M> cases(oracle, nearest, reach);
  Worst aperture(name + "half_aperture"), angle(name + "cone_angle"), energy(name + "angle_energy"),
      boundary(name + "boundary_distance"), altitude(name + "altitude"),
      distance(name + "cone_distance"), near(name + "boundary_distance, near");
  const Bound<V> bound;
  for (int i = 0; i < count; ++i) {
    const auto [u, v] = cases.make(i);
    const std::vector<BigVector> in{
        validation::big_vector(u), validation::big_vector(v), {oracle.k, oracle.length}};
    const BigVector &bu = in[0], &bv = in[1];
    const auto condition = [&](auto method) {
      return [&in, &oracle, method] {
        return validation::condition(in, [&](const std::vector<BigVector>& at) {
          const ConeOracle moved{oracle.model, oracle.kind, at[2][0], at[2][1]};
          return BigVector{(moved.*method)(at[0], at[1])};
        })[0];
      };
    };
    const auto boundary_condition = condition(&ConeOracle::boundary_distance);
    const Big theta = oracle.half_aperture(bu), phi = oracle.cone_angle(bu, bv);
    const Big open = (Big(1) + oracle.relative_length()) / cos(theta);
    const auto add = [&](Worst& worst, const V& ours, const Big& truth, const Big& reference) {
      worst.add(ours, truth, bound.unit * reference + bound.floor, i);
    };
    add(aperture, cones.half_aperture(u), theta, theta * open);
    add(angle, cones.cone_angle(u, v), phi, phi + bound.beside_axis);
    add(energy, cones.angle_energy(u, v), oracle.angle_energy(bu, bv), theta * open + phi);
    const Big b = oracle.boundary_distance(bu, bv), a = oracle.altitude(bu, bv);
    const V ours = cones.boundary_distance(u, v);
    boundary.add(ours, b, bound.of(ours, b, abs(b), boundary_condition), i);
    const Big apart = oracle.k * oracle.dist(bu, bv);
    if (apart < oracle.k) add(near, ours, b, apart * open);
    const V height = cones.altitude(u, v);
    const Big height_bound = bound.of(height, a, abs(a), condition(&ConeOracle::altitude));
    altitude.add(height, a, height_bound, i);
    // next to altitude 0 a step of gamma depends on rounding
    const bool level = abs(a) <= Big(1e3) * height_bound;
    const V gamma = level ? V(0) : V(radii[0] * V(1e-4));
    const Big c = oracle.cone_distance(bu, bv, Big(gamma));
    const V whole = cones.cone_distance(u, v, gamma);
    distance.add(whole, c, bound.of(whole, c, abs(c) + apart, boundary_condition), i);
    if (contains(cones, u, v) != (b <= Big(0))) {
      EXPECT_LE(abs(b), bound.unit * boundary_condition() + bound.floor) << name << i;
    }
  }
}

template <class V>
void check_all(const std::string& type, int count) {
  const V k(1.3);
  const HalfSpace<V> half(k);
  const PoincareBall<V> ball(k);
  // as far as coordinates in the ball tell points apart
  const double reach = geometry::detail::unit_roundoff<V>() < 1e-10 ? 20 : 6;
  for (const double r : {1e-9, 0.05, 1.0, 3.0}) {
    const std::string name = type + ", " + number_text(r) + ", ";
    const double hole = r / 1.3 + 0.01;
    check(name + "umbral half-space ", UmbralCones(half, V(r)), ConeKind::umbral, -3, 60, count);
    check(name + "umbral ball ", UmbralCones(ball, V(r)), ConeKind::umbral, hole, reach, count);
    check(name + "penumbral ball ", PenumbralCones(ball, V(r)), ConeKind::penumbral, hole, reach,
          count);
    check(name + "penumbral half-space ", PenumbralCones(half, V(r)), ConeKind::penumbral,
          -std::log(r) + 0.01, 60, count);
  }
}

/// Surrogates: |z| and the condition number.
template <class C>
void check_surrogates(const C& cones, double low, double high) {
  using V = typename C::Value;
  using M = std::remove_cvref_t<decltype(cones.manifold())>;
  const auto radii = cones.all_radii();
  const ConeOracle oracle{model_of<M>, ConeKind::penumbral, Big(radii[0]), Big(radii[1])};
  ConeCases<M> cases(oracle, low, high - low);
  Worst worst("surrogate");
  const Bound<V> bound;
  for (int i = 0; i < 100; ++i) {
    const auto u = cases.make(8 * i + 1).u;
    const std::vector<BigVector> in{validation::big_vector(u),
                                    {oracle.k, oracle.length, Big(radii[2])}};
    const auto f = [&](const std::vector<BigVector>& at) {
      return ConeOracle{oracle.model, oracle.kind, at[1][0], at[1][1]}.surrogate(at[0], at[1][2]);
    };
    const BigVector truth = f(in);
    const Big error = validation::norm(validation::big_vector(cones.surrogate(u)) - truth);
    const Big spread = validation::norm(truth) + validation::norm(validation::condition(in, f));
    worst.add(error, Big(0), bound.unit * spread, i);
  }
}
TEST(ConeFormulas, Surrogates) {
  check_surrogates(AntumbralCones(HalfSpace<double>(1.3), 2.0, 0.1), -std::log(2), 1.1);
  check_surrogates(AntumbralCones(PoincareBall<double>(1.3), 1.0, 0.1), 0.7, 2.2);
  check_surrogates(AntumbralCones(PoincareBall<f64x2>(1.3), f64x2(1), f64x2(1e-6)), 0.7, 13);
}

TEST(ConeFormulas, Double) { check_all<double>("double", 32); }
TEST(ConeFormulas, TwoComponents) { check_all<f64x2>("f64x2", 16); }
TEST(ConeFormulas, ThreeComponents) { check_all<f64x3>("f64x3", 8); }
TEST(ConeFormulas, Float) { check_all<float>("float", 16); }

}  // namespace
}  // namespace mct::geometry_test
