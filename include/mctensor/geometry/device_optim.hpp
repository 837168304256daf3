// Riemannian optimizers of points in the memory of a GPU. Link mctensor::cuda.
#pragma once

#include <cstdint>
#include <filesystem>

#include "mctensor/device/device_tensor.hpp"
#include "mctensor/geometry/device_geometry.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"
#include "mctensor/geometry/tensors/row_groups.hpp"

namespace mct::cuda {

namespace geometry_detail {

/// The numbers of components of points, and of tangent vectors and states, for spaces whose rows
/// may lie on a device: manifolds and half-space representations.
template <class Space>
struct RowsThere {
  static constexpr bool of_manifold = true;
  static constexpr int points = geometry::tensor_of<typename Space::Value>::components;
  static constexpr int vectors = points;
};
template <int M, class Height>
struct RowsThere<geometry::HalfSpaceRepresentation<double, M, Height>> {
  static constexpr bool of_manifold = false;
  static constexpr int points = M, vectors = 1;
};

}  // namespace geometry_detail

/// The base of Rsgd and Radam. Rows of points [rows, n] are updated in place by dense or sparse
/// gradients. Points, states and files have the bits of geometry::Rsgd and Radam (except NaN
/// payloads). So CPU and GPU can read the same files. Space is one of these:
/// - PoincareBall, HalfSpace or Lorentz of double (2, 3, 5 and 10 dimensions) or f64x2 (2
///   dimensions);
/// - XmcHalfSpace in two components (2, 3, 5 and 10 dimensions) or three components (2 dimensions);
/// - McHalfSpace in two or three components (2 dimensions).
/// On the CPU these spaces are the arguments of ManifoldRows and HalfSpaceRows.
///
/// If a row is not a point, or if its gradient or its next point is not finite, the row and its
/// state stay as they are. Radii cannot be learned on a device.
///
/// Options: geometry::RsgdOptions or RadamOptions. The constructor throws DomainError for invalid
/// options and for a dimension that is not in the list, ShapeError for points whose shape is not
/// [rows, n], and DeviceError.
template <class Options, class Space>
class RowOptimizer {
 public:
  using Points = DeviceTensor<double, geometry_detail::RowsThere<Space>::points>;
  using Vectors = DeviceTensor<double, geometry_detail::RowsThere<Space>::vectors>;
  static_assert(!geometry_detail::RowsThere<Space>::of_manifold ||
                geometry_detail::OnDevice<Space, double, Points::components>);

  RowOptimizer(const Space& space, Points points, const Options& options);

  /// Updates every row from the partial derivatives [rows, n] of a loss. Returns before the update
  /// is done. The update runs after the present work of the tensors' streams and before their later
  /// work. Throws ShapeError. Throws DeviceError, also for a tensor of another device.
  void step(const DeviceTensor<double>& gradient);
  /// Updates the rows whose numbers are given, in CPU memory, where batches are drawn. If a row is
  /// named several times, its gradients, rows of `gradient` [count, n], are added first, in order.
  /// Throws ShapeError for a row that does not exist, and DeviceError.
  void step(const Tensor<std::int64_t>& rows, const DeviceTensor<double>& gradient);
  /// Waits for the last step and reports on it. Throws DomainError before the first step.
  geometry::RowStep report() const;

  std::int64_t steps() const { return steps_; }
  /// The number of times, in all steps, that a row stayed because of a number that was not finite.
  /// Waits for the steps.
  std::int64_t nonfinite_rows() const;
  double radius() const { return double(space_.radius()); }
  double lr() const { return options_.lr; }
  /// Throws DomainError unless lr is finite and not negative.
  void set_lr(double lr);
  const Points& points() const { return points_; }
  /// The momenta of Rsgd (no elements if it has none), or the first moments of Radam.
  const Vectors& vectors() const { return vectors_; }
  /// The second moments of Radam, [rows].
  const DeviceTensor<double>& squares() const { return squares_; }

  /// Writes states, counts and radius: the file of geometry::Rsgd or Radam. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads such a file, also one that geometry::Rsgd or Radam wrote. Throws IoError as they do;
  /// after an error nothing has changed. The points must belong to the radius in the file.
  void load(const std::filesystem::path& path);

 private:
  /// Computes the bias corrections of up to `updates` updates.
  void correct_up_to(std::int64_t updates);
  /// Moves the rows of the sorted keys, or all rows if there are no keys.
  void start(const DeviceTensor<double>& gradient, const std::uint64_t* keys);

  Space space_;
  Points points_;
  Vectors vectors_;
  DeviceTensor<double> squares_, largest_;
  DeviceMemory updates_, stayed_, corrections_;
  DeviceMemory moved_;                // the rows that the last step moved
  std::int64_t last_count_ = 0;       // the number of gradients in the last step
  std::int64_t corrected_ = 0;        // the number of updates whose corrections are in the table
  std::int64_t last_correction_ = 0;  // the last correction in the table; all later updates use it
  Options options_;
  double log_radius_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;  // the count of nonfinite_rows() in the file that was loaded
};

///   cuda::Rsgd optimizer(PoincareBall<double>(1.0), points, {.lr = 0.1, .momentum = 0.9});
template <class Space>
struct Rsgd : RowOptimizer<geometry::RsgdOptions, Space> {
  using RowOptimizer<geometry::RsgdOptions, Space>::RowOptimizer;
};
template <class Space, int N>
Rsgd(Space, DeviceTensor<double, N>, geometry::RsgdOptions) -> Rsgd<Space>;
///   cuda::Radam optimizer(XmcHalfSpace<double, 2>(1.0), points, {});
template <class Space>
struct Radam : RowOptimizer<geometry::RadamOptions, Space> {
  using RowOptimizer<geometry::RadamOptions, Space>::RowOptimizer;
};
template <class Space, int N>
Radam(Space, DeviceTensor<double, N>, geometry::RadamOptions) -> Radam<Space>;

}  // namespace mct::cuda
