// Attention on a GPU, with its tensor cores for bfloat16. Link mctensor::cuda.
//
// Source: Dao et al. 2022 (tiles), Milakov, Gimelshein 2018 (the running softmax).
#pragma once

#include <cstdint>
#include <optional>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// attention::Operands on a device: vectors of T, numbers of float. d and e are multiples of 8, at
/// most 128.
template <class T>
struct AttentionOperands {
  DeviceTensor<T> x;      ///< (.., L, d)
  DeviceTensor<float> a;  ///< (.., L, numbers of a query); not read if the score has none
  DeviceTensor<T> y;      ///< (.., S, d)
  DeviceTensor<float> b;  ///< (.., S, numbers of a key); not read if the score has none
  DeviceTensor<T> v;      ///< (.., S, e)
};

template <class T>
struct Attended {
  DeviceTensor<T> values;       ///< (.., L, e)
  DeviceTensor<float> log_sum;  ///< (.., L): log of the sum of e^score; -infinity without keys
  /// The rounding errors of the values, for attend_backward; no elements unless requested.
  DeviceTensor<bfloat16> rest;
};

/// Which keys are hidden from a query, and the bias of its scores. It is the part of
/// attention::Mask that devices support.
struct AttentionMask {
  /// Query i sees the keys up to key i + S - L, so the last query sees all keys.
  bool causal = false;
  /// Added to the scores; broadcasts to (.., L, S). -infinity hides a key. No elements: no bias.
  DeviceTensor<float> bias = {};
  /// If true, the bias depends on offsets, and broadcasts to (.., L + S - 1): element j - i + L - 1
  /// belongs to query i and key j (attention::alibi).
  bool by_offset = false;
};

/// attention::attend on a device: the sum over keys of softmax(score) v, in memory O(L + S). T is
/// bfloat16 or float. If `for_gradients`, the result keeps the data that attend_backward needs.
///
/// With bfloat16, tensor cores compute products, sums are in float, and weights are rounded to
/// bfloat16. Let m be the mean of |v| with these weights. The error is at most 1.25 2^-8 m plus
/// 2^-8 of the result. With float, a number of vectors and weights is the sum of two bfloat16, and
/// the error is at most 2^-13 m (for scores up to some 10^2; tests/cuda/attention_errors.hpp). A
/// query with an infinite or NaN score gets NaN; a query that sees no key gets 0.
///
/// A bias is added in float to a score that was rounded to float.
///
/// Throws ShapeError if shapes do not fit, if d or e is not a multiple of 8 or is above 128, and
/// for more than 65535 groups (leading dimensions) or 2^30 queries or keys. Throws DomainError if
/// vectors do not begin at a multiple of 16 bytes.
template <class T>
Attended<T> attend(attention::Score score, const AttentionOperands<T>& of,
                   const AttentionMask& mask = {}, bool for_gradients = false);

/// The same, but written into existing memory: values, log_sum, and rest if it has elements.
template <class T>
void attend(attention::Score score, const AttentionOperands<T>& of, const AttentionMask& mask,
            const Attended<T>& to);

/// The gradients of all operands from the gradient of the values, each in the shape of its operand.
/// The gradients of a and b have no elements if the score has no such numbers. A bias gets no
/// gradient. Errors are some 2^-8 (bfloat16) or 2^-16 (float) of the sum of the terms' magnitudes.
/// They are larger if a score has a corner at distance 0 and vectors are equal
/// (tests/cuda/attention_backward_test.cpp). Throws as attend. For bfloat16, throws DomainError if
/// the result has no `rest`.
template <class T>
AttentionOperands<T> attend_backward(attention::Score score, const AttentionOperands<T>& of,
                                     const AttentionMask& mask, const Attended<T>& result,
                                     const DeviceTensor<T>& gradient);
/// The same, but written into existing memory of the operands' shapes.
template <class T>
void attend_backward(attention::Score score, const AttentionOperands<T>& of,
                     const AttentionMask& mask, const Attended<T>& result,
                     const DeviceTensor<T>& gradient, const AttentionOperands<T>& to);

/// attention::Neighbourhood in the memory of a device, and the same edges ordered by keys. Only
/// gradients need the second order. The kernels do not check this data. If it does not come from
/// edges_there, it must have the contents that edges_there would write.
struct EdgesThere {
  std::int64_t queries = 0, keys = 0, edges = 0;
  const std::int64_t* starts = nullptr;       ///< [queries + 1]
  const std::int64_t* columns = nullptr;      ///< [edges]: the key of each edge
  const std::int64_t* key_starts = nullptr;   ///< [keys + 1]: starts of the edges by keys
  const std::int64_t* key_queries = nullptr;  ///< [edges]: the query of each edge by keys
  const std::int64_t* key_places = nullptr;   ///< [edges]: the place of the same edge in `columns`
  /// Owns the arrays and is freed on `stream`; empty if the caller owns them.
  DeviceMemory memory = {};
  std::optional<Stream> stream = {};
};
/// Copies a neighbourhood to the device, exactly. Waits for the device. Throws as
/// attention::attend_edges.
EdgesThere edges_there(const attention::Neighbourhood& seen, std::int64_t keys,
                       const Stream& stream = default_stream());

/// attention::attend_edges, written into existing memory: values and log_sum. d and e may have any
/// size, and vectors need no alignment.
///
/// Each warp computes one query, so the query with the most edges determines the time. Working
/// memory is one float for each edge and group. Weights are computed as by attend for float, but
/// vectors are not split. For n edges of a query the error is within 2^-14 + (n / 4) 2^-24 of the
/// weighted mean of |v| (scores up to some 10^2; tests/cuda/attention_edges_test.cpp). Results have
/// the same bits for any grid and stream of one architecture. Throws as attend, without its limits
/// on d, e and alignment.
void attend_edges(attention::Score score, const AttentionOperands<float>& of,
                  const EdgesThere& seen, const Attended<float>& to);
/// The gradients of all operands, as attend_backward. For n edges of a query or key, the error is
/// within 2^-13 + (n / 2) 2^-24 of the sum of the terms' magnitudes. Working memory is 2 floats and
/// the numbers of a key for each edge and group.
void attend_edges_backward(attention::Score score, const AttentionOperands<float>& of,
                           const EdgesThere& seen, const Attended<float>& result,
                           const DeviceTensor<float>& gradient, const AttentionOperands<float>& to);

}  // namespace mct::cuda
