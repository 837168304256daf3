// Riemannian Adam, with AMSGrad and decay toward the origin: its formulas and its states. The rule
// is follow_gradient in row_rules.hpp; optimizer.hpp states how it moves a row.
//
// Error: no bound is stated for a step. Domain: finite gradients; other rows are skipped.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

/// m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) |g|^2 with the squared Riemannian length
/// of g; x <- exp_x(-lr m / (1 - beta1^t) / (sqrt(v / (1 - beta2^t)) + eps)). v is one number for
/// each point, so that a step is a tangent vector. Parallel transport moves m to the new point. t
/// counts the updates of each row. With AMSGrad the largest v so far takes the place of v. A new
/// radius rescales this v; earlier comparisons are not repeated. In a product v has one share for
/// each part. Curved and flat parts follow a new radius differently, so each share is rescaled
/// separately. The rule is the same as in geoopt's RiemannianAdam, except the decay.
/// Source: Becigneul, Ganea: Riemannian adaptive optimization methods, ICLR 2019.
template <class Rows>
class Radam final : public RiemannianOptimizer<Rows, RadamOptions> {
 public:
  using RiemannianOptimizer<Rows, RadamOptions>::RiemannianOptimizer;

  /// The first moment of a row, which is a tangent vector at its point, and the second moment.
  typename Rows::Vector first_moment(std::int64_t row) const { return this->state_vector(row); }
  double second_moment(std::int64_t row) const {
    return optim_detail::total(
        this->states().take_squares(optim_detail::RowState::v, {&row, 1})[0]);
  }
};
template <class Rows, class X>
Radam(Rows, X, RadamOptions) -> Radam<Rows>;
template <class Rows>
Radam(ManifoldParameter<Rows>, RadamOptions) -> Radam<Rows>;

}  // namespace mct::geometry
