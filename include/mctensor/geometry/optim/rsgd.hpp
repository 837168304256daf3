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
  using typename Base::VectorTensor;

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
    if (options_.momentum > 0) this->states().add_vectors("momentum");
  }

  void update(RowBlock& block, double rate) override {
    namespace rows = optim_detail;
    const Rows& space = this->space();
    VectorTensor g = rows::egrad2rgrad(space, block.points, block.partial);
    if (options_.weight_decay > 0)
      g = rows::sum(1, g, -options_.weight_decay, rows::to_origin(space, block.points));
    if (options_.momentum == 0) {
      this->move(block, rows::scaled(-rate, g), nullptr);
      return;
    }
    // the momentum of a row that has had no update is zero, and its first one g
    std::vector<double> fresh;
    for (const std::int64_t row : block.rows)
      fresh.push_back(this->updates(row) > 0 ? 1 - options_.dampening : 1);
    VectorTensor b =
        rows::sum(options_.momentum, this->states().take_vectors("momentum", block.rows), fresh, g);
    this->move(block,
               rows::scaled(-rate, options_.nesterov ? rows::sum(1, g, options_.momentum, b) : b),
               &b);
    this->states().put_vectors("momentum", block.rows, b, block.good);
  }

  RsgdOptions options_;
};

}  // namespace mct::geometry
