// A linear layer on the hyperboloid itself, without a tangent space.
//
// Error: no bound is stated as a number. The error consists of the errors of a matrix product and
// of the time, which is computed from the coordinates in space. Source: Chen et al., Fully
// hyperbolic neural networks, ACL 2022.
#pragma once

#include <cmath>
#include <string>

#include "mctensor/attention/layers/coordinates.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

/// Applies a matrix to all coordinates of points x of n dimensions, time included. (Rotations and
/// boosts are such maps.) Then it puts the result back on the hyperboloid of radius K. The result
/// is the point of `out` dimensions with
///   space = K s (W x / K + b) / |W x / K + b|,   s = e^scale sigmoid(v.x / K + c),
///   time = sqrt(K^2 + |space|^2).
/// Source: Chen et al.: Fully hyperbolic neural networks, ACL 2022, section 4.1. Here time is
/// computed from space. So results lie on the hyperboloid up to one rounding of each coordinate, at
/// any distance from the origin. At W x / K + b = 0 the result is the origin. Distances from the
/// origin are at most asinh(e^scale) K. The parameters `weight` (out, n + 1), which is W, and
/// `gate` (n + 1), which is v, begin with uniform random numbers (Xavier). `bias` (out), which is
/// b, and `shift`, which is c, begin as zeros. `scale` begins as log(10), as in the authors' code.
template <class M, int G = 1>
class LorentzLinear
    : public Module<hyperbolic_detail::Component<M>, hyperbolic_detail::components<M>, G> {
  static_assert(hyperbolic_detail::extra<M> == 1 && !hyperbolic_detail::is_product<M>,
                "points of Lorentz, its radius perhaps learned");
  using T = hyperbolic_detail::Component<M>;
  static constexpr int N = hyperbolic_detail::components<M>;

 public:
  using Activation = Variable<T, N, G>;
  using typename Module<T, N, G>::Parameter;

  /// Throws DomainError unless there are inputs and outputs.
  LorentzLinear(const M& manifold, std::int64_t in, std::int64_t out, std::uint64_t seed)
      : manifold_(manifold) {
    if (in < 1 || out < 1)
      throw DomainError("LorentzLinear: " + std::to_string(in) + " inputs and " +
                        std::to_string(out) + " outputs, expected at least one of each");
    const auto uniform = [&](const Parameter& parameter, std::uint64_t stream) {
      const double bound = std::sqrt(6 / double(in + 1 + out));
      init::uniform_(parameter.value(), -bound, bound, derive_seed(seed, stream));
      return parameter;
    };
    weight_ = uniform(this->register_parameter("weight", Tensor<T, N>({out, in + 1})), 0);
    gate_ = uniform(this->register_parameter("gate", Tensor<T, N>(Shape{in + 1})), 1);
    bias_ = this->register_parameter("bias", Tensor<T, N>(Shape{out}));
    shift_ = this->register_parameter("shift", Tensor<T, N>(Shape{1}));
    scale_ = this->register_parameter("scale", Tensor<T, N>(Shape{1}));
    init::constant_(scale_.value(), std::log(10.0));
  }

  /// Maps points (.., in + 1) to points (.., out + 1). Throws ShapeError.
  Activation forward(const Activation& x) const {
    hyperbolic_detail::require_coordinates("LorentzLinear", x, weight_.size(1));
    const auto unit = x / hyperbolic_detail::radius_of(manifold_);
    const auto direction = matmul(unit, weight_.t()) + bias_;
    const auto reach = exp(scale_) * sigmoid(sum(unit * gate_, {-1}, true) + shift_);
    return from_hyperboloid_space(manifold_,
                                  direction * (reach / hyperbolic_detail::lengths(direction)));
  }
  Activation operator()(const Activation& x) const { return forward(x); }

  const Parameter& weight() const { return weight_; }
  const Parameter& gate() const { return gate_; }
  const Parameter& bias() const { return bias_; }
  const Parameter& shift() const { return shift_; }
  const Parameter& scale() const { return scale_; }

 private:
  M manifold_;
  Parameter weight_, gate_, bias_, shift_, scale_;
};

}  // namespace mct::nn
