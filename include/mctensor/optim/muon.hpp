// Muon, an optimizer for the matrices of a model. Newton-Schulz iterations orthogonalize its
// momentum.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "mctensor/base/number_text.hpp"
#include "mctensor/linalg/products.hpp"
#include "mctensor/optim/optimizer.hpp"
#include "mctensor/tensor/reduce.hpp"

namespace mct::optim {

/// The factor by which the orthogonalized momentum of a matrix (r, c) is multiplied.
enum class MuonScale {
  original,         ///< sqrt(max(1, r / c)): Keller Jordan's factor
  match_rms_adamw,  ///< 0.2 sqrt(max(r, c)): for learning rates that were chosen for AdamW
};

struct MuonOptions {
  double lr = 1e-3;
  double weight_decay = 0.1;
  double momentum = 0.95;
  bool nesterov = true;
  double eps = 1e-7;  ///< newton_schulz divides by at least eps; 0 is allowed: a matrix of zeros
                      ///< stays zero
  int ns_steps = 5;   ///< Newton-Schulz iterations
  MuonScale scale = MuonScale::original;
};

/// Throws DomainError, which names the option and its value, unless momentum is in [0, 1) and
/// ns_steps is from 1 to 100, and if another option is negative, infinite or NaN.
void validate(const MuonOptions& options);

/// A matrix with the singular vectors of x (r, c). Its singular values are from about 0.7 to 1.2,
/// except for singular values of x that are far smaller than the norm of x. The function computes x
/// / max(|x|, eps), and then `steps` times x <- (a + b (x x^T) + c (x x^T)^2) x with a, b, c =
/// 3.4445, -4.7750, 2.0315. A tall x is transposed before and after, so that x x^T is small. The
/// result is zero if the norm of x is 0, for every eps. Throws ShapeError unless x is a matrix.
/// Throws DomainError for negative steps and for an eps that is negative, infinite or NaN.
///
/// Source: Keller Jordan et al., Muon: an optimizer for hidden layers in neural networks, 2024
/// (kellerjordan.github.io/posts/muon). They chose the coefficients for a large slope at 0.
template <class T>
Tensor<T> newton_schulz(const Tensor<T>& x, int steps = 5, double eps = 1e-7) {
  if (x.dim() != 2)
    throw ShapeError("newton_schulz: " + mct::to_string(x.shape()) +
                     " is not the shape of a matrix");
  if (steps < 0)
    throw DomainError("newton_schulz: steps " + std::to_string(steps) + " is not at least 0");
  if (!(eps >= 0) || !std::isfinite(eps))
    throw DomainError("newton_schulz: eps " + number_text(eps) +
                      " is not a finite number of at least 0");
  const bool is_tall = x.size(0) > x.size(1);
  Tensor<T> result = is_tall ? x.t() : x;
  const auto length = double(norm(result).item());
  if (length == 0) return Tensor<T>(x.shape());  // else 0 / 0 if eps is 0 in T
  result = div(result, std::max(length, eps));
  for (int i = 0; i < steps; ++i) {
    const Tensor<T> square = mm(result, result.t());
    const Tensor<T> factor = add(mul(square, -4.7750), mul(mm(square, square), 2.0315));
    result = add(mul(result, 3.4445), mm(factor, result));
  }
  return is_tall ? result.t().contiguous() : result;
}

/// Each step computes m = momentum m + (1 - momentum) g, then p -= lr decay p, then p -= lr scale
/// newton_schulz(d). Here d is m, or (1 - momentum) g + momentum m with Nesterov's momentum. This
/// is the rule of torch.optim.Muon. The parameters must be matrices: the weights of hidden layers.
/// Give embeddings, the output layer, biases and norms to another optimizer, usually AdamW.
///
/// Momentum and step have as many components as the parameters. The iterations use plain doubles if
/// T is double, else plain floats, because their result need not be exact.
template <class T, int N = 1>
class Muon final : public Optimizer<T, N> {
 public:
  using Base = Optimizer<T, N>;

  /// Throws DomainError for options that validate refuses, and ShapeError for a parameter that is
  /// not a matrix.
  explicit Muon(std::vector<Variable<T, N>> parameters, const MuonOptions& options = {})
      : Muon({{std::move(parameters), options.lr, options.weight_decay}}, options) {}
  /// Each group has its own learning rate and weight decay; `options` has the other options.
  Muon(std::vector<ParameterGroup<T, N>> groups, const MuonOptions& options)
      : Base(std::move(groups)), options_(options) {
    validate(options);
    for (const auto& group : Base::groups())
      for (const auto& p : group.parameters) check_matrix(p.shape());
  }

  void visit_options(const OptionVisitor& visit) override {
    visit("momentum", options_.momentum);
    visit_choice(visit, "nesterov", options_.nesterov, 2);
    visit("eps", options_.eps);
    visit_choice(visit, "ns_steps", options_.ns_steps, 101);
    visit_choice(visit, "scale", options_.scale, 2);
    validate(options_);
  }

 private:
  using Work = std::conditional_t<std::is_same_v<T, double>, double, float>;

  std::string kind() const override { return "Muon"; }
  std::map<std::string, StateKind> state_kinds(const Shape& parameter) const override {
    return {{"momentum", {StateValues::finite, parameter}}};
  }

  void check_parameter(const Shape& parameter) const override { check_matrix(parameter); }
  static void check_matrix(const Shape& shape) {
    if (shape.size() != 2)
      throw ShapeError("Muon: a parameter of shape " + mct::to_string(shape) +
                       ": only matrices are orthogonalized, give others to AdamW");
  }

  void update(const ParameterGroup<T, N>& group, const Tensor<T, N>& p, const Tensor<T, 1>& grad,
              typename Base::State& state, std::int64_t /*step*/) override {
    const Tensor<T, N> g = mul(Base::widened(grad), 1 - options_.momentum);
    const Tensor<T, N>& m = Base::zeros_like(state, "momentum", p);
    mul_(m, options_.momentum);
    add_(m, g);
    const Tensor<T, N> direction = options_.nesterov ? add(g, mul(m, options_.momentum)) : m;
    const Tensor<Work> step =
        newton_schulz(convert<Work, 1>(direction), options_.ns_steps, options_.eps);
    if (group.weight_decay != 0) sub_(p, mul(p, group.lr * group.weight_decay));
    sub_(p, convert<T, N>(mul(step, group.lr * scale_of(p.shape()))));
  }

  double scale_of(const Shape& shape) const {
    const auto rows = double(shape[0]);
    const auto columns = double(shape[1]);
    return options_.scale == MuonScale::original ? std::sqrt(std::max(1.0, rows / columns))
                                                 : 0.2 * std::sqrt(std::max(rows, columns));
  }

  MuonOptions options_;
};

}  // namespace mct::optim
