// Riemannian Adam, with AMSGrad and decay toward the origin.
#pragma once

#include "mctensor/geometry/optim/optimizer.hpp"
#include "mctensor/optim/bias_correction.hpp"

namespace mct::geometry {

struct RadamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  bool amsgrad = false;
  double weight_decay = 0;
  /// False: the decay is part of the loss, as in Adam. True: apart from it, as in AdamW; after the
  /// step every updated row goes lr decay of the way to the origin.
  bool decoupled_decay = false;
  BurnIn burn_in = {};
};

/// The defaults of AdamW.
inline RadamOptions radamw_defaults() {
  RadamOptions options;
  options.weight_decay = 0.01;
  options.decoupled_decay = true;
  return options;
}

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
  using typename Base::RowPoint;
  using typename Base::T;
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
  Vector first_moment(std::int64_t row) const { return this->vector("m", row); }
  double second_moment(std::int64_t row) const { return this->total(this->squares("v", row)); }

 private:
  std::string kind() const override { return "Radam"; }

  /// Checks the options and makes the states.
  void begin() {
    for (const double beta : {options_.beta1, options_.beta2})
      if (!(beta >= 0 && beta < 1))
        throw DomainError("radam: beta " + std::to_string(beta) + " is not in [0, 1)");
    optim_detail::check_option("radam: eps", options_.eps, options_.eps >= 0);
    optim_detail::check_option("radam: weight_decay", options_.weight_decay,
                               options_.weight_decay >= 0);
    this->add_vectors("m");
    this->add_numbers("v");
    if (options_.amsgrad) this->add_numbers("v_max");
  }

  bool update(std::int64_t row, const T* partial, double rate) override {
    const Rows& space = this->space();
    const RowPoint x = this->point(row);
    Vector g = space.gradient(x, partial);
    if (options_.weight_decay > 0 && !options_.decoupled_decay)
      g = space.sum(1, g, -options_.weight_decay, space.to_origin(x));
    const auto t = double(this->updates(row) + 1);
    Vector m = space.sum(options_.beta1, first_moment(row), 1 - options_.beta1, g);
    typename Base::Squares v = this->squares("v", row);
    const auto squares = optim_detail::squared_norms(space, x, g);
    for (std::size_t i = 0; i < v.size(); ++i)
      v[i] = options_.beta2 * v[i] + (1 - options_.beta2) * squares[i];
    typename Base::Squares largest = v;
    if (options_.amsgrad) {
      const auto before = this->squares("v_max", row);
      if (!(this->total(before) < this->total(v))) largest = before;
    }
    const double root =
        std::sqrt(this->total(largest) / optim::bias_correction(options_.beta2, t)) + options_.eps;
    const double factor = root > 0 ? -rate / optim::bias_correction(options_.beta1, t) / root : 0;
    RowPoint y = x;
    if (!std::isfinite(this->total(v)) || !this->move(y, space.scaled(factor, m), &m)) return false;
    if (options_.weight_decay > 0 && options_.decoupled_decay &&
        !this->move(y, space.scaled(rate * options_.weight_decay, space.to_origin(y)), &m))
      return false;
    this->set_vector("m", row, m);
    this->set_squares("v", row, v);
    if (options_.amsgrad) this->set_squares("v_max", row, largest);
    this->set_point(row, y);
    ++this->updates(row);
    return true;
  }

  RadamOptions options_;
};

}  // namespace mct::geometry
