// Attention on variables: softmax of a score, with gradients of all operands, in memory O(L + S).
//
// What a score needs comes from Euclidean vectors by a map to the half-space, the ball or the
// hyperboloid (maps.hpp) and is put together here, so that a whole layer is
//     attention::penumbral_attention(xi(q, r), xi(k, r), v, r, gamma, mask)
// Shapes: queries (.., L, d), keys (.., S, d), values (.., S, e), result (.., L, e), where the
// leading dimensions are equal. Temperatures, radii and curvatures broadcast to (.., L, 1) or (..,
// S, 1): one for each head of (B, H, L, d) is a variable (H, 1, 1).
#pragma once

#include <utility>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/autograd/all.hpp"

namespace mct::attention {

/// Softmax over keys of a score of the vectors x, y and the numbers a, b (scores.hpp), times v: the
/// operation that all others here are made of. half and bfloat16 are computed in float, and their
/// result is rounded once. Throws ShapeError, DomainError as attend.
template <class T>
Variable<T, 1, 1> softmax_attention(Score score, const Variable<T, 1, 1>& x,
                                    const Variable<T, 1, 1>& a, const Variable<T, 1, 1>& y,
                                    const Variable<T, 1, 1>& b, const Variable<T, 1, 1>& v,
                                    const Mask<T>& mask) {
  const Operands<T> operands = {x.value(), a.value(), y.value(), b.value(), v.value()};
  const Attended<T> result = attend(score, operands, mask);
  return autograd_detail::record(
      result.values,
      [=](const auto& to, const auto& g) {
        const Operands<T> gradients = attend_backward(score, operands, mask, result, g);
        to.give(0, gradients.x);
        to.give(1, gradients.a);
        to.give(2, gradients.y);
        to.give(3, gradients.b);
        to.give(4, gradients.v);
      },
      x, a, y, b, v);
}

}  // namespace mct::attention
