// Attention on a GPU, with its tensor cores for products of bfloat16. Link mctensor::cuda.
//
// Source: Dao et al. 2022 (tiles), Milakov, Gimelshein 2018 (the running softmax).
#pragma once

#include <cstdint>
#include <optional>

#include "mctensor/attention/streaming.hpp"
#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// attention::Operands on a device. Vectors have the type T, numbers are float. d and e must be
/// multiples of 8, and at most 128, except for attend_edges.
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
  /// The rounding errors of the values, which attend_backward needs for bfloat16; no elements for
  /// float or unless requested.
  DeviceTensor<bfloat16> rest;
};

/// The keys that are hidden from queries, and the bias of scores: the part of attention::Mask that
/// devices support.
struct AttentionMask {
  /// True: query i attends to keys up to i + S - L only. So the last query attends to all.
  bool causal = false;
  /// Added to the scores; broadcasts to (.., L, S). -infinity hides a key. No elements: no bias.
  DeviceTensor<float> bias = {};
  /// If true, the bias depends on offsets, and broadcasts to (.., L + S - 1): element j - i + L - 1
  /// belongs to query i and key j (attention::alibi).
  bool by_offset = false;
};

/// attention::attend on a device: the sum over keys of softmax(score) v, in memory O(L + S). T is
/// bfloat16 or float. For attend_backward of bfloat16 `for_gradients` must be true; the result then
/// has `rest`.
///
/// For bfloat16, tensor cores compute the products, sums are computed in float, and weights are
/// rounded to bfloat16. For float, each coordinate and each weight is stored as the sum of two
/// bfloat16, for the tensor cores. Let m be the mean of |v| with the weights. The error for
/// bfloat16 is at most 1.25 2^-8 m plus 2^-8 |result|. The error for float is at most 2^-13 m plus
/// 2^-24 |result|. Both bounds are tested for scores up to some 10^2
/// (tests/cuda/attention_errors.hpp). A query with a score of NaN or +infinity gets NaN. A query
/// that attends to no key gets 0.
///
/// A bias is added in float to the score, which has been rounded to float.
///
/// Throws ShapeError if shapes do not fit, and if d or e is 0, not a multiple of 8 or above 128.
/// Throws ShapeError for more than 2^30 queries or keys, or more than 65535 groups (the product of
/// the leading dimensions). Throws DomainError if x, y or v does not begin at a multiple of 16
/// bytes.
template <class T>
Attended<T> attend(attention::Score score, const AttentionOperands<T>& of,
                   const AttentionMask& mask = {}, bool for_gradients = false);

/// The same, but writes to existing memory: to.values, to.log_sum, and to.rest if it has elements.
template <class T>
void attend(attention::Score score, const AttentionOperands<T>& of, const AttentionMask& mask,
            const Attended<T>& to);

/// The gradients of all operands from the gradient of the values, each in the shape of its operand.
/// The gradients of a and b have no elements if the score has no such numbers. A bias gets no
/// gradient. Errors are some 2^-8 (bfloat16) or 2^-16 (float) of the sum of the terms' magnitudes.
/// They are larger for a score with a corner at distance 0 if vectors of queries and keys nearly
/// coincide (tests/cuda/attention_gradients.hpp). Throws as attend, also for the gradient. For
/// bfloat16, throws DomainError if the result has no `rest`.
template <class T>
AttentionOperands<T> attend_backward(attention::Score score, const AttentionOperands<T>& of,
                                     const AttentionMask& mask, const Attended<T>& result,
                                     const DeviceTensor<T>& gradient);
/// The same, but writes to existing memory of the operands' shapes.
template <class T>
void attend_backward(attention::Score score, const AttentionOperands<T>& of,
                     const AttentionMask& mask, const Attended<T>& result,
                     const DeviceTensor<T>& gradient, const AttentionOperands<T>& to);

/// attention::Neighbourhood in the memory of a device, and the same edges ordered by keys. Only
/// gradients need the order by keys. The kernels do not check the arrays. If a caller makes them
/// without edges_there, they must have the contents that edges_there would write.
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
/// attention::require_neighbourhood.
EdgesThere edges_there(const attention::Neighbourhood& seen, std::int64_t keys,
                       const Stream& stream = default_stream());

/// attention::attend_edges on a device. Writes to existing memory: to.values and to.log_sum. d and
/// e may have any size, and vectors need no alignment.
///
/// Each warp computes one query, so the query with the most edges limits the speed. Working memory
/// is one float for each edge and group. Weights are computed as by attend for float, but vectors
/// are not split into bfloat16. The error of a query with n edges is at most 2^-14 + (n / 4) 2^-24
/// times the weighted mean of |v| (scores up to some 10^2; tests/cuda/attention_edges_test.cpp). On
/// one architecture the bits of the results do not depend on the grid or the stream. Throws as
/// attend, without its limits on d, e and alignment.
void attend_edges(attention::Score score, const AttentionOperands<float>& of,
                  const EdgesThere& seen, const Attended<float>& to);
/// The gradients of all operands, as attend_backward computes them. The error for a query or key
/// with n edges is at most 2^-13 + (n / 2) 2^-24 times the sum of the terms' magnitudes. Working
/// memory for each edge and group is 2 floats and the numbers of a key.
void attend_edges_backward(attention::Score score, const AttentionOperands<float>& of,
                           const EdgesThere& seen, const Attended<float>& result,
                           const DeviceTensor<float>& gradient, const AttentionOperands<float>& to);

}  // namespace mct::cuda
