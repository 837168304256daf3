// Operations of manifolds on points in a device's memory that belongs to somebody else, as to
// PyTorch. Link mctensor::cuda.
//
// Error: the bits, hence the bounds and the domains, of the functions of these names on tensors of
// double (geometry/tensors.hpp). Source: that header.
#pragma once

#include <cstdint>

#include "mctensor/device/stream.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::cuda {

/// out[i] = operation(x[i], y[i]) of `count` rows of `coordinates` numbers without gaps. The result
/// is a row, of dist a number.
struct DevicePoints {
  geometry::TensorModel model;
  geometry::TensorOperation operation;
  double radius;
  const double *x, *y;
  double* out;
  std::int64_t count;
  std::int64_t coordinates;
};

/// The operations: dist, dist_gradient, expmap and logmap of the ball, the half-space and Lorentz'
/// model, in 2, 3, 5 and 10 dimensions. Throws DomainError for other dimensions and for a radius
/// that is not positive and finite, DeviceError for another operation. Waits for nothing.
void start_operation(const DevicePoints& of, const Stream& stream);

}  // namespace mct::cuda
