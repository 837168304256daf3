// Rows of tensors by number, for embeddings and their gradients.
#pragma once

#include <cstdint>
#include <vector>

#include "mctensor/tensor/tensor.hpp"

namespace mct::autograd_detail {

/// x[indices[0]], x[indices[1]] ... of x (n, ...): (k, ...). Throws ShapeError for an index that is
/// not below n.
template <class T, int N>
Tensor<T, N> take_rows(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices);

/// x[indices[i]] += rows[i], in order; x is contiguous. Throws ShapeError as above, before it
/// writes.
template <class T, int N>
void add_rows_(const Tensor<T, N>& x, const std::vector<std::int64_t>& indices,
               const Tensor<T, N>& rows);

}  // namespace mct::autograd_detail
