// Riemannian stochastic gradient descent: its formula and its state. The rule is follow_gradient in
// row_rules.hpp; optimizer.hpp says how a row is moved by it.
//
// Error: no bound is stated for a step. Domain: finite gradients; other rows are skipped.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

/// g = grad f - decay log_x(origin); b = momentum b + (1 - dampening) g, at first b = g; x <-
/// exp_x(-lr b), with Nesterov's momentum exp_x(-lr (g + momentum b)); b is transported parallel to
/// the new point. The rule is the same as in geoopt's RiemannianSGD, with two differences: geoopt's
/// first b is Euclidean and counted twice, and its decay acts on coordinates. Source: Bonnabel:
/// Stochastic gradient descent on Riemannian manifolds, IEEE TAC 58(9), 2013.
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
