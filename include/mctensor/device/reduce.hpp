// Reductions on a GPU, of the types of elementwise.hpp. Link mctensor::cuda.
//
// Source: tensor/reduce.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// Which elements a reduction combines: all elements (result of shape ()), or the elements along
/// the last dimension.
enum class Over { all, last_dim };
/// How it combines them.
enum class Reduction { sum, mean, max, min };

/// Results have the bits, and so the bounds, of the Tensor functions of the same name. One
/// exception: if the library is compiled for processors with fma (the baseline on x86-64 has no
/// fma), means agree only within the bound of a division. Each piece of 2^13 elements is summed by
/// itself; then the sums of the pieces are added one after the other. For more than about 10^7
/// elements in one result, the second step takes longer than reading the elements. A sum that is
/// not finite takes another pass over its elements, by one block.
///
/// max and min throw ShapeError if there are no elements.
template <class T, int N>
DeviceTensor<T, N> sum(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> mean(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> max(const DeviceTensor<T, N>& x, Over over = Over::all);
template <class T, int N>
DeviceTensor<T, N> min(const DeviceTensor<T, N>& x, Over over = Over::all);
/// The same into a tensor of the result's shape, on the stream of x. Throws ShapeError.
template <class T, int N>
void reduce_to(const DeviceTensor<T, N>& out, Reduction how, const DeviceTensor<T, N>& x,
               Over over = Over::all);

}  // namespace mct::cuda
