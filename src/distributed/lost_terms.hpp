// Sums of doubles that a few doubles cannot hold.
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

/// A few doubles with the same sum: each is the rounded rest after the doubles before it. For terms
/// that are not finite the result is one or two terms with the same sum.
std::vector<double> shortened(std::span<const double> terms);

}  // namespace mct::distributed_detail
