// Matrix products on a GPU. Link mctensor::cuda.
//
// Source: expansion/accumulator.hpp (vector units); attention/component_columns.hpp (tensor
// cores), with their sums as Xie et al. 2025 describe them.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"

namespace mct::cuda {

/// The product of matrices (m, k) and (k, n), of f64x2, f64x3, f32x2 and f32x3. The function makes
/// copies of both operands.
///
/// On the vector units every element is the sum that Accumulator<T, N> makes in the order of k:
/// error <= accumulate_bound<N>(k) u^N (|A| |B|). A sum that is not finite follows IEEE 754 on the
/// leading components. For double, results have the bits of the host's floating-point products; for
/// float they differ, because the host computes in double.
///
/// For components of double, edges of at least 256 and inner dimensions up to 2^16, the tensor
/// cores multiply instead, through integers, if the spread of exponents allows the same bound
/// (MatmulAccuracy). Then the bits equal the bits of the host's products through integers. The
/// choice reads back the ranges of rows and columns, so it waits for earlier work of the stream.
/// MatmulAccuracy::normwise goes through integers at every size.
///
/// Throws ShapeError if the shapes do not fit, and for an inner dimension beyond 2^21.
template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy = MatmulAccuracy::componentwise);
/// The same into a matrix of the product's shape, on its stream; it must not overlap the factors.
template <class T, int N>
void mm_to(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
           MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// How many moduli mm(a, b, accuracy) uses on the tensor cores for f64x2 and f64x3; the time of mm
/// grows with their number. 0: the product does not go through integers.
template <int N>
int integer_moduli(const DeviceTensor<double, N>& a, const DeviceTensor<double, N>& b,
                   MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// The product of matrices of bf16x2 and bf16x3 by the tensor cores for bfloat16, summed in float.
/// Error against |A| |B|: 3 2^-16 (N = 2) or 4 2^-24 (N = 3) for the products of limbs that are
/// left out, and (k / 16 + 20 N (N + 1)) 2^-24, so that N = 3 is as accurate as a product of
/// floats; mm adds the rounding to N components. Throws ShapeError where the shapes do not fit, and
/// for an inner dimension beyond 2^21 or a height beyond 2^23.
template <int N>
DeviceTensor<bfloat16, N> mm(const DeviceTensor<bfloat16, N>& a,
                             const DeviceTensor<bfloat16, N>& b);
template <int N>
DeviceTensor<float> mm_to_float(const DeviceTensor<bfloat16, N>& a,
                                const DeviceTensor<bfloat16, N>& b);

}  // namespace mct::cuda
