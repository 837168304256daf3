// Random tensors on a GPU, of the types that elementwise.hpp lists. Link mctensor::cuda.
//
// Domain: every shape. Source: tensor/create.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// The numbers of mct::rand, bit for bit.
template <class T, int N = 1>
DeviceTensor<T, N> rand(const Shape& shape, std::uint64_t seed,
                        const Stream& stream = default_stream());
/// The numbers of mct::randn, bit for bit, with one exception. A library can be compiled for
/// processors with fma (the baseline on x86-64 has no fma). Then numbers of four doubles agree only
/// within the bounds of the functions that compute them.
template <class T, int N = 1>
DeviceTensor<T, N> randn(const Shape& shape, std::uint64_t seed,
                         const Stream& stream = default_stream());

}  // namespace mct::cuda
