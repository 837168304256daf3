// The base of the Riemannian optimizers Rsgd and Radam: steps, the learned radius, files.
//
// The way of a row from step() to memory, file by file:
//   optimizer.hpp           step() takes the gradient from the leaf (manifold_parameter.hpp) or
//                           from its caller, and checks its shape and the row numbers
//   tensors/row_groups.hpp  RowGroups groups the gradients that belong to the same row, and adds
//                           them; RowStep is the report of a step
//   optimizer.hpp           move_rows divides the rows into blocks, which the threads share;
//                           move_block moves one block, with the files below
//   moving_rows.hpp         MovingRows is a block: its constructor copies the points from memory
//                           (take_points in row_blocks.hpp) and finds rows that are not points
//   row_rules.hpp           follow_gradient is the rule of Rsgd or Radam: it takes the Riemannian
//                           gradient and the states from the block, and passes the step to it
//   manifold_rows.hpp       ManifoldRows has the operations of a block: Riemannian gradient,
//                           exponential map, transport. HalfSpaceRows (half_space_rows.hpp) and
//                           TilingRows (tiling_rows.hpp) have them for their points. All share
//                           tensor_rows.hpp (places of points in memory), row_vectors.hpp (vectors
//                           of one row) and RowByRow in row_blocks.hpp (a block, row after row)
//   row_states.hpp          RowStates keeps momenta and second moments: the rule takes them from
//                           here before the move, and puts those of good rows back after it
//   moving_rows.hpp         finish() copies the points of good rows back to memory (put_points in
//                           row_blocks.hpp) and counts the updates of these rows
// A new radius takes another way: learned_radius.hpp, move_to_radius below, and rescaling.hpp.
//
// Error: a step has the bounds of expmap and ptransp; no bound is stated for the whole. Source:
// Bonnabel 2013; Becigneul, Ganea 2019.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/learned_radius.hpp"
#include "mctensor/geometry/optim/manifold_parameter.hpp"
#include "mctensor/geometry/optim/moving_rows.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_rules.hpp"
#include "mctensor/geometry/optim/row_states.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/parallel_for.hpp"
#include "mctensor/tensor/threads.hpp"

namespace mct::geometry {

namespace optim_detail {

/// The number of rows in a block, for `count` rows in all: 32 to 2048. So a block is large enough
/// for the kernels and small enough for a cache, and if possible every thread has a block.
inline std::int64_t rows_of_a_block(std::int64_t count) {
  const std::int64_t share = (count + num_threads() - 1) / num_threads();
  return std::clamp<std::int64_t>(share, 32, 2048);
}

}  // namespace optim_detail

/// An optimizer of rows of points by one of the rules in row_rules.hpp. Rows is ManifoldRows,
/// HalfSpaceRows or TilingRows; Options is RsgdOptions or RadamOptions. Each row has its own state
/// and count of updates, so a sparse gradient costs only the time of its rows. Rows are updated in
/// blocks: a block is copied from memory, moved by operations on tensors, and copied back. These
/// operations are compiled ones if they exist. num_threads() threads share the blocks; results are
/// the same for any number of threads. The points, Rows::Points, are updated in place. The first
/// step or change of the radius throws DomainError if a row is not a point, with its number. (The
/// constructor does not check, because load may set the radius.) If you later overwrite a row with
/// something that is not a point, this row does not move.
template <class Rows, class Options>
class RiemannianOptimizer {
 public:
  using T = typename Rows::Component;
  using Points = typename Rows::Points;
  using RowPoint = typename Rows::RowPoint;
  using Vector = typename Rows::Vector;
  /// The variable to which backward() adds the gradient of the points.
  using Leaf = typename optim_detail::LeafOf<Rows>::type;
  using Radius = typename optim_detail::LearnedRadius<Rows>::Variable;
  using RowState = optim_detail::RowState;

  /// Throws DomainError for invalid options, ShapeError for points that are not rows.
  RiemannianOptimizer(const ManifoldParameter<Rows>& parameter, const Options& options)
      : RiemannianOptimizer(parameter.space(), parameter.points(), options) {
    leaf_ = parameter.leaf();
  }
  /// For points in plain coordinates: the value of the leaf is the tensor of the points. Also
  /// throws DomainError unless `leaf` is a leaf that requires a gradient.
  RiemannianOptimizer(Rows space, const Leaf& leaf,
                      const Options& options) requires std::is_same_v<typename Leaf::Value, Points>
      : RiemannianOptimizer(std::move(space), leaf.value(), options) {
    if (!leaf.is_leaf() || !leaf.requires_grad())
      throw DomainError(
          "Riemannian optimizer: the parameter is not a leaf that requires a gradient");
    leaf_ = leaf;
  }
  RiemannianOptimizer(Rows space, Points points, const Options& options)
      : space_(std::move(space)),
        points_(std::move(points)),
        options_(options),
        states_{(space_.check_points(points_), optim_detail::kept_by(options)), rows(), columns()} {
    set_lr(options.lr);
    optim_detail::check_not_negative("Riemannian optimizer: burn_in.steps",
                                     double(options.burn_in.steps));
    optim_detail::check_not_negative("Riemannian optimizer: burn_in.factor",
                                     options.burn_in.factor);
    options.check();
    updates_.assign(std::size_t(rows()), 0);
  }
  RiemannianOptimizer(const RiemannianOptimizer&) = delete;
  RiemannianOptimizer& operator=(const RiemannianOptimizer&) = delete;

  const Rows& space() const { return space_; }
  const Points& points() const { return points_; }
  std::int64_t rows() const { return space_.rows_of(points_); }
  double lr() const { return options_.lr; }
  /// Throws DomainError for a rate that is negative or not finite.
  void set_lr(double lr) {
    if (!(lr >= 0) || !std::isfinite(lr))
      throw DomainError("Riemannian optimizer: lr " + number_text(lr) +
                        " is not a finite number of at least 0");
    options_.lr = lr;
  }
  std::int64_t steps() const { return steps_; }
  std::int64_t nonfinite_rows() const { return nonfinite_; }

  /// Updates the rows that have a gradient in the parameter, dense or sparse. After learn_radius it
  /// then also updates the radius, if the radius has a gradient. Throws DomainError if the
  /// optimizer has no parameter, or the parameter has no gradient.
  RowStep step() {
    if (!leaf_)
      throw DomainError(
          "Riemannian optimizer: step() without arguments needs an optimizer that was made for a "
          "parameter or a leaf; this one was made for points, so pass the gradient");
    if (!leaf_->has_sparse_grad()) return step_with_radius(RowGroups(rows()), leaf_->grad());
    const auto sparse = leaf_->sparse_grad();
    return step_with_radius(RowGroups(row_numbers(sparse.indices, sparse.rows)), sparse.rows);
  }
  /// Updates every row from the partial derivatives [rows, n] of a loss.
  RowStep step(const Tensor<T>& gradient) {
    require_gradient(Shape{rows()}, gradient);
    return move_rows(RowGroups(rows()), gradient);
  }
  /// Updates the rows with these numbers from gradients [count, n]. Gradients of the same row are
  /// added first, in order. Throws ShapeError for shapes or numbers that do not fit, and
  /// DomainError for a row that is not a point; after an error nothing has changed.
  RowStep step(const Tensor<std::int64_t>& rows, const Tensor<T>& gradient) {
    return move_rows(RowGroups(row_numbers(rows, gradient)), gradient);
  }

  /// Clears the gradients of parameter and radius.
  void zero_grad() const {
    if (leaf_) leaf_->zero_grad();
    radius_.zero_grad();
  }

  /// From now on step() without arguments also updates the radius, by the derivative of the loss
  /// while the points follow the radius. All points and states follow the new radius. `radius` is a
  /// leaf of one number, or for a product of as many numbers as the product has radii (see
  /// Learnable). Every other change of the radius is written to the leaf, too. Throws DomainError
  /// unless `radius` is such a leaf and holds the space's radii, and for invalid options.
  void learn_radius(const Radius& radius, const RadiusOptions& options = {}) {
    radius_.bind(space_, radius, options);
  }
  /// The coupled update of the curvature, after step(): log K <- log K - lr K dL/dK, then all
  /// points and states follow the new radius. The function changes nothing and returns false if the
  /// derivative is not finite, or if the radius would not be a positive number of T. Throws
  /// DomainError as set_radius. Source: Geometric Foundations; here log K is the variable, so that
  /// K stays positive.
  bool update_curvature(double loss_by_radius, double lr, Rescaling rescaling) {
    const double log_radius = log_radius_ - lr * space_.radius() * loss_by_radius;
    const double radius = std::exp(log_radius);
    if (!std::isfinite(log_radius) || !space_.has_radius(radius)) return false;
    if (log_radius == log_radius_) return true;  // a radius of several components stays as it is
    move_to_radius(radius, log_radius, rescaling);
    return true;
  }
  /// Moves all points and states to another radius of curvature. Throws DomainError unless the
  /// radius is a positive number of T. Throws DomainError, too, if a row would leave the manifold
  /// or the range of numbers. After an error nothing has changed.
  void set_radius(double radius, Rescaling rescaling) {
    if (!space_.has_radius(radius))
      throw DomainError("Riemannian optimizer: radius " + number_text(radius) +
                        " is not a positive number of " + space_.name());
    move_to_radius(radius, std::log(radius), rescaling);
  }

  /// Writes states, counts and radius, exactly. The file does not hold points, lr and options. With
  /// the same points, lr and options, an optimizer continues from the file with the same bits.
  /// Throws IoError.
  void save(const std::filesystem::path& path) const {
    optim_detail::save_rows(path, Options::name, space_.name(), {steps_, nonfinite_, updates_},
                            {log_radius_, space_.radii()}, states_);
  }
  /// Reads states, counts and radius. Throws IoError for a file of another kind of optimizer,
  /// space, type, set of states or number of rows. Throws IoError, too, for values that no state
  /// has. After an error nothing has changed. The points must belong to the stored radius.
  void load(const std::filesystem::path& path) {
    optim::StateReader reader(
        path, optim_detail::description_of_rows(Options::name, space_.name(), states_.names()));
    const optim::StateCounts counts = reader.counts(updates_.size());
    auto states = states_.loaded(reader, space_);
    const auto radii = optim_detail::read_radii(reader, space_.radii().size());
    Rows space = space_of_file(reader, radii.radii);
    reader.finish();
    space_ = std::move(space);
    rows_are_points_ = false;
    log_radius_ = radii.log_radius;
    radius_.show(space_);
    states_ = std::move(states);
    steps_ = counts.steps;
    nonfinite_ = counts.skipped;
    updates_ = counts.updates;
  }

 protected:
  using RowStates = optim_detail::RowStates<Rows>;

  const RowStates& states() const { return states_; }
  Vector state_vector(std::int64_t row) const { return space_.load_vector(states_.vectors(), row); }

 private:
  using RowGroups = optim_detail::RowGroups;

  // step(), in the order in which these functions call each other

  /// Throws ShapeError unless the gradient is [count, n] for row numbers [count].
  void require_gradient(const Shape& named, const Tensor<T>& gradient) const {
    if (named.size() != 1 || gradient.shape() != Shape{named[0], columns()})
      throw ShapeError("Riemannian optimizer: gradients of shape " + to_string(gradient.shape()) +
                       " for row numbers of shape " + to_string(named) + " and points of " +
                       std::to_string(columns()) + " coordinates, expected (count, " +
                       std::to_string(columns()) + ") for (count)");
  }
  /// The row numbers. Throws ShapeError unless they exist and fit the gradient.
  std::vector<std::int64_t> row_numbers(const Tensor<std::int64_t>& named,
                                        const Tensor<T>& gradient) const {
    require_gradient(named.shape(), gradient);
    return optim_detail::checked_rows("Riemannian optimizer", named, rows());
  }
  /// The radius is updated after the rows, but its derivative belongs to the points before.
  RowStep step_with_radius(const RowGroups& groups, const Tensor<T>& gradient) {
    const bool learns = radius_.has_grad();
    const double derivative = learns ? derivative_by_radius(groups, gradient) : 0;
    const RowStep outcome = move_rows(groups, gradient);
    if (learns) update_curvature(derivative, radius_.options().lr, radius_.options().rescaling);
    return outcome;
  }
  /// The derivative dL/dK, while the points follow the radius.
  double derivative_by_radius(const RowGroups& groups, const Tensor<T>& gradient) const {
    double derivative = radius_.derivative(space_);
    if constexpr (optim_detail::LearnedRadius<Rows>::pulls_points) {
      const auto dense = gradient.contiguous();
      const auto sums = groups.sums(0, groups.count(), dense);
      for (std::size_t i = 0; i < groups.count(); ++i)
        derivative += space_.pull_of_radius(radius_.options().rescaling, point(groups.row(i)),
                                            sums.data() + std::int64_t(i) * columns()) /
                      space_.radius();
    }
    return derivative;
  }
  /// Moves the row of every group. Threads share the blocks.
  RowStep move_rows(const RowGroups& groups, const Tensor<T>& gradient) {
    check_rows();
    const auto dense = gradient.contiguous();
    ++steps_;
    const double rate = steps_ <= options_.burn_in.steps ? lr() * options_.burn_in.factor : lr();
    const auto count = std::int64_t(groups.count());
    const std::int64_t size = optim_detail::rows_of_a_block(count);
    const std::int64_t blocks = (count + size - 1) / size;
    std::vector<std::int64_t> updated(static_cast<std::size_t>(blocks));
    parallel_for(
        blocks, optim_detail::row_cost * double(count),
        [this, &updated, &groups, &dense, size, count, rate](std::int64_t begin, std::int64_t end) {
          for (std::int64_t i = begin; i < end; ++i)
            updated[std::size_t(i)] =
                move_block(groups, i * size, std::min(size, count - i * size), dense, rate);
        });
    RowStep outcome;
    outcome.updated = std::accumulate(updated.begin(), updated.end(), std::int64_t(0));
    outcome.nonfinite = count - outcome.updated;
    nonfinite_ += outcome.nonfinite;
    return outcome;
  }
  /// Throws DomainError for a row that is not a point. After a call that has found none, later
  /// calls check nothing.
  void check_rows() {
    for (std::int64_t row = 0; !rows_are_points_ && row < rows(); ++row)
      if (!space_.is_point(point(row)))
        throw DomainError("Riemannian optimizer: row " + std::to_string(row) +
                          " is not a point of " + space_.name());
    rows_are_points_ = true;
  }
  /// Moves the rows of `count` groups from `first` on. Stores points and states of the rows that
  /// stay finite and on the manifold, and returns the number of these rows. Several threads call
  /// this function for different rows.
  std::int64_t move_block(const RowGroups& groups, std::int64_t first, std::int64_t count,
                          const Tensor<T>& gradient, double rate) {
    optim_detail::MovingRows<Rows> block(
        {space_, points_, states_, updates_}, groups.rows(std::size_t(first), std::size_t(count)),
        groups.sums(std::size_t(first), std::size_t(count), gradient));
    detail::follow_gradient(options_, rate, block);
    return block.finish();
  }

  // another radius

  /// Computes all rows before it stores the first one.
  void move_to_radius(double radius, double log_radius, Rescaling rescaling) {
    check_rows();
    const Rows to = space_.with_radius(radius);
    const Points points = points_.clone();
    for (std::int64_t row = 0; row < rows(); ++row) {
      const RowPoint y = space_.rescaled(to, rescaling, point(row));
      require_place(to.is_point(y), row, radius);
      to.store(points, row, y);
    }
    auto states = states_.with_vectors(to, [&](std::int64_t row, const Vector& vector) {
      const Vector u = space_.rescaled(to, rescaling, point(row), to.load(points, row), vector);
      require_place(to.is_finite(u), row, radius);
      return u;
    });
    points_.copy_(points);
    states.scale_squares(space_.length_factors(to, rescaling));
    states_ = std::move(states);
    space_ = to;
    log_radius_ = log_radius;
    radius_.show(space_);
  }

  static void require_place(bool good, std::int64_t row, double radius) {
    if (!good)
      throw DomainError("Riemannian optimizer: row " + std::to_string(row) +
                        " cannot be stored at radius " + number_text(radius));
  }

  Rows space_of_file(const optim::StateReader& reader, const std::vector<double>& radii) const {
    try {
      return space_.with_radii(radii);
    } catch (const DomainError& error) {
      reader.fail("radii", std::string("is refused: ") + error.what());
    }
  }

  RowPoint point(std::int64_t row) const { return space_.load(points_, row); }
  std::int64_t columns() const { return space_.columns_of(points_); }

  Rows space_;
  Points points_;
  Options options_;
  std::optional<Leaf> leaf_;
  optim_detail::LearnedRadius<Rows> radius_;
  bool rows_are_points_ = false;
  double log_radius_ = std::log(space_.radius());
  std::int64_t steps_ = 0;
  std::int64_t nonfinite_ = 0;
  std::vector<std::int64_t> updates_;
  RowStates states_;
};

}  // namespace mct::geometry
