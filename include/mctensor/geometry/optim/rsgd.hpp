// Riemannian stochastic gradient descent.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"

namespace mct::geometry {

struct RsgdOptions {
  double lr = 1e-2;
  double momentum = 0;  ///< from 0 to below 1
  double dampening = 0;
  bool nesterov = false;
  /// Adds decay / 2 d(x, origin)^2 to the loss of every row that is updated.
  double weight_decay = 0;
  BurnIn burn_in = {};
};

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
  using typename Base::RowPoint;
  using typename Base::T;
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
  Vector momentum(std::int64_t row) const { return this->vector("momentum", row); }

 private:
  std::string kind() const override { return "Rsgd"; }

  /// Checks the options and makes the states.
  void begin() {
    optim_detail::check_option("rsgd: momentum", options_.momentum,
                               options_.momentum >= 0 && options_.momentum < 1);
    optim_detail::check_option("rsgd: dampening", options_.dampening, true);
    optim_detail::check_option("rsgd: weight_decay", options_.weight_decay,
                               options_.weight_decay >= 0);
    if (options_.nesterov && (options_.momentum <= 0 || options_.dampening != 0))
      throw DomainError("rsgd: Nesterov's momentum needs momentum and no dampening");
    if (options_.momentum > 0) this->add_vectors("momentum");
  }

  bool update(std::int64_t row, const T* partial, double rate) override {
    const Rows& space = this->space();
    const RowPoint x = this->point(row);
    Vector g = space.gradient(x, partial);
    if (options_.weight_decay > 0) g = space.sum(1, g, -options_.weight_decay, space.to_origin(x));
    Vector along = g;
    Vector b = g;
    if (options_.momentum > 0) {
      if (this->updates(row) > 0)
        b = space.sum(options_.momentum, momentum(row), 1 - options_.dampening, g);
      along = options_.nesterov ? space.sum(1, g, options_.momentum, b) : b;
    }
    const bool has_momentum = options_.momentum > 0;
    RowPoint y = x;
    if (!this->move(y, space.scaled(-rate, along), has_momentum ? &b : nullptr)) return false;
    if (has_momentum) this->set_vector("momentum", row, b);
    this->set_point(row, y);
    ++this->updates(row);
    return true;
  }

  RsgdOptions options_;
};

}  // namespace mct::geometry
