// Riemannian Adam, with AMSGrad and decay toward the origin.
//
// Error: no bound is stated of a step. Domain: finite gradients; a row with another is skipped.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

/// m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) |g|^2, the squared Riemannian length, one
/// number a point (so that a step is a tangent vector); x <- exp_x(-lr m / (1 - beta1^t) / (sqrt(v
/// / (1 - beta2^t)) + eps)); m is transported parallel to the new point. With AMSGrad v is replaced
/// by the largest v so far. In a product v is kept as what each part adds to it, so that a new
/// radius, which other parts follow differently than flat ones, leaves the v of the gradients in
/// its lengths; the largest v is compared in those of its time. t counts the updates of each row.
/// As geoopt's RiemannianAdam, but for the decay. Source: Becigneul, Ganea: Riemannian adaptive
/// optimization methods, ICLR 2019.
template <class Rows>
class Radam final : public RiemannianOptimizer<Rows> {
  using Base = RiemannianOptimizer<Rows>;

 public:
  using typename Base::Points;
  using typename Base::Vector;

  /// Throws DomainError for betas outside [0, 1) and negative options, ShapeError for points that
  /// are no rows.
  Radam(Rows space, Points points, const RadamOptions& options)
      : Base(std::move(space), std::move(points), options.lr, options.burn_in), options_(options) {
    begin();
  }
  /// The same of a leaf of autograd: of any storage, or of plain coordinates a variable.
  Radam(const ManifoldParameter<Rows>& parameter, const RadamOptions& options)
      : Base(parameter, options.lr, options.burn_in), options_(options) {
    begin();
  }
  Radam(Rows space, const typename Base::Leaf& leaf,
        const RadamOptions& options) requires std::is_same_v<typename Base::Leaf::Value, Points>
      : Base(std::move(space), leaf, options.lr, options.burn_in), options_(options) {
    begin();
  }

  /// The first moment of a row, a tangent vector at its point, and the second one.
  Vector first_moment(std::int64_t row) const {
    return this->space().load_vector(this->states().vectors("m"), row);
  }
  double second_moment(std::int64_t row) const {
    return optim_detail::total(this->states().take_squares("v", {&row, 1})[0]);
  }

 private:
  using typename Base::RowBlock;

  std::string kind() const override { return "Radam"; }

  /// Checks the options and makes the states.
  void begin() {
    options_.check();
    this->states().add_vectors("m");
    this->states().add_squares("v");
    if (options_.amsgrad) this->states().add_squares("v_max");
  }

  void update(RowBlock& block, double rate) override {
    typename Base::RuleBlock rows(*this, block);
    detail::follow_gradient(options_, rate, rows);
  }

  RadamOptions options_;
};

}  // namespace mct::geometry
