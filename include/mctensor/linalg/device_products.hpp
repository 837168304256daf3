// Matrix products on a GPU. Link mctensor::cuda.
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

}  // namespace mct::cuda
