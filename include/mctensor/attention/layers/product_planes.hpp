// Classification in products of spaces.
//
// Error: no bound is stated for the whole: that of planes.hpp for each part, and of their sum.
// Domain: points of the product; others give NaN.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "mctensor/attention/layers/planes.hpp"

namespace mct::nn {

/// Multinomial logistic regression in a product of balls, hyperboloids and flat spaces: the logits
/// (.., C) are the sums of those of the parts, each as HyperbolicMLR computes it (of a flat part
/// <x, z> - |z| r), times the part's weight, by which the product measures its lengths. Source:
/// Tabaghi, Pan, Chien, Peng, Milenkovic: Linear classifiers in product space forms, 2021, section
/// 3, whose score is this sum. Parameters `weight0`, `bias0`, `weight1` .. of the parts, as those
/// of Hyperplanes.
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
  /// unless there is a class.
  ProductMLR(M product, std::int64_t count, std::uint64_t seed) : product_(std::move(product)) {
    if (count < 1) throw DomainError("ProductMLR: " + std::to_string(count) + " classes");
    hyperbolic_detail::for_each_part(product_, [&](auto i, const auto& part) {
      const std::int64_t n = part.size - part.extra;
      const std::string name = std::to_string(i.value);
      weights_[i] = this->register_parameter("weight" + name, Tensor<T, N>({count, n}));
      init::normal_(weights_[i].value(), 0, 1 / std::sqrt(double(n)),
                    derive_seed(seed, std::uint64_t(i.value)));
      biases_[i] = this->register_parameter("bias" + name, Tensor<T, N>(Shape{count}));
    });
  }

  /// Points (.., coordinates of the product). Throws ShapeError for others.
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
