// Matrix products on a GPU. Link mctensor::cuda.
#pragma once

#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// The product of matrices (m, k) and (k, n), element by element the sum that Accumulator<T, N>
/// makes in the order of k: error <= accumulate_bound<N>(k) u^N (|A| |B|), and where it is not
/// finite what IEEE 754 says of the leading components. Of double these are the bits of the host's
/// products in floating point; of float the host computes in double. Copies of both operands are
/// made on the way. Of f64x2, f64x3, f32x2 and f32x3.
///
/// Throws ShapeError where the shapes do not fit, and for an inner dimension beyond 2^21.
template <class T, int N>
DeviceTensor<T, N> mm(const DeviceTensor<T, N>& a, const DeviceTensor<T, N>& b);

}  // namespace mct::cuda
