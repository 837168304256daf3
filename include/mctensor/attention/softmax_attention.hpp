// Attention on variables: softmax of a score, with gradients of all operands, in memory O(L + S).
//
// Shapes: queries (.., L, d), keys (.., S, d), values (.., S, e), result (.., L, e), where the
// leading dimensions are equal. A temperature, a radius or a curvature is a variable that
// broadcasts to (.., L, 1) and (.., S, 1): one for each head of (B, H, L, d) is (H, 1, 1). A bias
// is added to the scores; a variable receives its gradient, that of the mask is constant
// (bias.hpp).
#pragma once

#include <type_traits>

#include "mctensor/attention/maps.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::attention {

namespace detail {

/// The mask with a variable's values as its bias. Throws DomainError if it has one of its own.
template <class T>
Mask<T> with_bias(Mask<T> mask, const Variable<T>& bias) {
  if (bias.numel() == 0) return mask;
  if (mask.bias.numel() > 0)
    throw DomainError("attention: a bias of shape " + to_string(bias.shape()) +
                      " beside the mask's of shape " + to_string(mask.bias.shape()));
  mask.bias = bias.value();
  return mask;
}

}  // namespace detail

/// Softmax over keys of a score of the vectors x, y and the numbers a, b (scores.hpp), times v: the
/// operation that all others here are made of. A score without numbers takes variables without
/// elements. A bias is that of the mask, but receives its gradient: (.., L, S), or (.., L + S - 1)
/// if mask.by_offset says so, or what broadcasts to it. half and bfloat16 are computed in float,
/// and the result is rounded once. Throws ShapeError and DomainError as attend, and DomainError for
/// two biases.
template <class T>
Variable<T> softmax_attention(Score score, const Variable<T>& x, const Variable<T>& a,
                              const Variable<T>& y, const Variable<T>& b, const Variable<T>& v,
                              const Mask<T>& mask, const Variable<T>& bias = Variable<T>()) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    const Mask<T> full = detail::with_bias(mask, bias);
    const Operands<T> operands = {x.value(), a.value(), y.value(), b.value(), v.value()};
    const Attended<T> result = attend(score, operands, full);
    return autograd_detail::record(
        result.values,
        [=](const auto& to, const auto& g) {
          const Gradients<T> gradients =
              attend_backward(score, operands, full, result, g, to.needs(5));
          to.give(0, gradients.x);
          to.give(1, gradients.a);
          to.give(2, gradients.y);
          to.give(3, gradients.b);
          to.give(4, gradients.v);
          if (to.needs(5)) to.give(5, gradients.bias);
        },
        x, a, y, b, v, bias);
  } else {
    const auto wide = [](const Variable<T>& of) { return convert<float, 1>(of); };
    const Mask<float> wide_mask = {mask.causal,    mask.hidden,  convert<float, 1>(mask.bias),
                                   mask.by_offset, mask.dropout, mask.seed,
                                   mask.call};
    return convert<T, 1>(softmax_attention(score, wide(x), wide(a), wide(y), wide(b), wide(v),
                                           wide_mask, wide(bias)));
  }
}

/// softmax(q k^T / sqrt(d)) v.
template <class T>
Variable<T> dot_product_attention(const Variable<T>& q, const Variable<T>& k, const Variable<T>& v,
                                  const Mask<T>& mask = {},
                                  const Variable<T>& bias = Variable<T>()) {
  const T scale = T(1 / std::sqrt(double(q.size(-1))));
  return softmax_attention(Score::dot_product, q * scale, Variable<T>(), k, Variable<T>(), v, mask,
                           bias);
}

/// softmax(-gamma |q - k|) v.
template <class T>
Variable<T> laplacian_attention(const Variable<T>& q, const Variable<T>& k, const Variable<T>& v,
                                const Variable<T>& gamma, const Mask<T>& mask = {},
                                const Variable<T>& bias = Variable<T>()) {
  return softmax_attention(Score::laplacian, q * gamma, Variable<T>(), k * gamma, Variable<T>(), v,
                           mask, bias);
}

/// Of points in the half-space, by the height of the lowest common ancestor in the order of umbral
/// cones, whose points are balls of hyperbolic radius r: softmax(-gamma max(q_h, k_h, |q - k| / (2
/// sinh r) + (q_h + k_h) / 2)) v. Of equal heights it is the Laplacian kernel of the horizontal
/// coordinates. Source: Tseng et al. 2023, definition 2.
template <class T>
Variable<T> umbral_attention(const HalfSpaceVariable<T>& q, const HalfSpaceVariable<T>& k,
                             const Variable<T>& v, const Variable<T>& radius,
                             const Variable<T>& gamma, const Mask<T>& mask = {},
                             const Variable<T>& bias = Variable<T>()) {
  const auto scale = gamma / (sinh(radius) * T(2));
  return softmax_attention(Score::umbral, q.horizontal * scale, q.height * gamma,
                           k.horizontal * scale, k.height * gamma, v, mask, bias);
}

/// Of points below the horosphere of height `light`, by the height of the lowest common ancestor in
/// the order of penumbral cones: softmax(-gamma height) v (scores.hpp: Penumbral).
/// Source: Tseng et al. 2023, definition 1.
template <class T>
Variable<T> penumbral_attention(const BelowLightVariable<T>& q, const BelowLightVariable<T>& k,
                                const Variable<T>& v, const Variable<T>& light,
                                const Variable<T>& gamma, const Mask<T>& mask = {},
                                const Variable<T>& bias = Variable<T>()) {
  const auto numbers =
      cat<T, 1, 1>({q.height * gamma, q.reach * gamma, q.height * T(0) + light * gamma}, -1);
  return softmax_attention(Score::penumbral, q.horizontal * gamma, numbers, k.horizontal * gamma,
                           cat<T, 1, 1>({k.height * gamma, k.reach * gamma}, -1), v, mask, bias);
}

/// softmax(-beta d) v of the hyperbolic distance d, curvature -1. A constant c in -beta d - c, as
/// Gulcehre et al. 2019 have, cancels in the softmax. For curvature -1/K^2 give the maps what they
/// map divided by K, and K beta.
template <class T>
Variable<T> distance_attention(const DistanceVariable<T>& q, const DistanceVariable<T>& k,
                               const Variable<T>& v, const Variable<T>& beta,
                               const Mask<T>& mask = {}, const Variable<T>& bias = Variable<T>()) {
  const auto numbers = cat<T, 1, 1>({q.weight, q.weight * T(0) + beta}, -1);
  return softmax_attention(Score::distance, q.vector, numbers, k.vector, k.weight, v, mask, bias);
}

}  // namespace mct::attention
