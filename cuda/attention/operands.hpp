// Operands of attention in global memory, as the block programs read them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "cuda/base/pack.hpp"
#include "mctensor/eft/half.hpp"

namespace mct::cuda {

/// Vectors (groups, count, width) of bfloat16; width is a multiple of 8, and the base is aligned to
/// 16 bytes. A vector of float is the sum of two parts, `plane` elements apart (SplitVectors).
struct VectorsView {
  const bfloat16* data;
  std::int64_t plane;
  int count, width;

  /// The first vector of a group.
  MCT_HD const bfloat16* group(int number) const {
    return data + std::int64_t(number) * count * width;
  }
};

/// The numbers of vectors, a plane for each: (groups, planes, padded) floats. padded is a multiple
/// of numbers_step; zeros follow the last vector. Plane 0 has the squared lengths, the next planes
/// have the numbers of the score (GatherNumbers). For gradients, queries have two more planes with
/// the results of the softmax (GatherSoftmax). The forward program reads none of them if the score
/// is the inner product.
inline constexpr int numbers_step = 384;  // a multiple of all numbers of queries or keys of a block
struct NumbersView {
  const float* data;
  int planes, padded;
};

/// One side of attention: the vectors of the queries or of the keys, the gradients of the results
/// (for queries) or the values (for keys), and the numbers of the vectors.
struct AttentionSide {
  VectorsView vectors, values;
  NumbersView numbers;
};

/// The number of bfloat16 parts of a vector of T.
template <class T>
inline constexpr int parts_of = std::is_same_v<T, bfloat16> ? 1 : 2;

/// The sizes that decide whether a query sees a key.
struct PairSizes {
  int queries, keys;
  bool causal;  // query i sees keys up to i + keys - queries

  /// The last key that a query sees, -1 if none.
  MCT_HD int last_key(int query) const {
    const int last = keys - 1;
    const int seen = causal ? query + keys - queries : last;
    return seen < last ? (seen < -1 ? -1 : seen) : last;
  }
  /// The first query that sees a key.
  MCT_HD int first_query(int key) const {
    const int first = causal ? key - (keys - queries) : 0;
    return first > 0 ? first : 0;
  }
};

/// The bias of the scores. The score of a query and a key gets element offsets[group] + query
/// of_query + key of_key. If `data` is null, nothing is added.
struct BiasView {
  const float* data = nullptr;
  const std::int64_t* offsets = nullptr;  ///< [groups]
  std::int64_t of_query = 0;
  int of_key = 0;
};

/// The bias of the pairs of a group, if there is one. Queries or keys beyond the last one have the
/// bias of the last one.
template <class Team, bool is_there>
class GroupBias {
 public:
  MCT_BLOCK GroupBias(Team&, const BiasView&, const PairSizes&) {}
};
template <class Team>
class GroupBias<Team, true> {
 public:
  MCT_BLOCK GroupBias(Team& team, const BiasView& bias, const PairSizes& sizes)
      : team_(team),
        bias_(bias),
        sizes_(sizes),
        data_(bias.data + team.template load<1>(bias.offsets + team.block_y())[0]) {}

  MCT_BLOCK float of(int query, int key) const {
    const int last_query = sizes_.queries - 1;
    const int last_key = sizes_.keys - 1;
    const float* const row = data_ + (query < last_query ? query : last_query) * bias_.of_query;
    return team_.template load<1>(row + (key < last_key ? key : last_key) * bias_.of_key)[0];
  }

 private:
  Team& team_;
  const BiasView& bias_;
  const PairSizes& sizes_;
  const float* data_;
};

}  // namespace mct::cuda
