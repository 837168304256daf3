// Hyperplanes of hyperbolic space as parameters, for classifiers and fully connected layers.
//
// Error: the comment of Hyperplanes states it. The inner product has the error product_bound, asinh
// has 1.5 u^N. In products of spaces each part has these errors; no bound is stated for the sum of
// the parts. Domain: points of the manifold; other points give NaN. Source: Ganea, Becigneul,
// Hofmann: Hyperbolic neural networks, NeurIPS 2018; Shimizu et al. 2021, eq. 6 and 7.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/attention/layers/coordinates.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// The scores of Hyperplanes. Points (.., n), or (.., n + 1) in the Lorentz model, normal vectors z
/// (C, n) and distances r (C) give scores (.., C). In flat spaces the score is <x, z> - |z| r,
/// where r is a length.
template <class M, class T, int N, int G>
Variable<T, N, G> plane_scores(const M& manifold, const Variable<T, N, G>& x,
                               const Variable<T, N, G>& normals,
                               const Variable<T, N, G>& distances) {
  const auto sizes = hyperbolic_detail::lengths(normals);
  if constexpr (hyperbolic_detail::is_flat<M>) {
    return matmul(x, normals.t()) - distances * sizes.squeeze(-1);
  } else {
    const auto point = to_hyperboloid(manifold, x);
    const auto along = matmul(point.space, (normals / sizes).t());
    return asinh(along * cosh(distances) - point.time * sinh(distances)) * sizes.squeeze(-1);
  }
}
/// plane_scores in units of length instead of radii.
template <class M, class T, int N, int G>
Variable<T, N, G> plane_logits(const M& manifold, const Variable<T, N, G>& x,
                               const Variable<T, N, G>& normals,
                               const Variable<T, N, G>& distances) {
  const auto scores = plane_scores(manifold, x, normals, distances);
  if constexpr (hyperbolic_detail::is_flat<M>) {
    return scores;
  } else {
    return scores * hyperbolic_detail::radius_of(manifold);
  }
}

/// C hyperplanes of n dimensions. A plane is given by a normal vector z at the origin and a
/// distance r. z is moved along itself by r radii (backwards if r is negative), and the plane is
/// orthogonal to the moved vector. The parameter `weight` (C, n) holds z and begins with normal
/// random numbers of variance 1 / n; `bias` (C) holds r and begins as zeros. The score of a plane
/// is |z| times the signed distance from the plane in radii. For a point (x_0, x) of the unit
/// hyperboloid it is
///   |z| asinh(cosh(r) <x, z> / |z| - sinh(r) x_0).
/// The score of Shimizu et al. 2021, eq. 6, with r / 2 for r is twice this score, because |z| and r
/// are measured in the ball's coordinates there.
///
/// The argument of asinh has an absolute error of some u^N x_0 e^|r|. Near a plane this is the
/// error of the distance: e^(d + |r|) u^N for a point at a distance d from the origin. Points 20
/// radii out need double (error 5e-8) or f64x2; float is useless there (error 29).
template <class M, int G = 1>
class Hyperplanes
    : public Module<hyperbolic_detail::Component<M>, hyperbolic_detail::components<M>, G> {
  using T = hyperbolic_detail::Component<M>;
  static constexpr int N = hyperbolic_detail::components<M>;

 public:
  using Activation = Variable<T, N, G>;
  using typename Module<T, N, G>::Parameter;

  /// Throws DomainError unless dimension and count are positive.
  Hyperplanes(M manifold, std::int64_t dimension, std::int64_t count, std::uint64_t seed)
      : manifold_(std::move(manifold)) {
    if (dimension < 1 || count < 1)
      throw DomainError("Hyperplanes: " + std::to_string(count) + " planes of " +
                        std::to_string(dimension) + " dimensions, expected at least one of each");
    weight_ = this->register_parameter("weight", Tensor<T, N>({count, dimension}));
    init::normal_(weight_.value(), 0, 1 / std::sqrt(double(dimension)), derive_seed(seed, 0));
    bias_ = this->register_parameter("bias", Tensor<T, N>(Shape{count}));
  }

  const M& manifold() const { return manifold_; }
  const Parameter& weight() const { return weight_; }
  const Parameter& bias() const { return bias_; }

 protected:
  /// The scores (.., C) of points (.., n) or (.., n + 1). Throws ShapeError for other points.
  Activation scores(const Activation& x) const {
    hyperbolic_detail::require_coordinates("Hyperplanes", x,
                                           weight_.size(1) + hyperbolic_detail::extra<M>);
    return plane_scores(manifold_, x, weight_, bias_);
  }

 private:
  M manifold_;
  Parameter weight_, bias_;
};

/// Multinomial logistic regression (the hyperbolic softmax of Ganea et al. 2018 in the form of
/// Shimizu et al. 2021). The logits (.., C), for cross_entropy, are K times the scores of C
/// hyperplanes. They are positive on the side to which z points.
template <class M, int G = 1>
class HyperbolicMLR : public Hyperplanes<M, G> {
 public:
  using Hyperplanes<M, G>::Hyperplanes;
  using typename Hyperplanes<M, G>::Activation;

  Activation forward(const Activation& x) {
    return this->scores(x) * hyperbolic_detail::radius_of(this->manifold());
  }
  Activation operator()(const Activation& x) { return forward(x); }
};

/// The fully connected layer of Shimizu et al. 2021, eq. 7 (HypLL's HLinear), from points of n
/// dimensions to points of C dimensions. Take the C hyperplanes through the origin that are
/// orthogonal to the axes. The result is the point whose signed distance from the i-th of them is
/// the i-th score of x. Its coordinates on the unit hyperboloid are sinh(score). Scores are cut at
/// 300 for double, at 10 for half and at 40 for other types, so that sinh does not overflow. With
/// one component these limits lie beyond every point of the ball.
template <class M, int G = 1>
class HyperbolicFullyConnected : public Hyperplanes<M, G> {
 public:
  using Hyperplanes<M, G>::Hyperplanes;
  using typename Hyperplanes<M, G>::Activation;

  Activation forward(const Activation& x) {
    using Number = hyperbolic_detail::Component<M>;
    const Number most(std::is_same_v<Number, double> ? 300.0
                      : std::is_same_v<Number, half> ? 10.0
                                                     : 40.0);
    return from_hyperboloid_space(this->manifold(), sinh(clamp(this->scores(x), -most, most)));
  }
  Activation operator()(const Activation& x) { return forward(x); }
};

/// Multinomial logistic regression in a product of balls, hyperboloids and flat spaces. The logits
/// (.., C) are sums over the parts. Each term is the logit of the part, as HyperbolicMLR computes
/// it (<x, z> - |z| r for a flat part), times the weight of the part's lengths in the product.
/// Source: Tabaghi, Pan, Chien, Peng, Milenkovic: Linear classifiers in product space forms, 2021,
/// section 3, whose score is this sum. Each part has its own parameters `weight0`, `bias0`,
/// `weight1` .., which are like the parameters of Hyperplanes.
template <class M, int G = 1>
class ProductMLR
    : public Module<hyperbolic_detail::Component<M>, hyperbolic_detail::components<M>, G> {
  using T = hyperbolic_detail::Component<M>;
  static constexpr int N = hyperbolic_detail::components<M>;
  static constexpr std::size_t parts = std::size_t(hyperbolic_detail::part_count<M>);

 public:
  using Activation = Variable<T, N, G>;
  using typename Module<T, N, G>::Parameter;

  /// For `count` classes of points of a product, whose radii may be learned. Throws DomainError
  /// unless count is positive.
  ProductMLR(M product, std::int64_t count, std::uint64_t seed) : product_(std::move(product)) {
    if (count < 1)
      throw DomainError("ProductMLR: " + std::to_string(count) + " classes, expected at least one");
    hyperbolic_detail::for_each_part(product_, [&](auto i, const auto& part) {
      const std::int64_t n = part.size - part.extra;
      const std::string name = std::to_string(i.value);
      weights_[i] = this->register_parameter("weight" + name, Tensor<T, N>({count, n}));
      init::normal_(weights_[i].value(), 0, 1 / std::sqrt(double(n)),
                    derive_seed(seed, std::uint64_t(i.value)));
      biases_[i] = this->register_parameter("bias" + name, Tensor<T, N>(Shape{count}));
    });
  }

  /// The logits of points (.., coordinates of the product). Throws ShapeError for other points.
  Activation forward(const Activation& x) const {
    hyperbolic_detail::require_coordinates("ProductMLR", x,
                                           hyperbolic_detail::coordinates_of(product_));
    Activation logits;
    hyperbolic_detail::for_each_part(product_, [&](auto i, const auto& part) {
      const auto own = x.narrow(-1, part.begin, part.size);
      const auto scores =
          plane_logits(part.manifold, own, weights_[i], biases_[i]) * T(part.weight);
      logits = i.value == 0 ? scores : logits + scores;
    });
    return logits;
  }
  Activation operator()(const Activation& x) const { return forward(x); }

  const Parameter& weight(std::size_t part) const { return weights_.at(part); }
  const Parameter& bias(std::size_t part) const { return biases_.at(part); }

 private:
  M product_;
  std::array<Parameter, parts> weights_, biases_;
};

}  // namespace mct::nn
