// Riemannian stochastic gradient descent: its formula and its state. The rule is follow_gradient in
// row_rules.hpp; optimizer.hpp says how the rule moves a row.
//
// Error: no bound is stated for a step. Domain: finite gradients; rows with other gradients are
// skipped.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

/// Let g = grad f - decay log_x(origin). At the first step b = g; later b = momentum b + (1 -
/// dampening) g. Then x <- exp_x(-lr b). With Nesterov's momentum, x <- exp_x(-lr (g + momentum
/// b)). Parallel transport moves b to the new point. geoopt's RiemannianSGD has the same rule, with
/// two differences: its first b is Euclidean and counted twice, and its decay acts on coordinates.
/// Source: Bonnabel: Stochastic gradient descent on Riemannian manifolds, IEEE TAC 58(9), 2013.
template <class Rows>
class Rsgd final : public RiemannianOptimizer<Rows, RsgdOptions> {
 public:
  using RiemannianOptimizer<Rows, RsgdOptions>::RiemannianOptimizer;

  /// The momentum of a row: a tangent vector at its point.
  typename Rows::Vector momentum(std::int64_t row) const { return this->state_vector(row); }
};
template <class Rows, class X>
Rsgd(Rows, X, RsgdOptions) -> Rsgd<Rows>;
template <class Rows>
Rsgd(ManifoldParameter<Rows>, RsgdOptions) -> Rsgd<Rows>;

}  // namespace mct::geometry
