// Points of the L-tiling, and the algorithm that moves a point into the fundamental domain.
//
// No bound is stated for lorentz_dot and domain_function, which are sums of two and three products.
// Source: Yu 2024, section 3.2.2, Algorithm 2 and theorem 3.2.2.
#pragma once

#include <array>

#include "mctensor/geometry/tiling/ltile.hpp"
#include "mctensor/geometry/tiling/scalar.hpp"

namespace mct::geometry {

/// The point L Z L^-1 h(u) of the hyperboloid x_0^2 - x_1^2 - x_2^2 = 1. Z is the tile. h(u) =
/// (sqrt(1 + |u|^2), u) is a point of the fundamental domain, of which u is stored. V is double,
/// float or an expansion of these.
template <class V>
struct LTilingPoint {
  LTile tile;
  std::array<V, 2> u{};
};

inline namespace MCT_ISA_NAMESPACE {

/// A point or tangent of the hyperboloid.
template <class V>
using Lorentz3 = std::array<V, 3>;

/// x_0 y_0 - x_1 y_1 - x_2 y_2 = -<x, y>_L.
template <class V>
V lorentz_dot(const Lorentz3<V>& x, const Lorentz3<V>& y) {
  return x[0] * y[0] - x[1] * y[1] - x[2] * y[2];
}

/// h(u): error <= 2 u^N in the first coordinate.
template <class V>
Lorentz3<V> lift(const std::array<V, 2>& u) {
  using namespace tiling_detail;
  return {sqrt(V(1) + u[0] * u[0] + u[1] * u[1]), u[0], u[1]};
}

/// max(2 u_0^2 - u_1^2, 2 u_1^2 - u_0^2): below 1 inside the fundamental domain F, 1 on its border
/// (Yu 2024, theorem 3.2.2).
template <class V>
V domain_function(const std::array<V, 2>& u) {
  const V p = u[0] * u[0];
  const V q = u[1] * u[1];
  const V larger = p < q ? q : p;
  const V smaller = p < q ? p : q;
  return larger + larger - smaller;
}

/// True inside F and on its border.
template <class V>
bool in_domain(const std::array<V, 2>& u) {
  return !(domain_function(u) > V(1));
}

/// The step that Algorithm 2 takes for a point outside F: act(step, h(u)) is nearer to the origin
/// than h(u). It is the inverse of the generator that the tile is multiplied by.
template <class V>
Generator reducing_step(const std::array<V, 2>& u) {
  using namespace tiling_detail;
  const V a = fabs(u[0]);
  const V b = fabs(u[1]);
  if (!(a < b)) return u[0] < V(0) ? Generator::a : Generator::b;
  return u[1] < V(0) ? Generator::b_inverse : Generator::a_inverse;
}

/// L g L^-1 x for a point or tangent x: error <= 6 u^N |x|.
template <class V>
Lorentz3<V> act(Generator g, const Lorentz3<V>& x) {
  using namespace tiling_detail;
  const V& root3 = root_three<V>();
  switch (g) {
    case Generator::a:
      return {x[0] + x[0] + root3 * x[1], -x[2], root3 * x[0] + x[1] + x[1]};
    case Generator::b:
      return {x[0] + x[0] - root3 * x[1], -x[2], x[1] + x[1] - root3 * x[0]};
    case Generator::a_inverse:
      return {x[0] + x[0] - root3 * x[2], x[2] + x[2] - root3 * x[0], -x[1]};
    case Generator::b_inverse:
    default:
      return {x[0] + x[0] + root3 * x[2], x[2] + x[2] + root3 * x[0], -x[1]};
  }
}

/// Moves a point into F by Algorithm 2. u may be any vector with a finite |u|^2. Each step replaces
/// h(u) by L g L^-1 h(u) for a generator g; reduce then calls `on_step(g)`. Returns the number of
/// steps. It is at most 1 + 7 d for a point at distance d from the center of its tile (theorem
/// 3.2.3).
///
/// The printed algorithm need not end for a point on the border, because its test is strict
/// (docs/errata.md). Here a step is only taken if it brings the point nearer to the origin.
/// Rounding moves the represented point by a few u^N if u is in F. If u is far outside, rounding
/// moves it by u^N x_0, which is the accuracy of u itself.
template <class V, class OnStep>
int reduce(LTilingPoint<V>& x, const OnStep& on_step) {
  Lorentz3<V> p = lift(x.u);
  LTile word;
  int steps = 0;
  while (!in_domain(x.u)) {
    const Generator g = reducing_step(x.u);
    const Lorentz3<V> q = act(g, p);
    const Lorentz3<V> next = lift<V>({q[1], q[2]});
    if (!(next[0] < p[0])) break;
    p = next;
    x.u = {p[1], p[2]};
    word = word * LTile::of(inverse(g));
    on_step(g);
    ++steps;
  }
  if (steps > 0) x.tile = x.tile * word;
  return steps;
}

/// reduce without a callback.
template <class V>
int reduce(LTilingPoint<V>& x) {
  return reduce(x, [](Generator) {});
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
