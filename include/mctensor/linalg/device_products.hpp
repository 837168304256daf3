// Matrix products on a GPU. Link mctensor::cuda.
//
// Source: expansion/accumulator.hpp (vector units); attention/component_columns.hpp (tensor
// cores), with their sums as Xie et al. 2025 describe them.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"

namespace mct::cuda {

/// The product of matrices (m, k) and (k, n), of f64x2, f64x3, f32x2 and f32x3. Copies of both
/// operands are made on the way.
///
/// By the vector units every element is the sum that Accumulator<T, N> makes in the order of k:
/// error <= accumulate_bound<N>(k) u^N (|A| |B|), and where it is not finite what IEEE 754 says of
/// the leading components. Of double these are the bits of the host's products in floating point;
/// of float the host computes in double.
///
/// Of double, edges of 256 and more and inner dimensions up to 2^16, the tensor cores multiply
/// instead, through integers, where the spread of exponents keeps the same bound (MatmulAccuracy):
/// then the bits are those of the host's products through integers. The choice reads the ranges of
/// rows and columns back, so it waits for what the stream had before. MatmulAccuracy::normwise goes
/// through integers at every size.
///
/// Throws ShapeError where the shapes do not fit, and for an inner dimension beyond 2^21.
template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b,
                      MatmulAccuracy accuracy = MatmulAccuracy::componentwise);

/// How many moduli mm(a, b, accuracy) multiplies by on the tensor cores, of f64x2 and f64x3: what
/// its time grows with. 0: not through integers.
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
