// Attention without its matrix of weights. It is computed on tiles (blocks of queries and keys),
// with a running softmax.
//
// For L queries and S keys, memory beside the results is proportional to L + S, not to L S. The
// order of every sum depends on the shapes alone, so any number of threads gives the same bits.
// Source: Milakov, Gimelshein 2018 (the running softmax); Dao et al. 2022, 2023 (its gradient from
// the saved logarithm of the sum).
//
// For scores of the squared distance t = |x - y|^2, the t of a tile come from inner products, as
// |x|^2 + |y|^2 - 2 x.y. In d coordinates their error is at most (2 d + 4) u (|x|^2 + |y|^2). If
// one t of a tile is below 1/32 of |x|^2 + |y|^2, all t of that tile and their gradients are
// computed from differences instead. So the relative error of t is at most 32 (2 d + 4) u, usually
// about 100 u.
#pragma once

#include <cstdint>

#include "mctensor/attention/scores.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::attention {

/// A sparse neighbourhood, in compressed rows (CSR), the same for all leading dimensions. Query i
/// attends to the keys columns[starts[i]] to columns[starts[i + 1] - 1]. A key that is listed twice
/// counts twice.
struct Neighbourhood {
  Tensor<std::int64_t> starts;   ///< (L + 1), from 0 to the number of columns
  Tensor<std::int64_t> columns;  ///< of all queries, one after the other

  /// True if starts is empty: then queries attend to all keys.
  bool is_everything() const { return starts.numel() == 0; }
};
/// Throws ShapeError or DomainError, with the index and the value, unless `seen` is a neighbourhood
/// of this many queries and keys.
void require_neighbourhood(const Neighbourhood& seen, std::int64_t queries, std::int64_t keys);

/// The keys that a query does not attend to, the bias of scores, and dropout.
template <class T, int N = 1>
struct Mask {
  /// True: query i attends to keys up to i + S - L only. So the last query attends to all.
  bool causal = false;
  /// True where a query must not attend to a key. Broadcasts to (.., L, S). No elements: nowhere.
  Tensor<bool> hidden;
  /// Added to the scores. Broadcasts to (.., L, S). No elements: nothing is added.
  Tensor<T, N> bias;
  /// True: the bias depends on the offset j - i of query i and key j. It broadcasts to (.., L + S -
  /// 1), and its element j - i + L - 1 belongs to the pair. So it takes no more memory than the
  /// operands.
  bool by_offset = false;
  /// The probability with which a weight becomes 0, from 0 to 1. The other weights are divided by
  /// (1 - dropout). With 1 all weights are 0, and so are results and gradients. The seed, the
  /// number of the call and the pair determine which weights become 0 (Philox).
  double dropout = 0;
  std::uint64_t seed = 0, call = 0;
  /// If not empty, queries attend to these keys only (attend_edges). It cannot be combined with a
  /// causal mask, hidden pairs or a bias.
  Neighbourhood seen = {};
};

/// The vectors and numbers of queries and of keys (scores.hpp), and the values of keys. The leading
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
      log_sum;  ///< (.., L): log of the sum of e^score; -infinity if a query attends to no key
};

template <class T, int N = 1>
struct Gradients : Operands<T, N> {
  Tensor<T, N> bias;  ///< in the shape of the mask's bias; no elements unless requested
};

/// The sum over keys of softmax(score) v; 0 for a query without keys. Throws ShapeError for shapes
/// that do not fit, DomainError for a dropout outside [0, 1].
///
/// T is float, double or f64x2; each type is computed in its own arithmetic with the same tiles.
/// f64x2 serves to measure the errors of the other types and is not tuned. Errors are relative to
/// the largest value or gradient, for well-scaled inputs. They are 40 u for results and for
/// gradients of the values, and 320 u for other gradients; for f64x2 40 u^2 and 320 u^2
/// (tests/attention/streaming_test.cpp). Weights below e^-87.3 (float), e^-708.3 (double) or
/// e^-600 (f64x2) of the largest are 0.
template <class T, int N>
Attended<T, N> attend(Score score, const Operands<T, N>& of, const Mask<T, N>& mask);
/// The gradients of the operands from the gradient of the values, and of the mask's bias if
/// `of_bias`. An element of a bias gets the sum of the gradients of all scores to which it was
/// added, in the order of the tiles. Sums over queries or keys are added in double. Memory beside
/// the gradients is proportional to L + S.
template <class T, int N>
Gradients<T, N> attend_backward(Score score, const Operands<T, N>& of, const Mask<T, N>& mask,
                                const Attended<T, N>& result, const Tensor<T, N>& gradient,
                                bool of_bias = false);

/// Attention along the edges of a graph: each query attends to the keys of its neighbourhood only.
/// Time and memory are proportional to L + S and the number of edges. The bits do not depend on the
/// number of threads. The function equals attend with a mask that has the neighbourhood, so
/// attend_backward computes its gradients. Dropout depends on the position in the query's row, not
/// on the key. Distances come from differences, so errors are at most the errors of attend. Throws
/// as attend, and ShapeError or DomainError, with the index and the value, for an invalid
/// neighbourhood. Source: Velickovic et al. 2018 (graph attention).
template <class T, int N>
Attended<T, N> attend_edges(Score score, const Operands<T, N>& of, const Neighbourhood& seen,
                            Mask<T, N> mask = {}) {
  if (seen.is_everything())  // in a mask an empty neighbourhood means all keys
    throw ShapeError("attention: starts of shape " + to_string(seen.starts.shape()) +
                     ", expected one start for each query and one more");
  mask.seen = seen;
  return attend(score, of, mask);
}

/// The derivatives of attend and attend_backward along a direction. The first component of an
/// element is a number, the second its derivative (dual.hpp). This holds for arguments and results.
/// The derivatives of gradients are the second derivatives times the direction, because second
/// derivatives are symmetric. Memory is proportional to L + S as before. At a kink of a score,
/// second derivatives belong to the same side as the first derivatives. Throws DomainError where a
/// score's distance is 0 and its two points move apart: there the distance has no derivative.
Attended<double, 2> attend_along(Score score, const Operands<double, 2>& of,
                                 const Mask<double, 2>& mask);
Gradients<double, 2> attend_backward_along(Score score, const Operands<double, 2>& of,
                                           const Mask<double, 2>& mask,
                                           const Attended<double, 2>& result,
                                           const Tensor<double, 2>& gradient, bool of_bias = false);

}  // namespace mct::attention
