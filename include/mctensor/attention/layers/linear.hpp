// Layers of hyperbolic networks. They map points to the tangent space at the origin, work there,
// and map the results back.
//
// Error: no bound is stated for a layer. docs/geometry.md states the bounds of the maps,
// linalg/products.hpp states the bound of the product. Domain: points of the manifold; other points
// give NaN. Source: Ganea, Becigneul, Hofmann: Hyperbolic neural networks, NeurIPS 2018 (functions
// at the origin); Shimizu et al. 2021, section 3.3 (hyperbolic_cat).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/attention/layers/coordinates.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// The linear layer W (x) x (+) b for points x of `in` dimensions; the result is a point of `out`
/// dimensions (Ganea et al. 2018, eq. 27, 28; HGCN's layer, Chami et al. 2019). Let y = expmap0(W
/// logmap0(x)). The tangent vector b at the origin is transported to y, and the result is expmap of
/// it at y. In the ball this is y (+) expmap0(b). The parameter weight W (out, in) begins uniform
/// (Xavier), the parameter bias b (out) begins as zeros. Both are Euclidean, so any optimizer can
/// train them. Error: the errors of logmap0, the product, expmap0, ptransp and expmap
/// (docs/geometry.md).
///
/// x may also be a point of a product of spaces. Then every part of the result depends on all parts
/// of x. Each part has its own curvature, which may be learned (Gu et al. 2019).
template <class M, int G = 1>
class HyperbolicLinear
    : public Module<hyperbolic_detail::Component<M>, hyperbolic_detail::components<M>, G> {
  using T = hyperbolic_detail::Component<M>;
  static constexpr int N = hyperbolic_detail::components<M>;

 public:
  using Activation = Variable<T, N, G>;
  using typename Module<T, N, G>::Parameter;

  /// Throws DomainError unless `in` and `out` are positive.
  HyperbolicLinear(const M& manifold, std::int64_t in, std::int64_t out, std::uint64_t seed,
                   bool bias = true)
      : HyperbolicLinear(manifold, manifold, in, out, seed, bias) {}
  /// A layer from points of one product of spaces to points of another product with the same kinds
  /// of parts.
  HyperbolicLinear(const M& from, const M& to, std::uint64_t seed,
                   bool bias = true) requires(hyperbolic_detail::is_product<M>)
      : HyperbolicLinear(
            from, to, hyperbolic_detail::coordinates_of(from) - hyperbolic_detail::extra<M>,
            hyperbolic_detail::coordinates_of(to) - hyperbolic_detail::extra<M>, seed, bias) {}

  /// Maps points of `in` dimensions to points of `out` dimensions. A point of the Lorentz model has
  /// one coordinate more than dimensions. Throws ShapeError for another number of coordinates.
  Activation forward(const Activation& x) const {
    hyperbolic_detail::require_coordinates("HyperbolicLinear", x,
                                           weight_.size(1) + hyperbolic_detail::extra<M>);
    auto y = from_tangent0(to_, matmul(to_tangent0(from_, x), weight_.t()));
    if (bias_.numel() == 0) return y;
    return to_.expmap(y, to_.ptransp0(y, padded_tangent0(to_, bias_)));
  }
  Activation operator()(const Activation& x) const { return forward(x); }

  const Parameter& weight() const { return weight_; }
  /// A variable without elements if there is no bias.
  const Parameter& bias() const { return bias_; }

 private:
  HyperbolicLinear(const M& from, const M& to, std::int64_t in, std::int64_t out,
                   std::uint64_t seed, bool bias)
      : from_(from), to_(to) {
    if (in < 1 || out < 1)
      throw DomainError("HyperbolicLinear: " + std::to_string(in) + " inputs and " +
                        std::to_string(out) + " outputs, expected at least one of each");
    weight_ = this->register_parameter("weight", Tensor<T, N>({out, in}));
    const double bound = std::sqrt(6 / double(in + out));
    init::uniform_(weight_.value(), -bound, bound, derive_seed(seed, 0));
    if (bias) bias_ = this->register_parameter("bias", Tensor<T, N>(Shape{out}));
  }

  M from_, to_;
  Parameter weight_, bias_;
};

/// expmap0(f(logmap0(x))): applies a function f, such as relu, in the tangent space at the origin.
template <class M, class F, class T, int N, int G>
Variable<T, N, G> hyperbolic_activation(const M& manifold, const F& f, const Variable<T, N, G>& x) {
  return from_tangent0(manifold, f(to_tangent0(manifold, x)));
}

/// Joins points of n_1, n_2 .. dimensions to a point of n = n_1 + n_2 + .. dimensions. The tangent
/// vectors logmap0 of the points are multiplied by beta(n) / beta(n_i) and put side by side, and
/// the result is expmap0 of them. beta(n) is Euler's B(n / 2, 1 / 2). The factors keep the result
/// about as far from the origin as the points are (Shimizu et al. 2021, section 3.3). Throws
/// ShapeError if there are no points.
template <class M, class T, int N, int G>
Variable<T, N, G> hyperbolic_cat(const M& manifold, const std::vector<Variable<T, N, G>>& points) {
  if (points.empty()) throw ShapeError("hyperbolic_cat: the list of points is empty");
  const auto beta = [](double n) {
    return std::exp(std::lgamma(n / 2) + std::lgamma(0.5) - std::lgamma((n + 1) / 2));
  };
  std::vector<Variable<T, N, G>> parts;
  std::int64_t all = 0;
  for (const auto& x : points) {
    parts.push_back(to_tangent0(manifold, x));
    all += parts.back().size(-1);
  }
  for (auto& part : parts) part = part * T(beta(double(all)) / beta(double(part.size(-1))));
  return from_tangent0(manifold, cat(parts, -1));
}

}  // namespace mct::nn
