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

/// Components of points, and of tangent vectors and states, of spaces whose rows may lie on a
/// device: of manifolds, and of half-space representations.
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

/// What Rsgd and Radam share: rows of points [rows, n] that are updated in place by dense or sparse
/// gradients. Points, states and files are those of geometry::Rsgd and Radam, bit for bit but for
/// NaN payloads, so that either goes on with what the other has saved, of
/// - ManifoldRows of PoincareBall, HalfSpace or Lorentz in double (2, 3, 5 and 10 dimensions) and
///   f64x2 (2 dimensions);
/// - HalfSpaceRows of XmcHalfSpace in two components (2, 3, 5 and 10 dimensions) and three (2), of
///   McHalfSpace in two and three (2).
/// A row that is no point, or whose gradient or next point is not finite, stays with its state.
/// Learned radii are the CPU's.
///
/// Options: geometry::RsgdOptions or RadamOptions. Throws DomainError for options that make no
/// sense and a dimension that there are no steps for, ShapeError for points that are no rows,
/// DeviceError.
template <class Options, class Space>
class RowOptimizer {
 public:
  using Points = DeviceTensor<double, geometry_detail::RowsThere<Space>::points>;
  using Vectors = DeviceTensor<double, geometry_detail::RowsThere<Space>::vectors>;
  static_assert(!geometry_detail::RowsThere<Space>::of_manifold ||
                geometry_detail::OnDevice<Space, double, Points::components>);

  RowOptimizer(const Space& space, Points points, const Options& options);

  /// Updates every row from the partial derivatives [rows, n] of a loss, and returns before that is
  /// done: after what the tensors' streams have, and before what they are given later. Throws
  /// ShapeError, DeviceError for a tensor of another device.
  void step(const DeviceTensor<double>& gradient);
  /// Updates the named rows, which are on the CPU, as batches are drawn; gradients [count, n] of a
  /// row that is named several times are added first, in order. Throws ShapeError for rows that
  /// there are not, DeviceError.
  void step(const Tensor<std::int64_t>& rows, const DeviceTensor<double>& gradient);
  /// What the last step did. Waits for it. Throws DomainError before the first one.
  geometry::RowStep report() const;

  std::int64_t steps() const { return steps_; }
  /// How often a row stayed for something not finite, in all steps. Waits for them.
  std::int64_t nonfinite_rows() const;
  double radius() const { return double(space_.radius()); }
  double lr() const { return options_.lr; }
  /// Throws DomainError unless it is finite and not negative.
  void set_lr(double lr);
  const Points& points() const { return points_; }
  /// The momenta of Rsgd, without elements if there are none, or the first moments of Radam.
  const Vectors& vectors() const { return vectors_; }
  /// The second moments of Radam, [rows].
  const DeviceTensor<double>& squares() const { return squares_; }

  /// Writes states, counts and radius: the file of geometry::Rsgd or Radam, which says what is not
  /// in it. Throws IoError.
  void save(const std::filesystem::path& path) const;
  /// Reads them, also from a file of the CPU's. Throws IoError as there; then nothing has changed.
  /// The points are taken to be those of the stored radius.
  void load(const std::filesystem::path& path);

 private:
  /// Makes room for the corrections of so many updates.
  void correct_up_to(std::int64_t updates);
  /// Moves the rows of sorted keys, or, where there are none, all.
  void start(const DeviceTensor<double>& gradient, const std::uint64_t* keys);

  Space space_;
  Points points_;
  Vectors vectors_;
  DeviceTensor<double> squares_, largest_;
  DeviceMemory updates_, stayed_, corrections_;
  DeviceMemory moved_;                // of the last step
  std::int64_t last_count_ = 0;       // of gradients in the last step
  std::int64_t corrected_ = 0;        // updates that there are corrections of
  std::int64_t last_correction_ = 0;  // in the table; that of all later updates
  Options options_;
  double log_radius_;
  std::int64_t steps_ = 0;
  std::int64_t skipped_ = 0;  // rows that had stayed when a file was saved
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
