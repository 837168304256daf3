// Attention by a sum of scores, such as the squared distance of a product of spaces whose factors
// have learned weights.
//
// Memory is proportional to L + S, as for attention by one score, and the bits do not depend on the
// number of threads. The time of the forward pass is the sum of the times of all scores. In the
// backward pass all scores are computed again for each score.
//
// Error: the error of attend (streaming.hpp) for each score, plus one rounding error for each sum.
// Domain: the domains of all scores. Source: the geometric foundations of hyperbolic attention,
// product spaces (docs/attention.md): d^2 = sum of w_i^2 d_i^2 with weights w_i that are learned.
#pragma once

#include <utility>
#include <vector>

#include "mctensor/attention/softmax_attention.hpp"

namespace mct::attention {

/// One score of a sum, with its queries and keys (scores.hpp).
template <class T, int N = 1>
struct Summand {
  Score score;
  Tensor<T, N> x;  ///< (.., L, d); scores may have different d
  Tensor<T, N> a;  ///< (.., L, numbers of a query); not read if the score has none
  Tensor<T, N> y;  ///< (.., S, d)
  Tensor<T, N> b;  ///< (.., S, numbers of a key); not read if the score has none
};

/// The sum over keys of softmax(sum of all scores) v, for float, double and f64x2. A mask is
/// applied to the sum of the scores. Throws ShapeError and DomainError as attend does. Also throws
/// DomainError if there are no scores or the mask has a neighbourhood.
template <class T, int N>
Attended<T, N> attend_sum(const std::vector<Summand<T, N>>& summands, const Tensor<T, N>& v,
                          const Mask<T, N>& mask);
/// For each summand the gradients of its operands and of the values. The first element also has the
/// gradient of the mask's bias if `of_bias`. Throws as attend_sum does.
template <class T, int N>
std::vector<Gradients<T, N>> attend_sum_backward(const std::vector<Summand<T, N>>& summands,
                                                 const Tensor<T, N>& v, const Mask<T, N>& mask,
                                                 const Attended<T, N>& result,
                                                 const Tensor<T, N>& gradient,
                                                 bool of_bias = false);

/// softmax(sum of scores) v, with gradients of all operands. half and bfloat16 are computed in
/// float and rounded once. Throws as attend_sum does.
template <class T, int N, int M>
Variable<T, N, M> softmax_attention(const std::vector<Scored<T, N, M>>& scores,
                                    const Variable<T, N, M>& v, const Mask<T, N>& mask = {}) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    static_assert(M <= N, "a gradient of more components than the value");
    std::vector<Summand<T, N>> summands;
    std::vector<Summand<T, M>> saved;  // the backward pass reads them
    std::vector<Variable<T, N, M>> operands;
    for (const auto& of : scores) {
      summands.push_back({of.score, of.x.value(), of.a.value(), of.y.value(), of.b.value()});
      const auto part = [](const Variable<T, N, M>& x) {
        return autograd_detail::grad_value<M>(x.value());
      };
      saved.push_back({of.score, part(of.x), part(of.a), part(of.y), part(of.b)});
      operands.insert(operands.end(), {of.x, of.a, of.y, of.b});
    }
    operands.push_back(v);
    const Attended<T, N> result = attend_sum(summands, v.value(), mask);
    return autograd_detail::record_list(
        result.values,
        [saved, values = autograd_detail::grad_value<M>(v.value()),
         own = detail::of_components<M>(mask),
         attended = detail::of_components<M>(result)](const auto& to, const auto& g) {
          const auto gradients = attend_sum_backward(saved, values, own, attended, g);
          for (std::size_t i = 0; i < gradients.size(); ++i) {
            to.give(4 * i, gradients[i].x);
            to.give(4 * i + 1, gradients[i].a);
            to.give(4 * i + 2, gradients[i].y);
            to.give(4 * i + 3, gradients[i].b);
          }
          to.give(4 * gradients.size(), gradients[0].v);
        },
        operands);
  } else {
    const auto wide = [](const Variable<T, N, M>& of) { return convert<float, 1>(of); };
    std::vector<Scored<float, 1, 1>> all;
    for (const auto& of : scores)
      all.push_back({of.score, wide(of.x), wide(of.a), wide(of.y), wide(of.b)});
    return convert<T, 1>(softmax_attention(all, wide(v), detail::in_float(mask)));
  }
}

/// Attention by the squared distance of a product of spaces: softmax(-sum of w_i^2 d_i^2) v. d_i is
/// the hyperbolic distance of the factors q[i], k[i] (maps.hpp). The weights w_i broadcast to (..,
/// L, 1): each is a number, or has the shape (H, 1, 1) for one number a head. For a factor of
/// curvature -1/K^2 divide the inputs of its map by K, and pass K w_i. Throws ShapeError unless
/// queries, keys and weights have the same number of factors, and as attend_sum does.
template <class T, int N, int M>
Variable<T, N, M> product_attention(const std::vector<DistanceVariable<T, N, M>>& q,
                                    const std::vector<DistanceVariable<T, N, M>>& k,
                                    const Variable<T, N, M>& v,
                                    const std::vector<Variable<T, N, M>>& weights,
                                    const Mask<T, N>& mask = {}) {
  if (q.size() != k.size() || q.size() != weights.size())
    throw ShapeError("product_attention: " + std::to_string(q.size()) + " factors of queries, " +
                     std::to_string(k.size()) + " of keys, " + std::to_string(weights.size()) +
                     " weights; the three numbers must be equal");
  std::vector<Scored<T, N, M>> scores;
  for (std::size_t i = 0; i < q.size(); ++i)
    scores.push_back(distance_scored(q[i], k[i], square(weights[i]), Score::distance_squared));
  return softmax_attention(scores, v, mask);
}

}  // namespace mct::attention
