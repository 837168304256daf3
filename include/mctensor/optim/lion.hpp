// Lion, an optimizer whose step is the sign of an interpolated momentum.
#pragma once

#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

struct LionOptions {
  double lr = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double weight_decay = 0;
};

/// Throws DomainError if a beta is outside [0, 1), or if another option is negative, infinite or
/// NaN. The message names the option and its value.
void validate(const LionOptions& options);

/// A step computes p -= lr (sign(beta1 m + (1 - beta1) g) + decay p), where sign(0) = 0, and then m
/// = beta2 m + (1 - beta2) g. Choose a learning rate 3 to 10 times smaller than for AdamW, and a
/// weight decay larger by the same factor. The only state is m, which has the type of the
/// parameters.
///
/// Source: Chen et al., Symbolic discovery of optimization algorithms, 2023, Alg. 2.
template <class T, int N = 1>
class Lion final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for options that validate refuses.
  explicit Lion(std::vector<Variable<T, N>> parameters, const LionOptions& options = {})
      : Lion({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Each group has its own learning rate and weight decay; `options` has the other options.
  Lion(std::vector<ParameterGroup<T, N>> groups, const LionOptions& options)
      : Base(std::move(groups)), options_(options) {
    validate(options);
  }

  void visit_options(const OptionVisitor& visit) override {
    visit("beta1", options_.beta1);
    visit("beta2", options_.beta2);
    validate(options_);
  }

 private:
  std::string kind() const override { return "Lion"; }
  std::map<std::string, StateKind> state_kinds(const Shape& parameter) const override {
    return {{"m", {StateValues::finite, parameter}}};
  }

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state, std::int64_t /*step*/) override {
    const Tensor<T, N> g = Base::widened(grad);
    const Tensor<T, N>& m = Base::zeros_like(state, "m", p);
    const Tensor<T, N> mixed = add(mul(m, options_.beta1), mul(g, 1 - options_.beta1));
    const Tensor<T, N> update =
        where(gt(mixed, 0), T(1), where(lt(mixed, 0), T(-1), Tensor<T, N>(p.shape())));
    if (group.weight_decay != 0) add_(update, mul(p, group.weight_decay));
    sub_(p, mul(update, group.lr));
    mul_(m, options_.beta2);
    add_(m, mul(g, 1 - options_.beta2));
  }

  LionOptions options_;
};

}  // namespace mct::optim
