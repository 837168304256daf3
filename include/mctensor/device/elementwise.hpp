// Element-wise operations on a GPU. Link mctensor::cuda.
//
// Source: tensor/elementwise.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/tensor/operation.hpp"

namespace mct::cuda {

/// The operations of mctensor/tensor/operation.hpp, bit for bit what the functions of Tensor of
/// these names compute on a processor with fma; operands of one shape, or of one element, which
/// stands for all.
///
/// Compiled are those of double, float, f64x2, f64x3, f32x2 and bf16x2; of the latter three there
/// is the arithmetic of the list alone (OperationKind), DeviceError says so. Throws ShapeError
/// where the shapes do not fit.
template <class T, int N>
DeviceTensor<T, N> apply(Unary op, const DeviceTensor<T, N>& x);
template <class T, int N>
DeviceTensor<T, N> apply(Binary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y);
template <class T, int N>
DeviceTensor<T, N> apply(Ternary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y,
                         const DeviceTensor<T, N>& z);

}  // namespace mct::cuda
