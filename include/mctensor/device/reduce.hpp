// Reductions on a GPU, of the types of elementwise.hpp. Link mctensor::cuda.
//
// Source: tensor/reduce.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// Which elements make one of the result: all (shape ()), or those that differ in the last index.
enum class Over { all, last_dim };

/// Bit for bit what the functions of Tensor of these names compute, and so with their bounds (means
/// where the library is compiled for processors without fma, its baseline on x86-64; else within
/// the bound of a division). Sums are made in pieces of 2^13 elements, which are then added one
/// after the other: that takes longer than reading them where one result has more than some 10^7
/// elements. Where a sum is not finite it takes another pass over its elements, by one block.
///
/// max and min throw ShapeError where there are no elements.
template <class T, int N>
DeviceTensor<T, N> sum(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> mean(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> max(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> min(const DeviceTensor<T, N>& x, Over over = Over::all);

}  // namespace mct::cuda
