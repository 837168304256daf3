// Sorts vectors.
//
// Error: none, because the exact values are compared. Domain: every value; NaN is last, as in
// NumPy. Source: the stable sort of the C++ library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/expansion/compare.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::inline MCT_ISA_NAMESPACE {

namespace detail {

/// x < y, but NaN comes after all numbers.
template <class T, int N>
bool sorts_before(const Expansion<T, N>& x, const Expansion<T, N>& y) {
  if constexpr (N > 1) {
    // The limbs of x after the first are together below u |x| (1 + 2u). If the first limbs of x and
    // y differ by more than their further limbs together, the first limbs decide.
    const T apart = y.limb[0] - x.limb[0];
    const T near = T(4 * double(FloatTraits<T>::u)) * (magnitude(x.limb[0]) + magnitude(y.limb[0]));
    if (magnitude(apart) > near) return apart > T(0);
  }
  return isnan(y) ? !isnan(x) : bool(x < y);
}

}  // namespace detail

/// The places of the elements of a vector in ascending order: x[result[0]] <= x[result[1]] <= ...
/// Equal elements, zeros of either sign among them, stay in their order, and NaN is last. Throws
/// ShapeError unless x has one dimension.
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
    return detail::sorts_before(keys[std::size_t(i)], keys[std::size_t(j)]);
  });
  return places;
}

}  // namespace mct::inline MCT_ISA_NAMESPACE
