// Rounds points to a narrower number type.
//
// Error: u^N of the narrower type for each coordinate. If rounding would lead out of the model,
// 2.04 u^N of the point's length. Domain: points. Beyond the type's range a point of the
// hyperboloid becomes the last one in its direction, and a coordinate of the half-space becomes
// 2^(emax - 4). An invalid point stays invalid. Source: rounded_point (domain.hpp).
#pragma once

#include "mctensor/geometry/operate.hpp"
#include "mctensor/geometry/tensors/pointwise.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The point x of a manifold as a Point<V>. After rounding it is still a point of the manifold: not
/// on the boundary of a ball, and without a height of 0. Converting the coordinates one by one does
/// not ensure this.
template <class V, FormulaManifold M, int n>
requires std::is_same_v<typename M::Value, work_t<V>> Point<V, n> round_points(
    const M& m, const Point<work_t<V>, n>& x) {
  m.require(x);
  return detail::rounded_point<V>(m.formulas(), x);
}
/// round_points for every point of a tensor.
template <class V, FormulaManifold M>
requires std::is_same_v<typename M::Value, work_t<V>> tensor_of<V> round_points(
    const M& m, const tensor_of<work_t<V>>& x) {
  detail::require_points_of("round_points", m, x);
  const auto n = x.size(-1);
  return detail::pointwise(
      "round_points", int(n), n,
      [&](const Point<work_t<V>>& point) { return round_points<V>(m, point); },
      detail::point_operand<work_t<V>>("round_points", x));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
