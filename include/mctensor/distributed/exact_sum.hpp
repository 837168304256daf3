// Sums over a dimension of a tensor, exact and rounded once.
#pragma once

#include <algorithm>

#include "mctensor/distributed/exact_sums.hpp"
#include "mctensor/error.hpp"
#include "mctensor/tensor/create.hpp"

namespace mct::distributed {

/// The sums of all limbs of the elements over the last dimension of a tensor. They are exact and
/// rounded once to L limbs; ExactSums::round_to states the special values. Error: half a unit in
/// the last place of the last limb. Domain: every value. Source: Shewchuk 1997, Neal 2015
/// (ExactSums). If there are few sums, terms are added to several partial sums side by side. This
/// is exact, too. Throws ShapeError for a tensor without dimensions.
template <int L = 1, class T, int N>
Tensor<T, L> exact_sum(const Tensor<T, N>& x) {
  Shape shape = x.shape();
  if (shape.empty())
    throw ShapeError("exact_sum: the tensor has no dimensions; at least one is needed");
  const std::int64_t terms = shape.back();
  shape.pop_back();
  const Tensor<T, L> result = zeros<T, L>(shape);
  const std::int64_t sums = result.numel();
  if (sums == 0 || terms == 0) return result;

  const auto rows = x.reshape({sums, terms}).t().contiguous();  // a row: one term of every sum
  constexpr std::int64_t enough = 2048;                         // elements that are added at once
  std::int64_t width = 1;
  while (sums * width < enough && 2 * width <= terms) width *= 2;
  ExactSums<T> partial(sums * width, N);
  for (std::int64_t first = 0; first < terms; first += width) {
    const T* limbs[N];
    for (int k = 0; k < N; ++k) limbs[k] = rows.data(k) + first * sums;
    partial.add({limbs, std::size_t(N)}, std::min(width, terms - first) * sums);
  }
  for (; width > 1; width /= 2) {
    const std::int64_t half = sums * (width / 2);
    ExactSums<T> lower = partial.part({0, half});
    lower.add(partial.part({half, 2 * half}));
    partial = std::move(lower);
  }
  T* limbs[L];
  for (int k = 0; k < L; ++k) limbs[k] = result.data(k);
  partial.round_to({limbs, std::size_t(L)});
  return result;
}

}  // namespace mct::distributed
