// Operations of manifolds on points in device memory that another library owns, such as PyTorch.
// Link mctensor::cuda.
//
// Error: the bounds and the domains of the functions of these names on tensors of double
// (geometry/tensors.hpp). Below 12 coordinates the bits are the same, too, unless a function says
// otherwise or the formula uses a sine, cosine or arc tangent of the C library. Source:
// geometry/tensors.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mctensor/device/stream.hpp"
#include "mctensor/geometry/cones/names.hpp"
#include "mctensor/geometry/tensors/operation.hpp"

namespace mct::cuda {

/// out[i] = operation(x[i], y[i]) for `count` rows of `coordinates` numbers without gaps. The
/// result is a row; for dist it is a number.
struct DevicePoints {
  geometry::Model model;
  geometry::TensorOperation operation;
  double radius;
  const double *x, *y;
  double* out;
  std::int64_t count;
  std::int64_t coordinates;
};

/// Starts an operation: dist, dist_gradient, expmap or logmap of the ball, the half-space or
/// Lorentz' model, in 2, 3, 5 or 10 dimensions. Throws DomainError for other dimensions and for a
/// radius that is not positive and finite, and DeviceError for another operation or model. Returns
/// without waiting.
void start_operation(const DevicePoints& of, const Stream& stream);

/// The dimensions for which start_operation is compiled.
std::vector<int> compiled_point_dimensions();

/// A program for points of any dimension, or for derivatives: a list of steps, which the caller
/// copies to the device's memory.
struct PointSteps {
  std::vector<std::uint8_t> bytes;
  int steps = 0, constants = 0;
  /// Numbers of scratch memory for each thread.
  int rows = 0;
};
/// The number of threads in each block of threads that runs the steps.
inline constexpr int point_step_threads = 128;
/// The largest numbers of operands of an operation (lengths of cones included) and of results
/// (derivatives by the radius, by operands and by the gradient of the result).
inline constexpr int most_point_operands = 5, most_point_results = 7;

/// The quantities to compute. wanted = 0 means the value, which is rounded to `digits` bits (53 or
/// 24) at the end. Otherwise `wanted` selects derivatives, times a gradient of the result: by the
/// radius (bit 0) and by operand i (bit 1 + i). If `given` is not 0, derivatives are second
/// derivatives. The bits of `given` then select the radius and the operands that have cotangents,
/// and `wanted` has one more bit, for the derivative by the gradient.
struct PointTask {
  geometry::Model model;
  geometry::TensorOperation operation;  ///< count: the conversion to another model
  int coordinates;                      ///< of operands
  unsigned wanted = 0, given = 0;
  int digits = 53;
  geometry::Model to = geometry::Model::count;
  /// The system of cones and its operation; `count` for other operations. The lengths of cones are
  /// numbers that follow the operands.
  geometry::ConeSystemName cones = geometry::ConeSystemName::count;
  geometry::ConeOperationName cone_operation = geometry::ConeOperationName::count;
  /// For the stereographic model: the sign of the curvature, -1, 0 or 1.
  int curvature_sign = 0;
};
/// The steps of a task. The result is empty for more than 1024 coordinates, for the half-space of
/// one coordinate, and if the model has no such operation.
std::optional<PointSteps> steps_on_points(const PointTask& task);

/// A run of steps for `count` points.
struct PointRun {
  const PointSteps* of;
  /// A copy of of->bytes in device memory.
  const void* bytes;
  double radius;  ///< of the stereographic model: the curvature
  /// Rows without gaps: operands, the gradient of the result, cotangents. `widths` are their
  /// numbers of coordinates; a number has width 1.
  const double* in[2 * most_point_operands + 2];
  int widths[2 * most_point_operands + 2];
  /// The result, or the wanted derivatives, for each point.
  double* out[most_point_results];
  int out_widths[most_point_results];
  /// Set to 1 for points that need a rare branch of the formula and so have no valid result, else
  /// to 0.
  std::uint8_t* left;
  std::int64_t count;
  /// of->rows numbers for each of `blocks` times point_step_threads threads.
  double* scratch;
  int blocks;
};
/// Starts a run and returns without waiting. Points with left = 0 get the bits of the registry's
/// operations on tensors of double. For dist, expmap and logmap, and for points of 12 and more
/// coordinates, the bits may differ, but the bounds hold.
void start_steps(const PointRun& run, const Stream& stream);

}  // namespace mct::cuda
