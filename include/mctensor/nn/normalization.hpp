// Layer normalization.
//
// Error: no bound is stated as a number; normalize (autograd/softmax.hpp) computes the result.
// Domain: every finite value. Source: Ba, Kiros, Hinton 2016.
#pragma once

#include "mctensor/autograd/softmax.hpp"
#include "mctensor/nn/init.hpp"
#include "mctensor/nn/module.hpp"

namespace mct::nn {

struct LayerNormOptions {
  double eps = 1e-5;  ///< added to the variance; with 0, equal elements give NaN
  /// True: the layer has a weight and, if `bias` is true, a bias. False: it has neither.
  bool elementwise_affine = true;
  bool bias = true;
};

/// (x - mean) / sqrt(variance + eps) weight + bias over the last dimensions, whose sizes are
/// `normalized_shape`. The variance of n elements divides by n, not n - 1. The parameter weight
/// begins as ones, bias as zeros.
template <class T, int N = 1, int A = 1, int M = 1>
class LayerNorm : public Layer<T, N, A, M> {
 public:
  using typename Layer<T, N, A, M>::Activation;
  using typename Layer<T, N, A, M>::Parameter;

  /// Throws DomainError for a shape without elements, and for an eps that is negative, infinite or
  /// NaN.
  explicit LayerNorm(const Shape& normalized_shape, const LayerNormOptions& options = {})
      : shape_(normalized_shape), eps_(options.eps) {
    if (shape_.empty() || numel(shape_) == 0)
      throw DomainError("LayerNorm: shape " + to_string(shape_) + " has no elements");
    autograd_detail::require_eps("LayerNorm", eps_);
    if (!options.elementwise_affine) return;
    weight_ = this->register_parameter("weight", Tensor<T, N>(shape_));
    init::constant_(weight_.value(), 1);
    if (options.bias) bias_ = this->register_parameter("bias", Tensor<T, N>(shape_));
  }

  /// Throws ShapeError unless the shape of x ends with normalized_shape.
  Activation forward(const Activation& x) override {
    const auto dims = std::int64_t(shape_.size());
    const Shape& shape = x.shape();
    if (x.dim() < dims || Shape(shape.end() - dims, shape.end()) != shape_)
      throw ShapeError("LayerNorm: shape " + to_string(shape) + " does not end with " +
                       to_string(shape_));
    auto y = normalize(x, int(dims), eps_);
    if (weight_.numel() == 0) return y;
    const auto scaled = y * weight_;
    return to_activation<A>(bias_.numel() == 0 ? scaled : scaled + bias_);
  }

 private:
  Shape shape_;
  double eps_;
  Parameter weight_;
  Parameter bias_;
};

}  // namespace mct::nn
