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

/// g = grad + decay p; b = momentum b + (1 - dampening) g (at first b = g); p -= lr b, or
/// lr (g + momentum b) with Nesterov's. As torch.optim.SGD.
template <class T, int N = 1>
class Sgd final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for negative options and for Nesterov without momentum or with dampening.
  explicit Sgd(std::vector<Variable<T, N>> parameters, const SgdOptions& options = {})
      : Sgd({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Learning rates and weight decays are those of the groups.
  Sgd(std::vector<ParameterGroup<T, N>> groups, const SgdOptions& options)
      : Base(std::move(groups)), options_(options) {
    if (!(options.momentum >= 0))
      throw DomainError("sgd: momentum " + std::to_string(options.momentum) + " is negative");
    if (options.nesterov && (options.momentum <= 0 || options.dampening != 0))
      throw DomainError("sgd: Nesterov's momentum needs momentum and no dampening");
  }

 private:
  std::string kind() const override { return "SGD"; }

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
