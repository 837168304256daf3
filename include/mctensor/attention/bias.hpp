// Learned biases of attention that depend on the offset of key and query: L + S - 1 numbers for
// each head instead of L S.
//
// Mask::by_offset marks such a bias. It is a table (heads, L + S - 1) for L queries and S keys.
// Element j - i + L - 1 is added to the score of query i and key j.
#pragma once

#include <cmath>

#include "mctensor/autograd/all.hpp"
#include "mctensor/error.hpp"

namespace mct::attention {

/// ALiBi with slopes that may be learned: minus slope times the number of positions between key and
/// query. The queries are the last L of S positions, as under a causal mask. Slopes (.., 1), one
/// for each head, give (.., L + S - 1), the bias of a mask with by_offset. Exact up to one
/// rounding. Throws ShapeError unless the last dimension is 1 and there are queries and keys.
/// Source: Press et al. 2022.
template <class T, int N, int M>
Variable<T, N, M> alibi(const Variable<T, N, M>& slopes, std::int64_t queries, std::int64_t keys) {
  if (slopes.dim() < 1 || slopes.size(-1) != 1 || queries < 1 || keys < 1)
    throw ShapeError("alibi: slopes of shape " + to_string(slopes.shape()) + " for " +
                     std::to_string(queries) + " queries and " + std::to_string(keys) +
                     " keys, expected a last dimension of 1 and at least one query and key");
  auto distances = Tensor<T>::uninitialized({queries + keys - 1});
  for (std::int64_t k = 0; k < distances.numel(); ++k)
    distances.data()[k] = T(-double(std::abs(k + 1 - keys)));
  return slopes * distances;
}

}  // namespace mct::attention
