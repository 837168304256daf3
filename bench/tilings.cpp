// Points per second in the hyperbolic plane, at a distance of 37 and of 600 from the origin: the
// L-tiling, the H-tiling, and MPFR with the bits that a half-plane needs there.
#include <mpfr.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "bench/registry.hpp"
#include "mctensor/geometry/tiling/htiling.hpp"
#include "mctensor/geometry/tiling/ltiling.hpp"
#include "validation/core/real.hpp"

namespace mct::bench {
namespace {

using geometry::HTiling;
using geometry::LTiling;
using validation::Real;

constexpr std::size_t points = 64;

/// Points at a distance from the origin, spread evenly, by the plane's geodesics.
template <class Plane, class V>
std::vector<typename Plane::Point> ring(const Plane& plane, double distance) {
  std::vector<typename Plane::Point> r;
  const auto origin = plane.origin();
  for (std::size_t i = 0; i < points; ++i) {
    const double angle = 0.05 + double(i) * 6.2831853 / double(points);
    r.push_back(
        plane.expmap(origin, {V(distance * std::cos(angle)), V(distance * std::sin(angle))}));
  }
  return r;
}

void enter(std::vector<Case>& cases, const std::string& work, double distance,
           const std::string& implementation, std::function<void(benchmark::State&)> run) {
  enter_items(cases, "geometry " + work, "d=" + std::to_string(int(distance)), implementation,
              double(points), [run = std::move(run)](benchmark::State& state) {
                run(state);
                state.SetItemsProcessed(std::int64_t(state.iterations()) * std::int64_t(points));
              });
}

template <class Plane, class V>
void enter_plane(std::vector<Case>& cases, const std::string& name, double distance) {
  const Plane plane;
  enter(cases, "dist", distance, name, [=](benchmark::State& state) {
    const auto x = ring<Plane, V>(plane, distance);
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(plane.dist(x[i], x[(i + 1) % points]));
  });
  enter(cases, "dist gradient", distance, name, [=](benchmark::State& state) {
    const auto x = ring<Plane, V>(plane, distance);
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(plane.dist_gradient(x[i], x[(i + 1) % points]));
  });
  enter(cases, "logmap", distance, name, [=](benchmark::State& state) {
    const auto x = ring<Plane, V>(plane, distance);
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(plane.logmap(x[i], x[(i + 1) % points]));
  });
  // a step of optimization: a tangent of length 1/2, which mostly ends in another tile
  enter(cases, "expmap", distance, name, [=](benchmark::State& state) {
    const auto x = ring<Plane, V>(plane, distance);
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        benchmark::DoNotOptimize(plane.expmap(x[i], {V(0.3), V(-0.4)}));
  });
}

/// A point (x, y) of the half-plane in MPFR numbers.
struct BigPoint {
  explicit BigPoint(mpfr_prec_t bits) : x(bits), y(bits) {}
  Real x;
  Real y;
};

/// Enough bits for the position to 2^-64 at a distance: a coordinate is as small as e^-d beside 1.
mpfr_prec_t bits_at(double distance) { return mpfr_prec_t(distance / std::log(2.0)) + 64; }

std::vector<BigPoint> big_ring(double distance) {
  const HTiling<double, 2> plane;
  std::vector<BigPoint> r;
  for (const auto& p : ring<HTiling<double, 2>, double>(plane, distance)) {
    BigPoint q(bits_at(distance));
    mpfr_set_str(q.x.get(), p.k[0].to_string().c_str(), 10, MPFR_RNDN);
    mpfr_add_d(q.x.get(), q.x.get(), p.z[0], MPFR_RNDN);
    mpfr_mul_2si(q.x.get(), q.x.get(), p.j, MPFR_RNDN);
    mpfr_set_d(q.y.get(), p.z[1], MPFR_RNDN);
    mpfr_mul_2si(q.y.get(), q.y.get(), p.j, MPFR_RNDN);
    r.push_back(q);
  }
  return r;
}

/// cosh of the distance less 1, |p - q|^2 / (2 y_p y_q).
void big_cosh_less_one(mpfr_ptr c, mpfr_ptr t, const BigPoint& p, const BigPoint& q) {
  mpfr_sub(c, p.x.get(), q.x.get(), MPFR_RNDN);
  mpfr_sqr(c, c, MPFR_RNDN);
  mpfr_sub(t, p.y.get(), q.y.get(), MPFR_RNDN);
  mpfr_sqr(t, t, MPFR_RNDN);
  mpfr_add(c, c, t, MPFR_RNDN);
  mpfr_mul(t, p.y.get(), q.y.get(), MPFR_RNDN);
  mpfr_div(c, c, t, MPFR_RNDN);
  mpfr_div_2ui(c, c, 1, MPFR_RNDN);
}
void big_distance(mpfr_ptr d, mpfr_ptr t, const BigPoint& p, const BigPoint& q) {
  big_cosh_less_one(d, t, p, q);
  mpfr_add_ui(d, d, 1, MPFR_RNDN);
  mpfr_acosh(d, d, MPFR_RNDN);
}

/// d / sinh d ((x_q - x_p) / y_q, (y_q - y_p) / y_q + cosh d - 1), in units of y_p.
void big_logarithm(BigPoint& v, mpfr_ptr d, mpfr_ptr t, const BigPoint& p, const BigPoint& q) {
  big_cosh_less_one(d, t, p, q);
  mpfr_sub(v.x.get(), q.x.get(), p.x.get(), MPFR_RNDN);
  mpfr_div(v.x.get(), v.x.get(), q.y.get(), MPFR_RNDN);
  mpfr_sub(v.y.get(), q.y.get(), p.y.get(), MPFR_RNDN);
  mpfr_div(v.y.get(), v.y.get(), q.y.get(), MPFR_RNDN);
  mpfr_add(v.y.get(), v.y.get(), d, MPFR_RNDN);
  mpfr_add_ui(d, d, 1, MPFR_RNDN);
  mpfr_acosh(d, d, MPFR_RNDN);
  mpfr_sinh(t, d, MPFR_RNDN);
  mpfr_div(d, d, t, MPFR_RNDN);
  mpfr_mul(v.x.get(), v.x.get(), d, MPFR_RNDN);
  mpfr_mul(v.y.get(), v.y.get(), d, MPFR_RNDN);
}

/// The geodesic of length 1/2 in the direction (0.6, -0.8).
void big_step(BigPoint& r, mpfr_ptr t, const BigPoint& p) {
  mpfr_set_d(t, 0.5, MPFR_RNDN);
  mpfr_sinh_cosh(r.x.get(), r.y.get(), t, MPFR_RNDN);
  mpfr_mul_d(t, r.x.get(), 0.8, MPFR_RNDN);
  mpfr_add(r.y.get(), r.y.get(), t, MPFR_RNDN);
  mpfr_div(r.y.get(), p.y.get(), r.y.get(), MPFR_RNDN);
  mpfr_mul_d(r.x.get(), r.x.get(), 0.6, MPFR_RNDN);
  mpfr_mul(r.x.get(), r.x.get(), r.y.get(), MPFR_RNDN);
  mpfr_add(r.x.get(), r.x.get(), p.x.get(), MPFR_RNDN);
}

void enter_mpfr(std::vector<Case>& cases, double distance) {
  const std::string name = "MPFR " + std::to_string(bits_at(distance));
  enter(cases, "dist", distance, name, [=](benchmark::State& state) {
    const auto x = big_ring(distance);
    Real d(bits_at(distance));
    Real t(bits_at(distance));
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        big_distance(d.get(), t.get(), x[i], x[(i + 1) % points]);
  });
  enter(cases, "logmap", distance, name, [=](benchmark::State& state) {
    const auto x = big_ring(distance);
    BigPoint v(bits_at(distance));
    Real d(bits_at(distance));
    Real t(bits_at(distance));
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i)
        big_logarithm(v, d.get(), t.get(), x[i], x[(i + 1) % points]);
  });
  enter(cases, "expmap", distance, name, [=](benchmark::State& state) {
    const auto x = big_ring(distance);
    BigPoint r(bits_at(distance));
    Real t(bits_at(distance));
    for (auto _ : state)
      for (std::size_t i = 0; i < points; ++i) big_step(r, t.get(), x[i]);
  });
}

}  // namespace

void add_tilings(std::vector<Case>& cases) {
  for (const double distance : {37.0, 600.0}) {
    enter_plane<LTiling<double>, double>(cases, "L-tiling f64", distance);
    enter_plane<LTiling<f64x2>, f64x2>(cases, "L-tiling f64x2", distance);
    enter_plane<HTiling<double, 2>, double>(cases, "H-tiling f64", distance);
    enter_plane<HTiling<f64x2, 2>, f64x2>(cases, "H-tiling f64x2", distance);
    enter_mpfr(cases, distance);
  }
}

}  // namespace mct::bench
