// Adam and AdamW, computed in the arithmetic of the parameters. mc_adamw.hpp has AdamW with 16-bit
// storage, float arithmetic and one fused kernel.
#pragma once

#include <string_view>

#include "mctensor/base/number_text.hpp"
#include "mctensor/optim/adamw.hpp"
#include "mctensor/optim/bias_correction.hpp"
#include "mctensor/optim/optimizer.hpp"

namespace mct::optim {

struct AdamOptions {
  double lr = 1e-3;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double eps = 1e-8;  ///< 0 is allowed: then an element with v = 0 only decays
  double weight_decay = 0;
  /// l2 gives Adam, inside gives AdamW. decoupled subtracts (lr / options.lr) decay p, where lr is
  /// the rate of the group.
  WeightDecay decay_mode = WeightDecay::l2;
  bool amsgrad = false;
};

/// Throws DomainError, which names the option and its value, for betas outside [0, 1), and for
/// other options that are negative, infinite or NaN.
void validate(const AdamOptions& options);

/// m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g^2; p -= lr (m / (1 - beta1^t)) /
/// (sqrt(v / (1 - beta2^t)) + eps). With AMSGrad the largest v so far takes the place of v in the
/// update of p. The rules are the rules of torch.optim.Adam and AdamW.
template <class T, int N = 1>
class Adam : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for options that validate refuses, and for an eps that T rounds to 0 (in
  /// half below 3e-8). In half, (1 - beta2) g^2 also underflows: to 0 for gradients below about
  /// 2^-7.5 if beta2 is 0.999.
  explicit Adam(std::vector<Variable<T, N>> parameters, const AdamOptions& options = {})
      : Adam({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Each group has its own learning rate and weight decay; `options` has the other options.
  Adam(std::vector<ParameterGroup<T, N>> groups, const AdamOptions& options)
      : Base(std::move(groups)), options_(options) {
    check_options();
  }

  void visit_options(const OptionVisitor& visit) override {
    visit("lr", options_.lr);  // a decoupled decay divides by it
    visit("beta1", options_.beta1);
    visit("beta2", options_.beta2);
    visit("eps", options_.eps);
    visit_choice(visit, "decay_mode", options_.decay_mode, 3);
    visit_choice(visit, "amsgrad", options_.amsgrad, 2);
    check_options();
  }

 private:
  void check_options() const {
    validate(options_);
    if (options_.eps > 0 && T(options_.eps) == T(0))
      throw DomainError("Adam: eps " + number_text(options_.eps) +
                        " is 0 in the type of the parameters: choose at least 6e-8");
  }

  std::string kind() const override { return "Adam"; }
  std::map<std::string, StateKind> state_kinds(const Shape& parameter) const override {
    std::map<std::string, StateKind> kinds = {{"m", {StateValues::finite, parameter}},
                                              {"v", {StateValues::not_negative, parameter}}};
    if (options_.amsgrad) kinds.emplace("v_max", StateKind{StateValues::not_negative, parameter});
    return kinds;
  }

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state, std::int64_t step) override {
    const auto t = double(step);
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
    Tensor<T, N> update = div(m, bias_correction(options_.beta1, t));
    const Tensor<T, N> root = sqrt(div(largest, bias_correction(options_.beta2, t)));
    add_(root, options_.eps);
    div_(update, root);
    if (options_.eps == 0) update.copy_(where(eq(root, 0), T(0), update));
    if (options_.decay_mode == WeightDecay::inside) add_(update, mul(p, group.weight_decay));
    mul_(update, group.lr);
    if (options_.decay_mode == WeightDecay::decoupled) {
      const double schedule = options_.lr > 0 ? group.lr / options_.lr : 1;
      add_(update, mul(p, schedule * group.weight_decay));
    }
    sub_(p, update);
  }

  AdamOptions options_;
};

/// PyTorch's defaults of AdamW.
inline AdamOptions adamw_defaults() {
  AdamOptions options;
  options.weight_decay = 0.01;
  options.decay_mode = WeightDecay::inside;
  return options;
}

/// Adam whose weight decay acts on the parameters, not on the gradients (Loshchilov, Hutter:
/// Decoupled weight decay regularization, 2019), as in torch.optim.AdamW.
template <class T, int N = 1>
class AdamW final : public Adam<T, N> {
 public:
  /// Throws DomainError as Adam does, and for WeightDecay::l2, because AdamW with l2 is Adam.
  explicit AdamW(std::vector<Variable<T, N>> parameters,
                 const AdamOptions& options = adamw_defaults())
      : Adam<T, N>(std::move(parameters), checked(options)) {}
  AdamW(std::vector<ParameterGroup<T, N>> groups, const AdamOptions& options)
      : Adam<T, N>(std::move(groups), checked(options)) {}

  void visit_options(const OptionVisitor& visit) override {
    Adam<T, N>::visit_options([&](const char* name, double& value) {
      visit(name, value);
      if (std::string_view(name) == "decay_mode" && value == double(WeightDecay::l2)) refuse_l2();
    });
  }

 private:
  std::string kind() const override { return "AdamW"; }

  static const AdamOptions& checked(const AdamOptions& options) {
    if (options.decay_mode == WeightDecay::l2) refuse_l2();
    return options;
  }
  [[noreturn]] static void refuse_l2() {
    throw DomainError(
        "AdamW: decay_mode l2 belongs to Adam; start from adamw_defaults(), whose decay_mode is "
        "inside");
  }
};

}  // namespace mct::optim
