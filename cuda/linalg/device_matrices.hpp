// Device tensors as the factors of products.
#pragma once

#include <string>

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/error.hpp"
#include "src/linalg/matrix_view.hpp"

namespace mct::cuda {

/// Throws ShapeError unless a and b are matrices with a product and an inner dimension up to
/// `deepest`.
template <class T, int N>
void require_product(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                     std::int64_t deepest) {
  if (a.dim() != 2 || b.dim() != 2 || a.size(1) != b.size(0))
    throw ShapeError("mm: matrices of shapes " + to_string(a.shape()) + " and " +
                     to_string(b.shape()) + " do not fit, expected (m, k) and (k, n)");
  if (a.size(1) > deepest)
    throw ShapeError("mm: an inner dimension of " + std::to_string(a.size(1)) + ", more than " +
                     std::to_string(deepest));
}

template <class S, class T, int N>
linalg_detail::MatrixView<S> matrix_view(const DeviceTensor<T, N>& x) {
  return {x.data(), x.plane_stride(), x.size(1), 1};
}

}  // namespace mct::cuda
