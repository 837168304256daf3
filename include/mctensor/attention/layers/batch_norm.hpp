// Batch normalization of points.
//
// Error: no bound is stated for the layer. docs/geometry.md states the bounds of means, logmap,
// ptransp and expmap. Domain: points of the manifold; other points give NaN.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mctensor/attention/layers/coordinates.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/means/autograd_means.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

struct HyperbolicBatchNormOptions {
  double eps = 1e-5;
  /// The weight of a new batch in the running mean and variance.
  double momentum = 0.1;
  /// True: the mean is the weighted midpoint (a closed form). False: it is the Fréchet mean.
  bool midpoint = false;
};

/// Moves points x (B, n), or (B, n + 1) in the Lorentz model, to points around a learned mean with
/// a learned deviation: expmap(beta, gamma / sqrt(v + eps) PT logmap(mu, x)). Here mu is the mean
/// of the batch (HyperbolicBatchNormOptions::midpoint), v is the mean of d(mu, x)^2, and PT is the
/// transport from mu to beta = expmap0(bias). Source: Lou et al. 2020, algorithm 5. The parameter
/// `weight` (1) is gamma and begins as one; `bias` (n) begins as zeros. In evaluation mu and v are
/// running_mean() and running_variance(), two buffers. In training each batch moves running_mean()
/// along the geodesic to its own mean. In a product each part has its own mean.
template <class M, int G = 1>
class HyperbolicBatchNorm
    : public Module<hyperbolic_detail::Component<M>, hyperbolic_detail::components<M>, G> {
  using T = hyperbolic_detail::Component<M>;
  static constexpr int N = hyperbolic_detail::components<M>;

 public:
  using Activation = Variable<T, N, G>;
  using typename Module<T, N, G>::Parameter;

  /// Throws DomainError for less than one dimension, a negative eps, or a momentum outside [0, 1].
  HyperbolicBatchNorm(M manifold, std::int64_t dimension,
                      const HyperbolicBatchNormOptions& options = {})
      : manifold_(std::move(manifold)), options_(options) {
    if (dimension < 1 || !(options.eps >= 0) || !(options.momentum >= 0 && options.momentum <= 1))
      throw DomainError(
          "HyperbolicBatchNorm: " + std::to_string(dimension) + " dimensions, eps " +
          number_text(options.eps) + ", momentum " + number_text(options.momentum) +
          "; expected at least 1 dimension, eps of at least 0, and a momentum from 0 to 1");
    weight_ = this->register_parameter("weight", Tensor<T, N>(Shape{1}));
    init::constant_(weight_.value(), 1);
    bias_ = this->register_parameter("bias", Tensor<T, N>(Shape{dimension}));
    const Activation origin(Tensor<T, N>(Shape{dimension}));
    running_mean_ =
        this->register_buffer("running_mean", from_tangent0(manifold_, origin).value().clone());
    running_variance_ = this->register_buffer("running_variance", Tensor<T, N>(Shape{}));
    init::constant_(running_variance_.value(), 1);
  }

  /// Throws ShapeError for shapes other than (B, coordinates), and for an empty batch.
  Activation forward(const Activation& x) {
    if (x.dim() != 2 || x.size(0) == 0 || x.size(1) != running_mean_.size(0))
      throw ShapeError("HyperbolicBatchNorm: points of shape " + to_string(x.shape()) +
                       ", expected (batch, " + std::to_string(running_mean_.size(0)) + ")");
    Activation middle = running_mean_;
    Activation variance = running_variance_;
    if (this->is_training()) {
      middle = mean_of(manifold_, x);
      variance = mean(manifold_.dist2(x, middle));
      follow(middle.value(), variance.value());
    }
    const auto beta = from_tangent0(manifold_, bias_);
    const auto v = manifold_.ptransp(middle, beta, manifold_.logmap(middle, x));
    return manifold_.expmap(beta, v * (weight_ * rsqrt(variance + T(options_.eps))));
  }
  Activation operator()(const Activation& x) { return forward(x); }

  const Tensor<T, N>& running_mean() const { return running_mean_.value(); }
  const Tensor<T, N>& running_variance() const { return running_variance_.value(); }

 private:
  void follow(const Tensor<T, N>& mean, const Tensor<T, N>& variance) {
    const NoGradGuard guard;
    const Tensor<T, N>& last = running_variance_.value();
    running_mean_.value().copy_(
        manifold_.geodesic(T(options_.momentum), running_mean_, Activation(mean)).value());
    last.copy_(last + (variance - last) * T(options_.momentum));
  }
  template <class Space>
  Activation mean_of(const Space& space, const Activation& x) const {
    if constexpr (hyperbolic_detail::is_product<Space>) {
      std::vector<Activation> means;
      hyperbolic_detail::for_each_part(space, [&](auto, const auto& part) {
        means.push_back(mean_of(part.manifold, x.narrow(-1, part.begin, part.size)));
      });
      return cat(means, -1);
    } else {
      return options_.midpoint ? geometry::weighted_midpoint(space, x, 0)
                               : geometry::frechet_mean(space, x, 0);
    }
  }

  M manifold_;
  HyperbolicBatchNormOptions options_;
  Parameter weight_, bias_, running_mean_, running_variance_;
};

}  // namespace mct::nn
