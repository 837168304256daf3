// How much work a product through integers is.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/linalg/matmul_accuracy.hpp"

namespace mct::cuda {

/// How many moduli mm(a, b, accuracy) multiplies by on the tensor cores; 0: not through integers.
template <int N>
int integer_moduli(const DeviceTensor<double, N>& a, const DeviceTensor<double, N>& b,
                   MatmulAccuracy accuracy);

}  // namespace mct::cuda
