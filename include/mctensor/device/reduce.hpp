// Reductions on a GPU, of the types of elementwise.hpp. Link mctensor::cuda.
//
// Source: tensor/reduce.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"

namespace mct::cuda {

/// Which elements a reduction combines: all elements (result of shape ()), or the elements along
/// the last dimension.
enum class Over { all, last_dim };
/// How a reduction combines elements.
enum class Reduction { sum, mean, max, min };

/// Results have the bits, and so the bounds, of the Tensor functions of the same name. There is one
/// exception. If the library is compiled for processors with fma (the baseline on x86-64 has no
/// fma), means agree only within the bound of a division. Each piece of 2^13 elements is summed by
/// itself; then the sums of the pieces are added one after the other. For more than about 10^7
/// elements in one result, the second step takes longer than reading the elements. If a sum is not
/// finite, one block reads its elements again.
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
/// The same, but the result is written to `out`, on the stream of x. Throws ShapeError unless `out`
/// has the shape of the result.
template <class T, int N>
void reduce_to(const DeviceTensor<T, N>& out, Reduction how, const DeviceTensor<T, N>& x,
               Over over = Over::all);

}  // namespace mct::cuda
