// Multi-head attention between points of hyperbolic space. All steps stay on the manifold or in its
// tangent space at the origin.
//
// Error: no bound is stated for the layer. docs/geometry.md states the bounds of the maps,
// linalg/products.hpp states the bounds of products. Domain: points of the manifold; other points
// give NaN.
#pragma once

#include <memory>
#include <string>

#include "mctensor/attention/aggregate.hpp"
#include "mctensor/attention/layers/linear.hpp"
#include "mctensor/attention/softmax_attention.hpp"
#include "mctensor/nn/attention.hpp"

namespace mct::attention {

/// Queries, keys and values are points of n dimensions of a PoincareBall or Lorentz model of float
/// or double. Each goes through a HyperbolicLinear layer. Its tangent vector at the origin is then
/// split into vectors of n / heads dimensions, which give one point for each head. The weights of a
/// head are softmax(-gamma distance), where the distance is divided by the manifold's radius K. The
/// head returns the hyperbolic mean of the values: gyromidpoint in the ball, lorentz_centroid in
/// the Lorentz model, which are the same point. The tangent vectors of the heads' results are put
/// side by side and go through a last layer. Memory: O(L + S). Parameters: the parameters of the
/// layers "q_proj", "k_proj", "v_proj", "out_proj", and log_gamma (heads, 1, 1), which begins as
/// zeros. Source: Gulcehre et al. 2019; Shimizu et al. 2021, section 3.4, where heads are scaled by
/// beta; here they are not.
template <class M>
class ManifoldAttention : public nn::Module<typename M::Value> {
 public:
  using T = typename M::Value;
  using Activation = Variable<T>;
  using Projection = nn::HyperbolicLinear<M>;

  /// Throws DomainError unless `heads` is positive and divides `dimension`, which is n.
  ManifoldAttention(const M& manifold, std::int64_t dimension, std::int64_t heads,
                    std::uint64_t seed)
      : manifold_(manifold), heads_(heads) {
    if (heads < 1 || dimension < heads || dimension % heads != 0)
      throw DomainError("ManifoldAttention: " + std::to_string(dimension) + " dimensions for " +
                        std::to_string(heads) +
                        " heads; the number of heads must divide the number of dimensions");
    const auto projection = [&](const char* name, std::uint64_t part) {
      return this->register_module(name,
                                   std::make_shared<Projection>(manifold, dimension, dimension,
                                                                nn::derive_seed(seed, part)));
    };
    query_ = projection("q_proj", 0);
    key_ = projection("k_proj", 1);
    value_ = projection("v_proj", 2);
    out_ = projection("out_proj", 3);
    log_gamma_ = this->register_parameter("log_gamma", Tensor<T>({heads, 1, 1}));
  }

  /// Queries are (.., L, c), keys and values (.., S, c), and the result is (.., L, c). c is the
  /// number of coordinates of a point: n in the ball, n + 1 in the Lorentz model. Throws
  /// ShapeError.
  Activation forward(const Activation& q, const Activation& k, const Activation& v,
                     const nn::AttentionMask& hidden = {}) const {
    Mask<T> mask;
    mask.causal = hidden.causal;
    mask.hidden = hidden.hidden;
    const auto queries = for_distance(in_heads((*query_)(q)));
    const auto keys = for_distance(in_heads((*key_)(k)));
    const auto gamma = exp(log_gamma_);
    const auto attend = [&](const Activation& w) {
      return distance_attention(queries, keys, w, gamma, mask);
    };
    const auto values = in_heads((*value_)(v)) / T(manifold_.radius());
    const auto means = mean_of(values, attend) * T(manifold_.radius());
    const auto rows = nn::to_tangent0(manifold_, means).transpose(-3, -2);  // (.., L, heads, e)
    Shape shape = leading_shape(rows.shape(), 2);
    shape.push_back(rows.size(-2) * rows.size(-1));
    return (*out_)(nn::from_tangent0(manifold_, rows.reshape(shape)));
  }
  Activation operator()(const Activation& x) const { return forward(x, x, x); }

 private:
  static constexpr bool lorentz = nn::hyperbolic_detail::extra<M> == 1;

  /// Splits points of n dimensions (.., L, c) into points of e = n / heads dimensions, (.., heads,
  /// L, e) or for Lorentz (.., heads, L, e + 1).
  Activation in_heads(const Activation& x) const {
    const auto rows = nn::to_tangent0(manifold_, x);
    Shape shape = rows.shape();
    shape.back() = heads_;
    shape.push_back(rows.size(-1) / heads_);
    return nn::from_tangent0(manifold_, rows.reshape(shape).transpose(-3, -2));
  }
  DistanceVariable<T> for_distance(const Activation& x) const {
    const auto unit = x / T(manifold_.radius());
    if constexpr (lorentz) {
      return of_lorentz(unit);
    } else {
      return of_ball(unit);
    }
  }
  template <class Attend>
  static Activation mean_of(const Activation& values, const Attend& attend) {
    if constexpr (lorentz) {
      return lorentz_centroid(values, attend);
    } else {
      return gyromidpoint(values, attend);
    }
  }

  M manifold_;
  std::int64_t heads_;
  std::shared_ptr<Projection> query_, key_, value_, out_;
  Variable<T> log_gamma_;
};

}  // namespace mct::attention
