// Operations of manifolds on points in the memory of a GPU. Link mctensor::cuda.
//
// Error and domain: results have the bits, and so the bounds and domains, of the functions with the
// same names on tensors (geometry/tensors.hpp, storage/halfspace/batch.hpp). Every shape that does
// not fit is an error. Source: those headers.
#pragma once

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/geometry/tensors/kernels.hpp"
#include "mctensor/geometry/tensors/operate.hpp"

namespace mct::cuda {

namespace geometry_detail {

/// Runs an operation on points and vectors of one shape (.., n). Compiled for double and N from 1
/// to 3.
template <class T, int N>
DeviceTensor<T, N> run(geometry::Model model, geometry::TensorOperation operation,
                       const geometry::tensor_detail::Value<T, N>& radius,
                       const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y);

/// Manifolds whose operations are compiled for a device: PoincareBall, HalfSpace and Lorentz of
/// double, f64x2 and f64x3.
template <class M, class T, int N>
concept OnDevice = std::is_same_v<T, double> && N <= 3 &&
                   geometry::HasPointKernels<M, T, N>&&
                       std::is_same_v<typename M::Value, geometry::tensor_detail::Value<T, N>>;

}  // namespace geometry_detail

// Operands have the same shape (.., n), with one point or tangent vector for every index of the
// leading dimensions. Operands do not broadcast. n is the number of coordinates, for Lorentz one
// more than the dimension. Results have the bits (except NaN payloads), domains and bounds of the
// functions of these names on tensors (geometry/tensors.hpp). The functions exist for 2, 3, 5 and
// 10 dimensions; with two components for 2, 3 and 10; with three components for 2 and 3.
//
// All throw ShapeError with the function and the shapes if shapes do not fit, DomainError with a
// list of dimensions for another dimension, and DeviceError for operands of different devices.

// dist(manifold, x, y): distances, of shape (..).
// expmap(manifold, x, u): the ends of the geodesics from x along the tangent vectors u.
// logmap(manifold, x, y): the tangent vectors at x whose expmap is y.

#define MCT_DEFINE_ON_DEVICE(operation)                                                           \
  template <class M, class T, int N>                                                              \
  requires geometry_detail::OnDevice<M, T, N> DeviceTensor<T, N> operation(                       \
      const M& manifold, const DeviceTensor<T, N>& x, const DeviceTensor<T, N>& y) {              \
    return geometry_detail::run<T, N>(geometry::tensor_detail::ModelOf<M>::value,                 \
                                      geometry::TensorOperation::operation, manifold.radius(), x, \
                                      y);                                                         \
  }
MCT_DEFINE_ON_DEVICE(dist)
MCT_DEFINE_ON_DEVICE(expmap)
MCT_DEFINE_ON_DEVICE(logmap)
#undef MCT_DEFINE_ON_DEVICE

// Functions of points of multi-component half-spaces in the form of geometry::half_space_dist
// (geometry/storage/halfspace/batch.hpp): rows [rows, n] of M = 1 to 4 components, for any n >= 2.
// The last column is the height. Results have the bits of the functions with the same names in that
// header. The functions throw ShapeError with the shapes if shapes do not fit, DomainError for a
// radius that is not positive and finite, and DeviceError for operands of different devices.

/// The distances of p[i] and q[i], of shape [rows].
template <int M>
DeviceTensor<double> half_space_dist(const DeviceTensor<double, M>& p,
                                     const DeviceTensor<double, M>& q, double radius = 1);
/// Moves every row of `points` in place by the exponential map of its vector in `frame`, which has
/// the shape [rows, n]. A row whose vector is not finite stays as it is.
template <int M>
void half_space_expmap_(geometry::PointStorage storage, const DeviceTensor<double, M>& points,
                        const DeviceTensor<double>& frame);

}  // namespace mct::cuda
