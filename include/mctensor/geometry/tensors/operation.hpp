// The list of the operations that are compiled for tensors of points. This header has no code.
#pragma once

#include <string_view>

#include "mctensor/geometry/model_names.hpp"

namespace mct::geometry {

/// Calls list(name, operands, result) for every operation. Operands: p for a point or vector, n for
/// a number. (Other lists have q, a vector with its own number of coordinates.) Result: number,
/// vector or point; rounding keeps a point on the manifold.
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
  /* (x, u): the end of the geodesic from x along u; retr: a point within O(|u|^3) of it */ \
  list(expmap, pp, point) list(expmap0, p, point) list(retr, pp, point) \
  /* (x, y): the vector at x whose expmap is y */ \
  list(logmap, pp, vector) list(logmap0, p, vector) \
  /* (x, y, u): u moved from x parallel to y; (y, u): from the origin to y, and back */ \
  list(ptransp, ppp, vector) list(ptransp0, pp, vector) list(ptransp0back, pp, vector) \
  /* (t, x, y): the point at t, 0 at x and 1 at y; (t, x, u): at length t along u */ \
  list(geodesic, npp, point) list(geodesic_unit, npp, point) \
  /* to the manifold, to the tangent space at x; partial derivatives to the gradient */ \
  list(projx, p, point) list(proju, pp, vector) list(egrad2rgrad, pp, vector) \
  /* (x, p, a): the signed distance from the hyperplane through p with the normal vector a */ \
  list(dist2plane, ppp, number) \
  /* (x, omega): omega is a unit vector toward a point of the boundary */ \
  list(busemann, pp, number) list(horosphere_projection, pp, point) \
  /* (x, mean, deviation): the logarithm of the density of random_normal around a mean */ \
  list(normal_log_prob, ppn, number) \
  /* the farthest point */ \
  list(antipode, p, point) \
  /* gyrovectors: x (+) y, x (-) y, x [+] y, x [-] y, r (x) x, w (x) x, gyr[x, y] v */ \
  list(mobius_add, pp, point) list(mobius_sub, pp, point) list(mobius_coadd, pp, point) \
  list(mobius_cosub, pp, point) list(mobius_scalar_mul, np, point) \
  list(mobius_pointwise_mul, pp, point) list(gyration, ppp, vector)
// clang-format on

enum class OperationResult { number, vector, point };

/// The operations, numbered as in the list.
#define MCT_NAME_OPERATION(op, kinds, gives) op,
enum class TensorOperation { MCT_FOR_EACH_MANIFOLD_OPERATION(MCT_NAME_OPERATION) count };
#undef MCT_NAME_OPERATION

/// The entries of the list, and one for `count`, which stands for a conversion.
struct OperationDescription {
  const char* name;
  std::string_view operands;
  OperationResult result;
};
#define MCT_DESCRIBE_OPERATION(op, kinds, gives) {#op, #kinds, OperationResult::gives},
inline constexpr OperationDescription manifold_operations[] = {MCT_FOR_EACH_MANIFOLD_OPERATION(
    MCT_DESCRIBE_OPERATION){"convert", "p", OperationResult::point}};
#undef MCT_DESCRIBE_OPERATION
constexpr const OperationDescription& described(TensorOperation operation) {
  return manifold_operations[int(operation)];
}

}  // namespace mct::geometry
