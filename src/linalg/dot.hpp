// Dot products of contiguous vectors, in pieces that threads share.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg_detail {

/// The inner product of two vectors of equal length, A >= B or both plain.
template <class T, int N, int A, int B>
Expansion<T, N> dot(const Tensor<T, A>& x, const Tensor<T, B>& y);

/// y = a x: rows of `a` are contiguous, x is.
template <class T, int N, int A, int B>
void mv(const Tensor<T, A>& a, const Tensor<T, B>& x, const Tensor<T, N>& y);

}  // namespace mct::linalg_detail
