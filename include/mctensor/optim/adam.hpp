// Adam and AdamW in the arithmetic of the parameters. For 16-bit storage with float arithmetic and
// one fused kernel see mc_adamw.hpp.
#pragma once

#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;
  double weight_decay = 0;
  /// l2: Adam. decoupled: AdamW, p -= lr decay p before the step. inside: the same in one sum.
  WeightDecay decay_mode = WeightDecay::l2;
  bool amsgrad = false;
};

/// m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2;
/// p -= lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps). With AMSGrad v is replaced by the
/// largest v so far. As torch.optim.Adam and AdamW.
template <class T, int N = 1>
class Adam final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for betas outside [0, 1) and negative options.
  explicit Adam(std::vector<Variable<T, N>> parameters, const AdamOptions& options = {})
      : Adam({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  Adam(std::vector<ParameterGroup<T, N>> groups, const AdamOptions& options)
      : Base(std::move(groups)), options_(options) {
    for (const double beta : {options.beta1, options.beta2})
      if (!(beta >= 0 && beta < 1))
        throw DomainError("adam: beta " + std::to_string(beta) + " is not in [0, 1)");
    if (!(options.eps >= 0)) throw DomainError("adam: eps is negative");
  }

 private:
  using X = Expansion<T, N>;

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state) override {
    const auto t = double(Base::steps());
    Tensor<T, N> g = Base::widened(grad);
    if (group.weight_decay != 0 && options_.decay_mode == WeightDecay::l2)
      add_(g, mul(p, group.weight_decay));
    const Tensor<T, N>& m = Base::zeros_like(state, "m", p);
    const Tensor<T, N>& v = Base::zeros_like(state, "v", p);
    mul_(m, options_.beta1);
    add_(m, mul(g, 1 - options_.beta1));
    mul_(v, options_.beta2);
    add_(v, mul(square(g), 1 - options_.beta2));
    Tensor<T, N> largest = v;
    if (options_.amsgrad) {
      largest = Base::zeros_like(state, "v_max", p);
      largest.copy_(maximum(largest, v));
    }
    Tensor<T, N> update = div(m, correction(options_.beta1, t));
    const Tensor<T, N> root = sqrt(div(largest, correction(options_.beta2, t)));
    add_(root, options_.eps);
    div_(update, root);
    if (group.weight_decay != 0 && options_.decay_mode != WeightDecay::l2)
      add_(update, mul(p, group.weight_decay));
    sub_(p, mul(update, group.lr));
  }

  /// 1 - beta^t, in double.
  static double correction(double beta, double t) {
    return beta == 0 ? 1 : -std::expm1(t * std::log(beta));
  }

  AdamOptions options_;
};

/// PyTorch's defaults of AdamW.
inline AdamOptions adamw_defaults() {
  AdamOptions options;
  options.weight_decay = 0.01;
  options.decay_mode = WeightDecay::decoupled;
  return options;
}

}  // namespace mct::optim
