// Attention without its matrix of weights: tiles of pairs of queries and keys, softmax on the way.
//
// Memory beside the results is proportional to L + S, not to L S. The order of every sum depends on
// the shapes alone, so that the result has the same bits for any number of threads.
// Source: Milakov, Gimelshein 2018 (the softmax on the way); Dao et al. 2022, 2023 (its gradient
// from the saved logarithm of the sum).
//
// For a score of the squared distance, a tile's distances come from inner products, |x|^2 + |y|^2
// - 2 x.y, whose error is at most (2 d + 4) u (|x|^2 + |y|^2). If one of a tile's is below 1/32 of
// |x|^2 + |y|^2, all of that tile are computed from differences instead, and so are their
// gradients. Relative error of t: 32 (2 d + 4) u at most, as a rule some 100 u, for d coordinates.
#pragma once

#include <cstdint>

#include "mctensor/attention/scores.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::attention {

/// Keys that a query does not see, and what is added to its scores.
template <class T>
struct Mask {
  /// Query i sees keys up to i + S - L: the last query sees all.
  bool causal = false;
  /// True where a query must not see a key; broadcasts to (.., L, S). No elements: nowhere.
  Tensor<bool> hidden;
  /// Added to the scores; broadcasts to (.., L, S). No elements: nothing.
  Tensor<T> bias;
  /// The bias is one of offsets instead, and broadcasts to (.., L + S - 1): element j - i + L - 1
  /// belongs to query i and key j. It needs no more memory than the operands.
  bool by_offset = false;
  /// The probability with which a weight becomes 0; the others are divided by 1 - dropout. Drawn
  /// from the seed, the number of the call, and the pair (Philox).
  double dropout = 0;
  std::uint64_t seed = 0, call = 0;
};

/// Vectors and numbers of queries, keys, values: see scores.hpp. The leading dimensions are equal.
template <class T>
struct Operands {
  Tensor<T> x;  ///< (.., L, d)
  Tensor<T> a;  ///< (.., L, numbers of a query); not read if the score has none
  Tensor<T> y;  ///< (.., S, d)
  Tensor<T> b;  ///< (.., S, numbers of a key); not read if the score has none
  Tensor<T> v;  ///< (.., S, e)
};

template <class T>
struct Attended {
  Tensor<T> values;   ///< (.., L, e)
  Tensor<T> log_sum;  ///< (.., L): log of the sum of e^score; -infinity where a query sees no key
};

template <class T>
struct Gradients : Operands<T> {
  Tensor<T> bias;  ///< in the shape of the mask's bias; no elements if it was not asked for
};

/// Sum over keys of softmax(score) v. A query that sees no key gets 0. Throws ShapeError,
/// DomainError for a dropout outside [0, 1). T: float or double.
template <class T>
Attended<T> attend(Score score, const Operands<T>& of, const Mask<T>& mask);
/// The gradients of the operands from that of the values; of the bias of the mask, if `of_bias`.
/// That of a bias is the sum of the scores' gradients over all pairs that share an element, in the
/// order of the tiles; sums over queries or keys are added in double. Memory in proportion to L + S
/// beside the gradients themselves.
template <class T>
Gradients<T> attend_backward(Score score, const Operands<T>& of, const Mask<T>& mask,
                             const Attended<T>& result, const Tensor<T>& gradient,
                             bool of_bias = false);

}  // namespace mct::attention
