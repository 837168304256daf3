// Riemannian optimizers of points in the memory of a GPU. Link mctensor::cuda.
#pragma once

#include <cstdint>

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"
#include "mctensor/geometry/tensors/row_groups.hpp"

namespace mct::cuda {

/// What Rsgd and Radam share: rows of points [rows, n] of PoincareBall, HalfSpace or Lorentz in
/// double (2, 3, 5 and 10 dimensions) and f64x2 (2 dimensions), which are updated in place by
/// dense gradients. Points and states are those of geometry::Rsgd and Radam of ManifoldRows, bit
/// for bit but for NaN payloads. A row that is no point, or whose gradient or next point is not
/// finite, stays with its state. Gradients of some rows alone, learned radii, files and other rows
/// than ManifoldRows are the CPU's.
///
/// Options: geometry::RsgdOptions or RadamOptions. Throws DomainError for options that make no
/// sense and a dimension that there are no steps for, ShapeError for points that are no rows,
/// DeviceError.
template <class Options, int N>
class RowOptimizer {
 public:
  template <class M>
  requires geometry_detail::OnDevice<M, double, N> RowOptimizer(const M& manifold,
                                                                DeviceTensor<double, N> points,
                                                                const Options& options)
      : RowOptimizer(geometry::tensor_detail::ModelOf<M>::value, manifold.radius(),
                     std::move(points), options) {}

  /// Updates every row from the partial derivatives [rows, n] of a loss, and returns before that is
  /// done: after what the tensors' streams have, and before what they are given later. Throws
  /// ShapeError, DeviceError for a tensor of another device.
  void step(const DeviceTensor<double>& gradient);
  /// What the last step did. Waits for it. Throws DomainError before the first one.
  geometry::RowStep report() const;

  std::int64_t steps() const { return steps_; }
  double lr() const { return options_.lr; }
  /// Throws DomainError unless it is finite and not negative.
  void set_lr(double lr);
  const DeviceTensor<double, N>& points() const { return points_; }
  /// The momenta of Rsgd, without elements if there are none, or the first moments of Radam.
  const DeviceTensor<double, N>& vectors() const { return vectors_; }
  /// The second moments of Radam, [rows].
  const DeviceTensor<double>& squares() const { return squares_; }

 private:
  RowOptimizer(geometry::TensorModel model, const geometry::tensor_detail::Value<double, N>& radius,
               DeviceTensor<double, N> points, const Options& options);
  /// Makes room for the corrections of so many updates.
  void correct_up_to(std::int64_t updates);

  geometry::TensorModel model_;
  geometry::tensor_detail::Value<double, N> radius_;
  DeviceTensor<double, N> points_, vectors_;
  DeviceTensor<double> squares_, largest_;
  DeviceMemory updates_, moved_, corrections_;
  std::int64_t corrected_ = 0;  // updates that there are corrections of
  Options options_;
  std::int64_t steps_ = 0;
};

///   cuda::Rsgd optimizer(PoincareBall<double>(1.0), points, {.lr = 0.1, .momentum = 0.9});
template <int N = 1>
class Rsgd : public RowOptimizer<geometry::RsgdOptions, N> {
 public:
  template <class M>
  Rsgd(const M& manifold, const DeviceTensor<double, N>& points,
       const geometry::RsgdOptions& options)
      : RowOptimizer<geometry::RsgdOptions, N>(manifold, points, options) {}
};
template <int N = 1>
class Radam : public RowOptimizer<geometry::RadamOptions, N> {
 public:
  template <class M>
  Radam(const M& manifold, const DeviceTensor<double, N>& points,
        const geometry::RadamOptions& options)
      : RowOptimizer<geometry::RadamOptions, N>(manifold, points, options) {}
};

}  // namespace mct::cuda
