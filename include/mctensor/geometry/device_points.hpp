// Operations of manifolds on points in a device's memory that belongs to somebody else, as to
// PyTorch. Link mctensor::cuda.
//
// Error: the bounds and the domains of the functions of these names on tensors of double
// (geometry/tensors.hpp); below 12 coordinates, but where a function says otherwise, their bits.
// Source: that header.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mctensor/device/stream.hpp"
#include "mctensor/geometry/cones/names.hpp"
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

/// The dimensions that start_operation has programs for.
std::vector<int> compiled_point_dimensions();

/// What a device computes of points of any dimension, or of derivatives: a list of steps, to be
/// copied to its memory.
struct PointSteps {
  std::vector<std::uint8_t> bytes;
  int steps = 0, constants = 0;
  /// Numbers of scratch that a thread has.
  int rows = 0;
};
/// How many threads a block has that runs them.
inline constexpr int point_step_threads = 128;
/// Operands of an operation at most, lengths of cones among them, and results: derivatives by
/// radius, operands and, second ones, the gradient of the result.
inline constexpr int most_point_operands = 5, most_point_results = 7;

/// What is computed: the value, for `wanted` = 0 of results that are rounded to so many `digits`
/// (53 or 24) afterwards; for others the derivatives for a gradient of the result, by the radius
/// (bit 0) and operand i (bit 1 + i); where `given` is not 0, the derivatives of those, weighted by
/// cotangents by the radius and operands of these bits; wanted has then a bit more, for the
/// gradient.
struct PointTask {
  geometry::TensorModel model;
  geometry::TensorOperation operation;  ///< count: the conversion to another model
  int coordinates;                      ///< of operands
  unsigned wanted = 0, given = 0;
  int digits = 53;
  geometry::TensorModel to = geometry::TensorModel::count;
  /// Of cones, with `count` for the other two: their lengths are numbers behind the operands.
  geometry::ConeSystemName cones = geometry::ConeSystemName::count;
  geometry::ConeOperationName cone_operation = geometry::ConeOperationName::count;
};
/// Nothing where there are no such steps: for the stereographic model, whose formulas choose by the
/// sign of the curvature, for the Busemann function of the half-space, whose points have two parts,
/// for more than 1024 coordinates, and where the model has no such operation.
std::optional<PointSteps> steps_on_points(const PointTask& task);

/// Runs steps for `count` points.
struct PointRun {
  const PointSteps* of;
  /// of->bytes in the memory of the device.
  const void* bytes;
  double radius;
  /// Rows without gaps: of operands, the gradient of the result, cotangents; `widths` are their
  /// numbers of coordinates, those of numbers are 1.
  const double* in[2 * most_point_operands + 2];
  int widths[2 * most_point_operands + 2];
  /// The result, or the derivatives that are wanted, for each point its own.
  double* out[most_point_results];
  int out_widths[most_point_results];
  /// Set to 1 for points whose results are of no use, because they take a rare way of the formula,
  /// and to 0.
  std::uint8_t* left;
  std::int64_t count;
  /// of->rows numbers for each of `blocks` times point_step_threads threads.
  double* scratch;
  int blocks;
};
/// Results of the points that are not left have the bits of the registry's operations on tensors of
/// double below 12 coordinates, but for the distance, expmap and logmap; these, and longer points,
/// have their bounds. Waits for nothing.
void start_steps(const PointRun& run, const Stream& stream);

}  // namespace mct::cuda
