// Sums of doubles that no few doubles hold.
#pragma once

#include <span>
#include <vector>

#include "mctensor/distributed/exact_sums.hpp"

namespace mct::distributed_detail {

/// Terms by their elements: those of one follow each other.
void sort_by_element(std::vector<distributed::LostTerm>& terms);

/// Calls visit(terms of one element) for all elements of sorted terms.
template <class Visit>
void for_each_element(std::span<const distributed::LostTerm> sorted, const Visit& visit) {
  for (std::size_t begin = 0, end = 0; begin < sorted.size(); begin = end) {
    while (end < sorted.size() && sorted[end].index == sorted[begin].index) ++end;
    visit(sorted.subspan(begin, end - begin));
  }
}

/// The sum as an expansion of T of `count` limbs, as ExactSums::round_to says; a sum 0 is +0.
template <class T>
void round_sum(std::span<const double> terms, T* limbs, int count);

/// Doubles with the same sum, few: each is what those before it leave of it, rounded. Of terms that
/// are not finite one or two that say the same.
std::vector<double> shortened(std::span<const double> terms);

}  // namespace mct::distributed_detail
