// Reading and writing elements by index tensors. Names and shapes follow PyTorch; an index outside
// its dimension throws ShapeError naming it (negative ones are not counted from the end).
//
// Error: reading copies exactly; scatter_add adds one after the other, each with the bound of add.
// Source: PyTorch's definitions of index_select, gather and scatter_add.
#pragma once

#include <cstdint>

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The positions index[0], index[1], ... of a dimension: (.., index.size(0), ..). index is a
/// vector.
template <class T, int N>
Tensor<T, N> index_select(const Tensor<T, N>& x, std::int64_t dim,
                          const Tensor<std::int64_t>& index);

/// result[i][j][k] = x[index[i][j][k]][j][k] for dim = 0, and so on. index has as many dimensions
/// as x and is not longer than x, except in `dim`; the result has its shape.
template <class T, int N>
Tensor<T, N> gather(const Tensor<T, N>& x, std::int64_t dim, const Tensor<std::int64_t>& index);

/// x[index[i][j][k]][j][k] += source[i][j][k] for dim = 0, and so on, in row-major order of the
/// index: the same bits whatever the number of threads. index has as many dimensions as x and
/// source. It is not longer than source, nor than x except in `dim`. In place; returns x.
template <class T, int N>
const Tensor<T, N>& scatter_add_(const Tensor<T, N>& x, std::int64_t dim,
                                 const Tensor<std::int64_t>& index, const Tensor<T, N>& source);
/// The same on a copy of x.
template <class T, int N>
Tensor<T, N> scatter_add(const Tensor<T, N>& x, std::int64_t dim, const Tensor<std::int64_t>& index,
                         const Tensor<T, N>& source) {
  Tensor<T, N> result = x.clone();
  scatter_add_(result, dim, index, source);
  return result;
}

}  // namespace mct
