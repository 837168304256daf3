// Attention without its matrix of weights: it works on tiles of pairs of queries and keys, with a
// running softmax.
//
// Memory beside the results is proportional to L + S, not to L S. The order of every sum depends on
// the shapes alone, so that the result has the same bits for any number of threads. Source:
// Milakov, Gimelshein 2018 (the running softmax); Dao et al. 2022, 2023 (its gradient from the
// saved logarithm of the sum).
//
// For a score of the squared distance, the distances of a tile come from inner products, as
// |x|^2 + |y|^2 - 2 x.y. Their error is at most (2 d + 4) u (|x|^2 + |y|^2). If one distance of a
// tile is below 1/32 of |x|^2 + |y|^2, all distances of that tile and their gradients are computed
// from differences instead. Relative error of t for d coordinates: 32 (2 d + 4) u at most, usually
// about 100 u.
#pragma once

#include <cstdint>

#include "mctensor/attention/scores.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::attention {

/// A sparse neighbourhood, in compressed rows (CSR), the same for all leading dimensions: query i
/// sees the keys columns[starts[i]] to columns[starts[i + 1] - 1]; a key that is listed twice
/// counts twice.
struct Neighbourhood {
  Tensor<std::int64_t> starts;   ///< (L + 1), from 0 to the number of columns
  Tensor<std::int64_t> columns;  ///< of all queries, one after the other

  /// True if the neighbourhood is empty: then queries see all keys.
  bool is_everything() const { return starts.numel() == 0; }
};
/// Throws ShapeError or DomainError, naming the index and the value, unless `seen` is a
/// neighbourhood of so many queries and keys.
void require_neighbourhood(const Neighbourhood& seen, std::int64_t queries, std::int64_t keys);

/// Which keys are hidden from a query, and the bias of its scores.
template <class T, int N = 1>
struct Mask {
  /// Query i sees keys up to i + S - L: the last query sees all.
  bool causal = false;
  /// True where a query must not see a key; broadcasts to (.., L, S). No elements: nowhere.
  Tensor<bool> hidden;
  /// Added to the scores; broadcasts to (.., L, S). No elements: nothing.
  Tensor<T, N> bias;
  /// The bias depends on offsets instead, and broadcasts to (.., L + S - 1): element j - i + L - 1
  /// belongs to query i and key j. So it needs no more memory than the operands.
  bool by_offset = false;
  /// The probability with which a weight becomes 0, from 0 to 1. The other weights are divided by
  /// (1 - dropout). With 1 all weights are 0, and so are results and gradients. The seed, the
  /// number of the call and the pair determine which weights become 0 (Philox).
  double dropout = 0;
  std::uint64_t seed = 0, call = 0;
  /// If not empty, the only keys that queries see (attend_edges). It cannot be combined with a
  /// causal mask, hidden pairs or a bias.
  Neighbourhood seen = {};
};

/// The vectors and numbers of queries, and of keys with their values: see scores.hpp. The leading
/// dimensions are equal.
template <class T, int N = 1>
struct Operands {
  Tensor<T, N> x;  ///< (.., L, d)
  Tensor<T, N> a;  ///< (.., L, numbers of a query); not read if the score has none
  Tensor<T, N> y;  ///< (.., S, d)
  Tensor<T, N> b;  ///< (.., S, numbers of a key); not read if the score has none
  Tensor<T, N> v;  ///< (.., S, e)
};

template <class T, int N = 1>
struct Attended {
  Tensor<T, N> values;  ///< (.., L, e)
  Tensor<T, N>
      log_sum;  ///< (.., L): log of the sum of e^score; -infinity where a query sees no key
};

template <class T, int N = 1>
struct Gradients : Operands<T, N> {
  Tensor<T, N> bias;  ///< in the shape of the mask's bias; no elements unless requested
};

/// Sum over keys of softmax(score) v. A query that sees no key gets 0. Throws ShapeError,
/// DomainError for a dropout outside [0, 1].
///
/// T is float, double or f64x2; each type is computed in its own arithmetic with the same tiles.
/// f64x2 serves to measure the errors of the other types and is not tuned. Errors on well-scaled
/// inputs, against the largest value or gradient: 40 u of the results and of the gradients of the
/// values, 320 u of other gradients, for f64x2 40 and 320 u^2 (tests/attention/streaming_test.cpp).
/// Weights below e^-87 (float), e^-708 (double) or e^-600 (f64x2) of the largest are 0.
template <class T, int N>
Attended<T, N> attend(Score score, const Operands<T, N>& of, const Mask<T, N>& mask);
/// The gradients of the operands from the gradient of the values; also the gradient of the mask's
/// bias if `of_bias`. The gradient of a bias is the sum of the scores' gradients over all pairs
/// that share an element, in the order of the tiles; sums over queries or keys are added in double.
/// It needs memory proportional to L + S beside the gradients themselves.
template <class T, int N>
Gradients<T, N> attend_backward(Score score, const Operands<T, N>& of, const Mask<T, N>& mask,
                                const Attended<T, N>& result, const Tensor<T, N>& gradient,
                                bool of_bias = false);

/// Attention along the edges of a graph: each query weighs only the keys of its neighbourhood. Time
/// and memory are proportional to L + S and the number of edges; the bits do not depend on the
/// number of threads. The function equals attend with a mask that has the neighbourhood, so
/// attend_backward computes its gradients. Dropout depends on the position in the query's row, not
/// on the key. Distances come from differences, so errors are at most the errors of attend. Throws
/// ShapeError and DomainError, with the index and the value, for an invalid neighbourhood, and as
/// attend. Source: Velickovic et al. 2018 (graph attention).
template <class T, int N>
Attended<T, N> attend_edges(Score score, const Operands<T, N>& of, const Neighbourhood& seen,
                            Mask<T, N> mask = {}) {
  if (seen.is_everything())  // in a mask an empty neighbourhood means all keys
    throw ShapeError("attention: starts of shape " + to_string(seen.starts.shape()) +
                     ", expected one start for each query and one more");
  mask.seen = seen;
  return attend(score, of, mask);
}

/// The derivatives of attend and attend_backward along a direction: a tensor's first component is a
/// number, the second its derivative (dual.hpp), so that the second components of results are
/// derivatives. The derivatives of gradients are the second derivatives times the direction,
/// because second derivatives are symmetric. Memory is proportional to L + S as before. At a kink
/// of a score, second derivatives belong to the same side as the first derivatives. Throws
/// DomainError where a score's distance is 0 and its two points move apart: there the distance has
/// no derivative.
Attended<double, 2> attend_along(Score score, const Operands<double, 2>& of,
                                 const Mask<double, 2>& mask);
Gradients<double, 2> attend_backward_along(Score score, const Operands<double, 2>& of,
                                           const Mask<double, 2>& mask,
                                           const Attended<double, 2>& result,
                                           const Tensor<double, 2>& gradient, bool of_bias = false);

}  // namespace mct::attention
