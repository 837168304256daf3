// The scores of a sum, packed for the kernels.
#pragma once

#include <utility>
#include <vector>

#include "mctensor/attention/summed_scores.hpp"
#include "src/attention/packed.hpp"

namespace mct::attention_detail {

template <class E>
using SummandOf = attention::Summand<component_t<E>, components<E>>;

/// Throws DomainError for a sum without scores, or along the edges of a graph.
inline void require_summands(std::size_t count, bool along_edges) {
  if (count == 0) throw DomainError("attention: the list of summands is empty");
  if (along_edges)
    throw DomainError(
        "attention: along the edges of a graph there can be one score only, not a sum of scores");
}

template <class E>
OperandsOf<E> operands_of(const SummandOf<E>& summand, const TensorOf<E>& v) {
  return {summand.x, summand.a, summand.y, summand.b, v};
}

/// The summand `own`, to which the others are added. Throws ShapeError, DomainError.
template <class E>
Packed<E> packed_sum(const std::vector<SummandOf<E>>& summands, std::size_t own,
                     const TensorOf<E>& v, const MaskOf<E>& mask) {
  std::vector<Packed<E>> others;
  for (std::size_t i = 0; i < summands.size(); ++i)
    if (i != own)
      others.emplace_back(summands[i].score, operands_of<E>(summands[i], v), MaskOf<E>());
  return Packed<E>(summands[own].score, operands_of<E>(summands[own], v), mask, std::move(others));
}

}  // namespace mct::attention_detail
