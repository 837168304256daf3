// Element-wise operations on a GPU. Link mctensor::cuda.
//
// Source: tensor/elementwise.hpp.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/tensor/operation.hpp"

namespace mct::cuda {

/// The operations of mctensor/tensor/operation.hpp. Results equal, bit for bit, the results of the
/// Tensor functions of the same name on a processor with fma. All operands must have the same
/// shape, but an operand of one element fits every shape.
///
/// They are compiled for double, float, f64x2, f64x3, f32x2 and bf16x2. The last three have
/// arithmetic only (OperationKind); their functions throw DeviceError. Throws ShapeError if the
/// shapes do not fit.
template <class T, int N>
DeviceTensor<T, N> apply(Unary op, const DeviceTensor<T, N>& x);
template <class T, int N>
DeviceTensor<T, N> apply(Binary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y);
template <class T, int N>
DeviceTensor<T, N> apply(Ternary op, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y,
                         const DeviceTensor<T, N>& z);

/// The same, but the result is written to `out`, on the stream of `out`. `out` must have the shape
/// of the result; it may be one of the operands.
template <class T, int N>
void apply_to(const DeviceTensor<T, N>& out, Unary op, const DeviceTensor<T, N>& x);
template <class T, int N>
void apply_to(const DeviceTensor<T, N>& out, Binary op, const DeviceTensor<T, N>& x,
              const DeviceTensor<T, N>& y);
template <class T, int N>
void apply_to(const DeviceTensor<T, N>& out, Ternary op, const DeviceTensor<T, N>& x,
              const DeviceTensor<T, N>& y, const DeviceTensor<T, N>& z);

}  // namespace mct::cuda
