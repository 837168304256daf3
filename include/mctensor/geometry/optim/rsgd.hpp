// Riemannian stochastic gradient descent.
//
// Error: no bound is stated of a step. Domain: finite gradients; a row with another is skipped.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

/// g = grad f - decay log_x(origin); b = momentum b + (1 - dampening) g, at first b = g;
/// x <- exp_x(-lr b), with Nesterov's momentum exp_x(-lr (g + momentum b)); b is transported
/// parallel to the new point. As geoopt's RiemannianSGD, but for the first b (which is Euclidean
/// there, and counted twice) and the decay (which is of the coordinates there). Source: Bonnabel:
/// Stochastic gradient descent on Riemannian manifolds, IEEE TAC 58(9), 2013.
template <class Rows>
class Rsgd final : public RiemannianOptimizer<Rows> {
  using Base = RiemannianOptimizer<Rows>;

 public:
  using typename Base::Points;
  using typename Base::Vector;

  /// Throws DomainError for options that make no sense, ShapeError for points that are no rows.
  Rsgd(Rows space, Points points, const RsgdOptions& options)
      : Base(std::move(space), std::move(points), options.lr, options.burn_in), options_(options) {
    begin();
  }
  /// The same of a leaf of autograd: of any storage, or of plain coordinates a variable.
  Rsgd(const ManifoldParameter<Rows>& parameter, const RsgdOptions& options)
      : Base(parameter, options.lr, options.burn_in), options_(options) {
    begin();
  }
  Rsgd(Rows space, const typename Base::Leaf& leaf,
       const RsgdOptions& options) requires std::is_same_v<typename Base::Leaf::Value, Points>
      : Base(std::move(space), leaf, options.lr, options.burn_in), options_(options) {
    begin();
  }

  /// The momentum of a row: a tangent vector at its point.
  Vector momentum(std::int64_t row) const {
    return this->space().load_vector(this->states().vectors("momentum"), row);
  }

 private:
  using typename Base::RowBlock;

  std::string kind() const override { return "Rsgd"; }

  /// Checks the options and makes the states.
  void begin() {
    options_.check();
    if (options_.momentum > 0) this->states().add_vectors("momentum");
  }

  void update(RowBlock& block, double rate) override {
    typename Base::RuleBlock rows(*this, block);
    detail::follow_gradient(options_, rate, rows);
  }

  RsgdOptions options_;
};

}  // namespace mct::geometry
