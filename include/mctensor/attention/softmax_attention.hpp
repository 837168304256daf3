// Attention on variables: softmax of a score, with gradients of all operands, in memory O(L + S).
//
// Shapes: queries (.., L, d), keys (.., S, d), values (.., S, e), result (.., L, e), where the
// leading dimensions are equal. A temperature, radius or light is a variable that broadcasts to
// (.., L, 1) and (.., S, 1). For queries (B, H, L, d), one number for each head has the shape (H,
// 1, 1). A bias is added to the scores. A bias that is a variable gets a gradient (bias.hpp); the
// bias of a mask does not.
//
// Error: no bound is stated for the whole computation. scores/ states the error of each score; the
// softmax and both products have the errors of N components. Domain: finite operands; where a score
// compares points, they must be points of its space. Source: Milakov, Gimelshein 2018 (the running
// softmax), and the source of each score.
#pragma once

#include <cmath>
#include <type_traits>

#include "mctensor/attention/maps.hpp"
#include "mctensor/attention/streaming.hpp"
#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::attention {

namespace detail {

/// The mask with a variable's values as its bias. Throws DomainError if the mask has its own bias.
template <class T, int N, int M>
Mask<T, N> with_bias(Mask<T, N> mask, const Variable<T, N, M>& bias) {
  if (bias.numel() == 0) return mask;
  if (mask.bias.numel() > 0)
    throw DomainError("attention: a bias of shape " + to_string(bias.shape()) +
                      " is given, but the mask already has a bias of shape " +
                      to_string(mask.bias.shape()));
  mask.bias = bias.value();
  return mask;
}

// Converts the values that the backward pass reads to M components, the number of the gradients'
// components.
template <int M, class T, int N>
Operands<T, M> of_components(const Operands<T, N>& x) {
  const auto part = [](const Tensor<T, N>& of) { return autograd_detail::grad_value<M>(of); };
  return {part(x.x), part(x.a), part(x.y), part(x.b), part(x.v)};
}
template <int M, class T, int N>
Attended<T, M> of_components(const Attended<T, N>& x) {
  return {autograd_detail::grad_value<M>(x.values), autograd_detail::grad_value<M>(x.log_sum)};
}
template <int M, class T, int N>
Mask<T, M> of_components(const Mask<T, N>& x) {
  return {x.causal,    x.hidden,  autograd_detail::grad_value<M>(x.bias),
          x.by_offset, x.dropout, x.seed,
          x.call,      x.seen};
}

/// The same mask with its bias in float, for attention that is computed in float.
template <class T>
Mask<float> in_float(const Mask<T>& mask) {
  return {mask.causal,    mask.hidden,  convert<float, 1>(mask.bias),
          mask.by_offset, mask.dropout, mask.seed,
          mask.call,      mask.seen};
}

/// 1 / sqrt(d). For N = 1 it is computed in double and rounded to T.
template <class T, int N>
auto scale_of(std::int64_t d) {
  if constexpr (N == 1) {
    return T(1 / std::sqrt(double(d)));
  } else {
    return rsqrt(Expansion<T, N>(double(d)));
  }
}

}  // namespace detail

/// softmax(score) v: the softmax over the keys of a score (scores.hpp), times the values. The score
/// depends on a vector of each query (x) and key (y), and on further numbers of each query (a) and
/// key (b). If a score uses no such numbers, a and b have no elements. All other functions of this
/// header use this one. `bias` has the meaning of mask.bias, but gets a gradient. It broadcasts to
/// (.., L, S), or with mask.by_offset to (.., L + S - 1).
///
/// Types are float, double, f64x2, half and bfloat16. Half and bfloat16 are computed in float and
/// rounded once. The gradient of f64x2 may have one component; it is then computed from the first
/// components of all values. Throws ShapeError and DomainError as attend does, and DomainError if
/// both `bias` and mask.bias are given.
template <class T, int N, int M>
Variable<T, N, M> softmax_attention(Score score, const Variable<T, N, M>& x,
                                    const Variable<T, N, M>& a, const Variable<T, N, M>& y,
                                    const Variable<T, N, M>& b, const Variable<T, N, M>& v,
                                    const Mask<T, N>& mask,
                                    const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    static_assert(M <= N, "a gradient of more components than the value");
    const Mask<T, N> full = detail::with_bias(mask, bias);
    const Operands<T, N> operands = {x.value(), a.value(), y.value(), b.value(), v.value()};
    const Attended<T, N> result = attend(score, operands, full);
    return autograd_detail::record(
        result.values,
        [score, of = detail::of_components<M>(operands), own = detail::of_components<M>(full),
         attended = detail::of_components<M>(result)](const auto& to, const auto& g) {
          const Gradients<T, M> gradients =
              attend_backward(score, of, own, attended, g, to.needs(5));
          to.give(0, gradients.x);
          to.give(1, gradients.a);
          to.give(2, gradients.y);
          to.give(3, gradients.b);
          to.give(4, gradients.v);
          if (to.needs(5)) to.give(5, gradients.bias);
        },
        x, a, y, b, v, bias);
  } else {
    const auto wide = [](const Variable<T, N, M>& of) { return convert<float, 1>(of); };
    return convert<T, 1>(softmax_attention(score, wide(x), wide(a), wide(y), wide(b), wide(v),
                                           detail::in_float(mask), wide(bias)));
  }
}

/// A score with its queries and keys: the first five arguments of softmax_attention.
template <class T, int N, int M>
struct Scored {
  Score score;
  Variable<T, N, M> x, a, y, b;
};
template <class T, int N, int M>
Variable<T, N, M> softmax_attention(const Scored<T, N, M>& of, const Variable<T, N, M>& v,
                                    const Mask<T, N>& mask,
                                    const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(of.score, of.x, of.a, of.y, of.b, v, mask, bias);
}

template <class T, int N, int M>
Scored<T, N, M> dot_product_scored(const Variable<T, N, M>& q, const Variable<T, N, M>& k) {
  return {Score::dot_product, q * detail::scale_of<T, N>(q.size(-1)), {}, k, {}};
}
/// softmax(q k^T / sqrt(d)) v.
template <class T, int N, int M>
Variable<T, N, M> dot_product_attention(const Variable<T, N, M>& q, const Variable<T, N, M>& k,
                                        const Variable<T, N, M>& v, const Mask<T, N>& mask = {},
                                        const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(dot_product_scored(q, k), v, mask, bias);
}

template <class T, int N, int M>
Scored<T, N, M> laplacian_scored(const Variable<T, N, M>& q, const Variable<T, N, M>& k,
                                 const Variable<T, N, M>& gamma) {
  return {Score::laplacian, q * gamma, {}, k * gamma, {}};
}
/// softmax(-gamma |q - k|) v.
template <class T, int N, int M>
Variable<T, N, M> laplacian_attention(const Variable<T, N, M>& q, const Variable<T, N, M>& k,
                                      const Variable<T, N, M>& v, const Variable<T, N, M>& gamma,
                                      const Mask<T, N>& mask = {},
                                      const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(laplacian_scored(q, k, gamma), v, mask, bias);
}

template <class T, int N, int M>
Scored<T, N, M> umbral_scored(const HalfSpaceVariable<T, N, M>& q,
                              const HalfSpaceVariable<T, N, M>& k, const Variable<T, N, M>& radius,
                              const Variable<T, N, M>& gamma) {
  const auto scale = gamma / (sinh(radius) * T(2));
  return {Score::umbral, q.horizontal * scale, q.height * gamma, k.horizontal * scale,
          k.height * gamma};
}
/// Attention of points in the half-space. The score is -gamma times the height of the lowest
/// common ancestor in the order of umbral cones; a point stands for a ball of hyperbolic radius r:
///   softmax(-gamma max(q_h, k_h, |q - k| / (2 sinh r) + (q_h + k_h) / 2)) v.
/// For equal heights this is the Laplacian kernel of the horizontal coordinates. Source: Tseng et
/// al. 2023, definition 2.
template <class T, int N, int M>
Variable<T, N, M> umbral_attention(const HalfSpaceVariable<T, N, M>& q,
                                   const HalfSpaceVariable<T, N, M>& k, const Variable<T, N, M>& v,
                                   const Variable<T, N, M>& radius, const Variable<T, N, M>& gamma,
                                   const Mask<T, N>& mask = {},
                                   const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(umbral_scored(q, k, radius, gamma), v, mask, bias);
}

template <class T, int N, int M>
Scored<T, N, M> penumbral_scored(const BelowLightVariable<T, N, M>& q,
                                 const BelowLightVariable<T, N, M>& k,
                                 const Variable<T, N, M>& light, const Variable<T, N, M>& gamma) {
  const auto numbers =
      cat<T, N, M>({q.height * gamma, q.reach * gamma, q.height * T(0) + light * gamma}, -1);
  return {Score::penumbral, q.horizontal * gamma, numbers, k.horizontal * gamma,
          cat<T, N, M>({k.height * gamma, k.reach * gamma}, -1)};
}
/// Attention of points below the horosphere of height `light`: softmax(-gamma height) v. The height
/// is the height of the lowest common ancestor in the order of penumbral cones (Penumbral in
/// scores/cones.hpp also defines it for pairs without one). Source: Tseng et al. 2023, definition
/// 1.
template <class T, int N, int M>
Variable<T, N, M> penumbral_attention(const BelowLightVariable<T, N, M>& q,
                                      const BelowLightVariable<T, N, M>& k,
                                      const Variable<T, N, M>& v, const Variable<T, N, M>& light,
                                      const Variable<T, N, M>& gamma, const Mask<T, N>& mask = {},
                                      const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(penumbral_scored(q, k, light, gamma), v, mask, bias);
}

template <class T, int N, int M>
Scored<T, N, M> entailment_scored(const BelowBallVariable<T, N, M>& q,
                                  const BelowBallVariable<T, N, M>& k,
                                  const Variable<T, N, M>& radius, const Variable<T, N, M>& gamma) {
  const auto scale = gamma * square(tanh(radius));
  const auto numbers = cat<T, N, M>({q.cosine, q.sine, q.cosine * T(0) + scale}, -1);
  return {Score::entailment, q.direction, numbers, k.direction,
          cat<T, N, M>({k.cosine, k.sine}, -1)};
}
/// Attention of points of the ball: softmax(gamma k^2) v. k is the distance of the lowest common
/// ancestor from the centre in Klein's model. The order is the order of Ganea's entailment cones;
/// Ganea's constant K follows from sinh(radius) = 2 K (Entailment in scores/cones.hpp). The points
/// must lie outside the light, a ball of hyperbolic radius `radius` around the centre. Source:
/// Ganea, Becigneul, Hofmann 2018; Tseng et al. 2023, eq. 4.
template <class T, int N, int M>
Variable<T, N, M> entailment_attention(const BelowBallVariable<T, N, M>& q,
                                       const BelowBallVariable<T, N, M>& k,
                                       const Variable<T, N, M>& v, const Variable<T, N, M>& radius,
                                       const Variable<T, N, M>& gamma, const Mask<T, N>& mask = {},
                                       const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(entailment_scored(q, k, radius, gamma), v, mask, bias);
}

/// Operands for the score of the distance, or of its square (Score::distance_squared).
template <class T, int N, int M>
Scored<T, N, M> distance_scored(const DistanceVariable<T, N, M>& q,
                                const DistanceVariable<T, N, M>& k, const Variable<T, N, M>& beta,
                                Score score = Score::distance) {
  const auto numbers = cat<T, N, M>({q.weight, q.weight * T(0) + beta}, -1);
  return {score, q.vector, numbers, k.vector, k.weight};
}
/// softmax(-beta d) v, where d is the hyperbolic distance at curvature -1. Gulcehre et al. 2019 use
/// -beta d - c; the constant c cancels in the softmax. For curvature -1/K^2 divide the inputs of
/// the maps by K, and pass K beta.
template <class T, int N, int M>
Variable<T, N, M> distance_attention(const DistanceVariable<T, N, M>& q,
                                     const DistanceVariable<T, N, M>& k, const Variable<T, N, M>& v,
                                     const Variable<T, N, M>& beta, const Mask<T, N>& mask = {},
                                     const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(distance_scored(q, k, beta), v, mask, bias);
}
/// softmax(-beta d^2) v. For curvature -1/K^2 divide the inputs of the maps by K, and pass K^2
/// beta.
template <class T, int N, int M>
Variable<T, N, M> distance_squared_attention(const DistanceVariable<T, N, M>& q,
                                             const DistanceVariable<T, N, M>& k,
                                             const Variable<T, N, M>& v,
                                             const Variable<T, N, M>& beta,
                                             const Mask<T, N>& mask = {},
                                             const Variable<T, N, M>& bias = Variable<T, N, M>()) {
  return softmax_attention(distance_scored(q, k, beta, Score::distance_squared), v, mask, bias);
}

}  // namespace mct::attention
