#include "src/distributed/lost_terms.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "src/expansion/exact.hpp"
#include "src/tensor/component_list.hpp"

namespace mct::distributed_detail {

using distributed::LostTerm;

namespace {

/// The sum of terms of which some are not finite: an infinity or NaN; 0 if all are finite.
double special_sum(std::span<const double> terms) {
  double sum = 0;
  for (const double x : terms)
    if (!std::isfinite(x)) sum += x;
  return sum;
}

/// The sum of finite terms. It may be beyond double, and is a multiple of its smallest number.
io_detail::Exact exact_sum(std::span<const double> terms) {
  io_detail::Exact sum;
  for (const double x : terms) io_detail::add_to(sum, x);
  return sum;
}

}  // namespace

void sort_by_element(std::vector<LostTerm>& terms) {
  std::stable_sort(terms.begin(), terms.end(),
                   [](const LostTerm& a, const LostTerm& b) { return a.index < b.index; });
}

template <class T>
void round_sum(std::span<const double> terms, T* limbs, int count) {
  const double special = special_sum(terms);
  if (special == 0) {
    io_detail::nearest_limbs(exact_sum(terms), limbs, count);
    return;
  }
  std::fill(limbs, limbs + count, T(0));
  limbs[0] = special != special ? FloatTraits<T>::nan
             : special > 0      ? FloatTraits<T>::infinity
                                : T(-FloatTraits<T>::infinity);
}

std::vector<double> shortened(std::span<const double> terms) {
  const double special = special_sum(terms);
  if (special != 0) return {special};
  std::vector<double> result;
  auto rest = exact_sum(terms);
  while (!rest.mantissa.is_zero()) {
    double part = io_detail::nearest<double>(rest);
    if (std::isinf(part)) part = std::copysign(0x1p1023, part);
    result.push_back(part);
    io_detail::add_to(rest, -part);
  }
  return result;
}

#define MCT_INSTANTIATE(T) template void round_sum(std::span<const double>, T*, int);
MCT_FOR_EACH_COMPONENT(MCT_INSTANTIATE)
#undef MCT_INSTANTIATE

}  // namespace mct::distributed_detail
