// The operations of manifolds: one list, from which everything that bears their names is made.
//
// A model (poincare_ball.hpp ...) writes a formula once, for a number type W. An operation of the
// list then exists as a method and as a function, ball.dist(x, y) and dist(ball, x, y), on
// - points (point.hpp) of any number type, one at a time or in SIMD lanes;
// - tensors of points (tensors.hpp), whose leading dimensions broadcast;
// - variables (autograd.hpp), with derivatives by every operand and by the radius.
// A model that has no formula of a name (antipode in hyperbolic space) does not have the operation.
// An operation of one's own is a type as those below, with the formula in `on`: operate<Op>(m,
// x...) then takes points, tensors and variables (docs/geometry_use.md has an example). Names and
// order of arguments are geoopt's. Formulas, bounds and domains: docs/geometry.md and the models'
// headers.
#pragma once

#include <type_traits>

#include "mctensor/geometry/point.hpp"

namespace mct::geometry {

/// Calls list(name, operands, result) for every operation. Operands: p for a point or vector, n for
/// a number (q, elsewhere: a vector with coordinates of its own). Result: number, vector, or point:
/// that is one of the manifold however it is rounded.
// clang-format off
#define MCT_FOR_EACH_MANIFOLD_OPERATION(list) \
  /* lengths; dist2: the square of dist; of tangent vectors u, v at x */ \
  list(dist, pp, number) list(dist2, pp, number) list(dist0, p, number) \
  list(inner, ppp, number) list(norm, pp, number) \
  /* (x, y): the partial derivatives of dist by x, 0 where y = x */ \
  list(dist_gradient, pp, vector) \
  /* (x, u, v): for every coordinate the inner product of the part that it belongs to */ \
  list(component_inner, ppp, vector) \
  /* the factor of a conformal metric, <u, v>_x = lambda_x^2 u.v */ \
  list(lambda_x, p, number) \
  /* (x, u): the end of the geodesic from x along u; retr: the same to third order */ \
  list(expmap, pp, point) list(expmap0, p, point) list(retr, pp, point) \
  /* (x, y): the vector at x whose expmap is y */ \
  list(logmap, pp, vector) list(logmap0, p, vector) \
  /* (x, y, u): u at x moved parallel to y; (y, u): from the origin to y and back */ \
  list(ptransp, ppp, vector) list(ptransp0, pp, vector) list(ptransp0back, pp, vector) \
  /* (t, x, y): the point at t, 0 at x and 1 at y; (t, x, u): at length t along u */ \
  list(geodesic, npp, point) list(geodesic_unit, npp, point) \
  /* to the manifold, to the tangent space at x; partial derivatives to the gradient */ \
  list(projx, p, point) list(proju, pp, vector) list(egrad2rgrad, pp, vector) \
  /* (x, p, a): the signed distance from the hyperplane through p with the normal vector a */ \
  list(dist2plane, ppp, number) \
  /* (x, omega): for a unit vector omega toward a point of the boundary */ \
  list(busemann, pp, number) list(horosphere_projection, pp, point) \
  /* (x, mean, deviation): the logarithm of the density of random_normal, moved to a mean */ \
  list(normal_log_prob, ppn, number) \
  /* the farthest point */ \
  list(antipode, p, point) \
  /* gyrovectors: x (+) y, x (-) y, x [+] y, x [-] y, r (x) x, w (x) x, gyr[x, y] v */ \
  list(mobius_add, pp, point) list(mobius_sub, pp, point) list(mobius_coadd, pp, point) \
  list(mobius_cosub, pp, point) list(mobius_scalar_mul, np, point) \
  list(mobius_pointwise_mul, pp, point) list(gyration, ppp, vector)
// clang-format on

enum class OperationResult { number, vector, point };

/// The operations as types: what `operate` is told.
namespace operation {

#define MCT_DEFINE_OPERATION(op, kinds, gives)                                                    \
  struct op {                                                                                     \
    static constexpr const char* name = #op;                                                      \
    static constexpr const char* operands = #kinds;                                               \
    static constexpr OperationResult result = OperationResult::gives;                             \
    /** The formula of a model for values W; V is what the result will be rounded to. */          \
    template <class V, class F, class... X>                                                       \
    requires(                                                                                     \
        requires(const F& f, const X&... x) { f.op(x...); } ||                                    \
        requires(const F& f, const X&... x) { f.template op<V>(x...); }) MCT_HD MCT_ALWAYS_INLINE \
        static constexpr auto on(const F& f, const X&... x) {                                     \
      if constexpr (requires { f.op(x...); }) {                                                   \
        return f.op(x...);                                                                        \
      } else {                                                                                    \
        return f.template op<V>(x...);                                                            \
      }                                                                                           \
    }                                                                                             \
  };
MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_DEFINE_OPERATION)
#undef MCT_DEFINE_OPERATION

}  // namespace operation
}  // namespace mct::geometry
