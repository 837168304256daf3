// Matrix products on a GPU. Link mctensor::cuda.
//
// Source: expansion/accumulator.hpp for vector units. For tensor cores:
// attention/component_columns.hpp, and their sums as Xie et al. 2025 describe them.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"

namespace mct::cuda {

/// The product of matrices (m, k) and (k, n), of f64x2, f64x3, f32x2 and f32x3. The function makes
/// copies of both operands.
///
/// On the vector units every element is the sum that Accumulator<T, N> computes in the order of k.
/// Error <= accumulate_bound<N>(k) u^N (|A| |B|). A sum that is not finite follows IEEE 754 on the
/// leading components. For double, results have the bits of the host's floating-point products; for
/// float they differ, because the host computes in double.
///
/// The tensor cores multiply instead, through integers, if components are doubles, m and n are at
/// least 256, and k is at most 2^16. In addition, the spread of exponents must allow the same bound
/// (MatmulAccuracy). The bits then equal the bits of the host's products through integers. To
/// choose the units, the function reads the ranges of rows and columns back, so it waits for
/// earlier work of the stream. MatmulAccuracy::normwise goes through integers at every size.
///
/// Throws ShapeError if the shapes do not fit, and for an inner dimension beyond 2^21.
template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy = MatmulAccuracy::componentwise);
/// Writes the same product into `out`, on the stream of `out`. `out` has the shape of the product
/// and must not overlap the factors.
template <class T, int N>
void mm_to(const DeviceTensor<T, N>& out, const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
           MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// The number of moduli that mm(a, b, accuracy) uses on the tensor cores for f64x2 and f64x3; the
/// time of mm grows with it. 0 if the product does not go through integers.
template <int N>
int integer_moduli(const DeviceTensor<double, N>& a, const DeviceTensor<double, N>& b,
                   MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// The product of matrices of bf16x2 or bf16x3 by the tensor cores for bfloat16, summed in float.
/// mm_to_float returns these sums; mm rounds them to N components. Error against |A| |B|: 3 2^-16
/// (N = 2) or 4 2^-24 (N = 3) for the omitted products of limbs, and (k / 16 + 20 N (N + 1)) 2^-24
/// for the sums. N = 3 is therefore as accurate as a product of floats. Throws ShapeError if the
/// shapes do not fit, and for an inner dimension beyond 2^21 or a height beyond 2^23.
template <int N>
DeviceTensor<bfloat16, N> mm(const DeviceTensor<bfloat16, N>& a,
                             const DeviceTensor<bfloat16, N>& b);
template <int N>
DeviceTensor<float> mm_to_float(const DeviceTensor<bfloat16, N>& a,
                                const DeviceTensor<bfloat16, N>& b);

}  // namespace mct::cuda
