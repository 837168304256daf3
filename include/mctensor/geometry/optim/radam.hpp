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
  using typename Base::VectorTensor;

  std::string kind() const override { return "Radam"; }

  /// Checks the options and makes the states.
  void begin() {
    for (const double beta : {options_.beta1, options_.beta2})
      if (!(beta >= 0 && beta < 1))
        throw DomainError("radam: beta " + std::to_string(beta) + " is not in [0, 1)");
    optim_detail::check_option("radam: eps", options_.eps, options_.eps >= 0);
    optim_detail::check_option("radam: weight_decay", options_.weight_decay,
                               options_.weight_decay >= 0);
    this->states().add_vectors("m");
    this->states().add_squares("v");
    if (options_.amsgrad) this->states().add_squares("v_max");
  }

  using Squares = std::vector<optim_detail::Squares<Rows>>;
  /// What the moments of a row are divided by after t updates.
  struct Corrections {
    double t = 0, first = 1, second = 1;
  };

  void update(RowBlock& block, double rate) override {
    namespace rows = optim_detail;
    const Rows& space = this->space();
    VectorTensor g = rows::egrad2rgrad(space, block.points, block.partial);
    if (options_.weight_decay > 0 && !options_.decoupled_decay)
      g = rows::sum(1, g, -options_.weight_decay, rows::to_origin(space, block.points));
    VectorTensor m = rows::sum(options_.beta1, this->states().take_vectors("m", block.rows),
                               1 - options_.beta1, g);
    const Squares v = second_moments(block, g);
    const Squares largest = options_.amsgrad ? largest_moments(block, v) : v;
    std::vector<double> factors;
    Corrections last;
    for (std::size_t i = 0; i < block.rows.size(); ++i) {
      if (!std::isfinite(rows::total(v[i]))) block.good[i] = false;
      const auto t = double(this->updates(block.rows[i]) + 1);
      if (last.t != t)  // as good as always that of the row before
        last = {t, optim::bias_correction(options_.beta1, t),
                optim::bias_correction(options_.beta2, t)};
      const double root = std::sqrt(rows::total(largest[i]) / last.second) + options_.eps;
      factors.push_back(root > 0 ? -rate / last.first / root : 0);
    }
    this->move(block, rows::scaled(factors, m), &m);
    if (options_.weight_decay > 0 && options_.decoupled_decay)
      this->move(block,
                 rows::scaled(rate * options_.weight_decay, rows::to_origin(space, block.points)),
                 &m);
    this->states().put_vectors("m", block.rows, m, block.good);
    this->states().put_squares("v", block.rows, v, block.good);
    if (options_.amsgrad) this->states().put_squares("v_max", block.rows, largest, block.good);
  }
  Squares second_moments(const RowBlock& block, const VectorTensor& g) const {
    const Rows& space = this->space();
    Squares v = this->states().take_squares("v", block.rows);
    for (std::size_t i = 0; i < v.size(); ++i) {
      const auto row = std::int64_t(i);
      const auto squares = optim_detail::squared_norms(space, space.load(block.points, row),
                                                       space.load_vector(g, row));
      for (std::size_t k = 0; k < squares.size(); ++k)
        v[i][k] = options_.beta2 * v[i][k] + (1 - options_.beta2) * squares[k];
    }
    return v;
  }
  /// Those so far, or v where it is larger.
  Squares largest_moments(const RowBlock& block, const Squares& v) const {
    Squares largest = this->states().take_squares("v_max", block.rows);
    for (std::size_t i = 0; i < v.size(); ++i)
      if (optim_detail::total(largest[i]) < optim_detail::total(v[i])) largest[i] = v[i];
    return largest;
  }

  RadamOptions options_;
};

}  // namespace mct::geometry
