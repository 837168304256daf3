// New tensors: constants, ranges, random numbers, stacks of other tensors.
//
// Error: constants, cat and stack are exact; arange and random numbers state their errors. Domain:
// every value and shape; tensors that do not fit together throw ShapeError. Source: Salmon et al.
// 2011 (counters), Box, Muller 1958 (normal numbers).
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// Zeros; one value everywhere; ones on the diagonal of an (n, n) matrix.
template <class T, int N = 1>
Tensor<T, N> zeros(const Shape& shape) {
  return Tensor<T, N>(shape);
}
template <class T, int N = 1>
Tensor<T, N> full(const Shape& shape, const typename Tensor<T, N>::Value& value) {
  auto x = Tensor<T, N>::uninitialized(shape);
  x.fill_(value);
  return x;
}
template <class T, int N = 1>
Tensor<T, N> eye(std::int64_t n) {
  Tensor<T, N> x({n, n});
  for (std::int64_t i = 0; i < n; ++i) x.set({i, i}, typename Tensor<T, N>::Value(T(1)));
  return x;
}

/// The numbers start + i step for i = 0, 1, ... that lie before stop. These are ceil((stop - start)
/// / step) numbers. Each has the error of one product and one sum of expansions. Throws DomainError
/// if step is 0, leads away from stop, or an argument is not finite.
template <class T, int N = 1>
Tensor<T, N> arange(const Expansion<T, N>& start, const Expansion<T, N>& stop,
                    const Expansion<T, N>& step);
/// 0, 1, ..., count - 1 as indices.
Tensor<std::int64_t> arange(std::int64_t count);

/// Independent uniform numbers in [0, 1) with N p random bits (half and bfloat16: p bits in each
/// component; four floats: 96 bits). Element i depends on the seed and i alone.
template <class T, int N = 1>
Tensor<T, N> rand(const Shape& shape, std::uint64_t seed);

/// Independent standard normal numbers in which all components are random: Box-Muller on Philox
/// counters, computed with more precision than the result has. Element i depends on the seed and i
/// alone. No number exceeds sqrt(2 log 2 (N p)) in magnitude (double, N = 1: 8.6).
template <class T, int N = 1>
Tensor<T, N> randn(const Shape& shape, std::uint64_t seed);

/// Joins tensors along a dimension. Throws ShapeError for an empty list, and unless the other sizes
/// agree.
template <class T, int N>
Tensor<T, N> cat(const std::vector<Tensor<T, N>>& tensors, std::int64_t dim = 0);

/// Stacks tensors of one shape along a new dimension. Throws ShapeError for an empty list, and for
/// other shapes.
template <class T, int N>
Tensor<T, N> stack(const std::vector<Tensor<T, N>>& tensors, std::int64_t dim = 0);

}  // namespace mct
