// Stochastic gradient descent.
#pragma once

#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

struct SgdOptions {
  double lr = 1e-3;
  double momentum = 0;
  double dampening = 0;
  double weight_decay = 0;
  bool nesterov = false;
};

/// Throws DomainError if an option is infinite or NaN, and if an option other than dampening is
/// negative. The message names the option and its value. Also throws DomainError for nesterov with
/// a momentum of 0 or with dampening.
void validate(const SgdOptions& options);

/// Let g = grad + decay p. At the first step of a parameter b = g; later b = momentum b + (1 -
/// dampening) g. Then p -= lr b, or p -= lr (g + momentum b) with Nesterov's momentum. With a
/// momentum of 0 a step is p -= lr g, and dampening is not used. This is the rule of
/// torch.optim.SGD.
template <class T, int N = 1>
class Sgd final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for options that validate refuses.
  explicit Sgd(std::vector<Variable<T, N>> parameters, const SgdOptions& options = {})
      : Sgd({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Each group has its own learning rate and weight decay; `options` has the other options.
  Sgd(std::vector<ParameterGroup<T, N>> groups, const SgdOptions& options)
      : Base(std::move(groups)), options_(options) {
    validate(options);
  }

  void visit_options(const OptionVisitor& visit) override {
    visit("momentum", options_.momentum);
    visit("dampening", options_.dampening);
    visit_choice(visit, "nesterov", options_.nesterov, 2);
    validate(options_);
  }

 private:
  std::string kind() const override { return "SGD"; }
  std::map<std::string, StateKind> state_kinds(const Shape& parameter) const override {
    if (options_.momentum == 0) return {};
    return {{"momentum", {StateValues::finite, parameter}}};
  }

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state, std::int64_t /*step*/) override {
    Tensor<T, N> g = Base::widened(grad);
    if (group.weight_decay != 0) add_(g, mul(p, group.weight_decay));
    if (options_.momentum != 0) {
      const bool first = state.find("momentum") == state.end();
      const Tensor<T, N>& b = Base::zeros_like(state, "momentum", p);
      mul_(b, options_.momentum);
      add_(b, first ? g : mul(g, 1 - options_.dampening));
      g = options_.nesterov ? add(g, mul(b, options_.momentum)) : b;
    }
    sub_(p, mul(g, group.lr));
  }

  SgdOptions options_;
};

}  // namespace mct::optim
