// Reads and adds rows of tensors, for embeddings and their gradients.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::autograd_detail {

/// The rows x[indices[0]], x[indices[1]] ... of a tensor x (n, ...). For k indices the result is
/// (k, ...). Throws ShapeError for an index that is not in 0 .. n - 1.
template <class T, int N>
Tensor<T, N> take_rows(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices);

/// x[indices[i]] += rows[i], in the order of i. x must be contiguous. Throws ShapeError as
/// take_rows, before it writes.
template <class T, int N>
void add_rows_(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices,
               const Tensor<T, N>& rows);

}  // namespace mct::autograd_detail
