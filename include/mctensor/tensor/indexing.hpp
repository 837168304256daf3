// Reading and writing elements by index tensors. Names and shapes follow PyTorch. An index outside
// its dimension, also a negative one, throws ShapeError, which names the index.
//
// Error: reading copies exactly; scatter_add adds elements one after the other, each with the bound
// of add. Source: PyTorch's definitions of index_select, gather and scatter_add.
#pragma once

#include <cstdint>

#include "mctensor/tensor/tensor.hpp"

namespace mct {

/// The elements at the positions index[0], index[1], ... of dimension `dim`. index is a vector. The
/// result has the shape (.., index.size(0), ..).
template <class T, int N>
Tensor<T, N> index_select(const Tensor<T, N>& x, std::int64_t dim,
                          const Tensor<std::int64_t>& index);

/// result[i][j][k] = x[index[i][j][k]][j][k] for dim = 0, and so on. index has as many dimensions
/// as x, and none of them is longer than in x, except `dim`. The result has the shape of index.
template <class T, int N>
Tensor<T, N> gather(const Tensor<T, N>& x, std::int64_t dim, const Tensor<std::int64_t>& index);

/// x[index[i][j][k]][j][k] += source[i][j][k] for dim = 0, and so on, in row-major order of the
/// index. The bits do not depend on the number of threads. index has as many dimensions as x and
/// source. None of its dimensions is longer than in source or, except `dim`, than in x. The
/// function writes to x and returns x.
template <class T, int N>
const Tensor<T, N>& scatter_add_(const Tensor<T, N>& x, std::int64_t dim,
                                 const Tensor<std::int64_t>& index, const Tensor<T, N>& source);
/// scatter_add_ on a copy of x.
template <class T, int N>
Tensor<T, N> scatter_add(const Tensor<T, N>& x, std::int64_t dim, const Tensor<std::int64_t>& index,
                         const Tensor<T, N>& source) {
  Tensor<T, N> result = x.clone();
  scatter_add_(result, dim, index, source);
  return result;
}

}  // namespace mct
