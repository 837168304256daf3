// Powers of matrices.
//
// Source: squaring; Higham, Functions of Matrices, section 4.1.
#pragma once

#include "mctensor/tensor/tensor.hpp"

namespace mct::linalg {

/// a^n for a (..., m, m), computed by squaring with at most 2 log2 |n| products. a^0 is the
/// identity, and a^-n is the n-th power of inv(a). Each product has the error of mm. Throws
/// ShapeError unless the matrices are square, and for n < 0 as inv does.
template <class T, int N>
Tensor<T, N> matrix_power(const Tensor<T, N>& a, std::int64_t n);

}  // namespace mct::linalg
