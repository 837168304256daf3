// The order of elements.
//
// Error: none, because comparisons are those of the exact values. Source: a stable merge sort of
// the C++ library; NumPy's place for NaN.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

/// The places of the elements of a vector in ascending order: x[result[0]] <= x[result[1]] <= ...
/// Equal elements, zeros of either sign among them, stay in their order, and NaN is last. Throws
/// ShapeError for an x of other than one dimension.
template <class T, int N>
Tensor<std::int64_t> argsort(const Tensor<T, N>& x) {
  if (x.dim() != 1)
    throw ShapeError("argsort: a vector is expected, not the shape " + to_string(x.shape()));
  const std::int64_t count = x.numel();
  const auto flat = x.contiguous();
  std::vector<Expansion<T, N>> keys(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    for (int k = 0; k < N; ++k) keys[std::size_t(i)].limb[k] = flat.data(k)[i];
  auto places = Tensor<std::int64_t>::uninitialized({count});
  std::int64_t* const first = places.data();
  std::iota(first, first + count, std::int64_t(0));
  std::stable_sort(first, first + count, [&](std::int64_t i, std::int64_t j) {
    const auto &a = keys[std::size_t(i)], &b = keys[std::size_t(j)];
    return isnan(b) ? !isnan(a) : bool(a < b);
  });
  return places;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
