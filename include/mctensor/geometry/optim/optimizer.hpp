// What the Riemannian optimizers share: rows, skipped gradients, burn-in, curvature, files.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/learned_radius.hpp"
#include "mctensor/geometry/optim/manifold_parameter.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/row_groups.hpp"
#include "mctensor/optim/state_file.hpp"
#include "mctensor/tensor/convert.hpp"

namespace mct::geometry {

namespace optim_detail {

/// Parts of a space whose lengths follow a new radius each in its own way.
template <class Rows>
inline constexpr std::size_t parts_of = 1;
template <class Rows>
requires(Rows::parts >= 1) inline constexpr std::size_t parts_of<Rows> = Rows::parts;
template <class Rows>
inline constexpr bool has_parts = requires {
  Rows::parts;
};

/// The squared length of a vector, in the shares of the parts.
template <class Rows, class P, class U>
std::array<double, parts_of<Rows>> squared_norms(const Rows& space, const P& x, const U& u) {
  if constexpr (has_parts<Rows>) {
    return space.squared_norms(x, u);
  } else {
    return {space.squared_norm(x, u)};
  }
}
template <class Rows>
std::array<double, parts_of<Rows>> length_factors(const Rows& space, const Rows& to,
                                                  Rescaling how) {
  if constexpr (has_parts<Rows>) {
    return space.length_factors(to, how);
  } else {
    return {space.length_factor(to, how)};
  }
}

}  // namespace optim_detail

/// An optimizer of rows of points. `Rows` is ManifoldRows, HalfSpaceRows, or TilingRows. Rows are
/// independent: each has its own state and count of updates, so that sparse gradients cost what
/// they touch, and they are shared among the threads of num_threads() with the same results for any
/// number. The points, Rows::Points, are updated in place. The first step or change of
/// the radius (a constructor may precede load, which knows the radius) throws DomainError with the
/// number of a row that is no point; one that is written later does not move.
template <class Rows>
class RiemannianOptimizer {
 public:
  using T = typename Rows::Component;
  using Points = typename Rows::Points;
  using RowPoint = typename Rows::RowPoint;
  using Vector = typename Rows::Vector;
  /// Where backward() leaves the points' gradient.
  using Leaf = typename optim_detail::LeafOf<Rows>::type;
  using Radius = typename optim_detail::LearnedRadius<Rows>::Variable;

  RiemannianOptimizer(const ManifoldParameter<Rows>& parameter, double lr, const BurnIn& burn_in)
      : RiemannianOptimizer(parameter.space(), parameter.points(), lr, burn_in) {
    leaf_ = parameter.leaf();
  }
  /// Of plain coordinates: a leaf whose value are the points.
  RiemannianOptimizer(Rows space, const Leaf& leaf, double lr,
                      const BurnIn& burn_in) requires std::is_same_v<typename Leaf::Value, Points>
      : RiemannianOptimizer(std::move(space), leaf.value(), lr, burn_in) {
    if (!leaf.is_leaf() || !leaf.requires_grad())
      throw DomainError("Riemannian optimizer: the parameter is no leaf that requires a gradient");
    leaf_ = leaf;
  }
  RiemannianOptimizer(Rows space, Points points, double lr, const BurnIn& burn_in)
      : space_(std::move(space)), points_(std::move(points)), burn_in_(burn_in) {
    space_.check_points(points_);
    set_lr(lr);
    optim_detail::check_option("Riemannian optimizer: burn_in.steps", double(burn_in.steps),
                               burn_in.steps >= 0);
    optim_detail::check_option("Riemannian optimizer: burn_in.factor", burn_in.factor,
                               burn_in.factor >= 0);
    updates_.assign(std::size_t(rows()), 0);
  }
  virtual ~RiemannianOptimizer() = default;
  RiemannianOptimizer(const RiemannianOptimizer&) = delete;
  RiemannianOptimizer& operator=(const RiemannianOptimizer&) = delete;

  const Rows& space() const { return space_; }
  const Points& points() const { return points_; }
  std::int64_t rows() const { return space_.rows_of(points_); }
  double lr() const { return lr_; }
  /// Throws DomainError for a rate that is negative or not finite.
  void set_lr(double lr) {
    if (!(lr >= 0) || !std::isfinite(lr))
      throw DomainError("Riemannian optimizer: lr " + std::to_string(lr) + " is no learning rate");
    lr_ = lr;
  }
  std::int64_t steps() const { return steps_; }
  std::int64_t nonfinite_rows() const { return nonfinite_; }

  /// From now on step() also updates the radius, a leaf of one number, or of as many as a product
  /// has (see Learnable), and all points and states with it; every other change of the radius is
  /// written there as well. Throws DomainError unless it is such a leaf with the space's radii, and
  /// for options that make no sense.
  void learn_radius(const Radius& radius, const RadiusOptions& options = {}) {
    radius_.bind(space_, radius, options);
  }
  /// Updates the rows that the parameter's gradient has, dense or sparse, as backward() has left
  /// it, then the radius, by the derivative of the loss along the way that the points go with it.
  /// Throws DomainError without a parameter or a gradient.
  RowStep step() {
    if (!leaf_) throw DomainError("Riemannian optimizer: no parameter whose gradient to take");
    if (leaf_->has_sparse_grad()) {
      const auto sparse = leaf_->sparse_grad();
      return step_with_radius(sparse.indices, sparse.rows);
    }
    return step_with_radius(all_rows(), leaf_->grad());
  }
  /// Forgets the gradients of parameter and radius.
  void zero_grad() const {
    if (leaf_) leaf_->zero_grad();
    radius_.zero_grad();
  }

  /// Updates every row from the partial derivatives [rows, n] of a loss.
  RowStep step(const Tensor<T>& gradient) { return step(all_rows(), gradient); }
  /// Updates the named rows; gradients [count, n] of a row that is named several times are added
  /// first, in order. Throws ShapeError, and DomainError for a row that is no point; then nothing
  /// has changed.
  RowStep step(const Tensor<std::int64_t>& rows, const Tensor<T>& gradient) {
    const auto index = checked(rows, gradient);
    check_rows();
    const auto dense = gradient.contiguous();
    ++steps_;
    const double rate = steps_ <= burn_in_.steps ? lr_ * burn_in_.factor : lr_;
    const RowStep outcome = optim_detail::for_each_row(
        index, dense.data(), columns(),
        [&](std::int64_t row, const T* partial) { return update(row, partial, rate); });
    nonfinite_ += outcome.nonfinite;
    return outcome;
  }

  /// The coupled update of the curvature, after step(): log K <- log K - lr K dL/dK, then all
  /// points and states follow to the new radius. A derivative that is not finite, and a radius that
  /// would not be a positive number of T, are skipped (false). Throws DomainError as set_radius.
  /// Source: Geometric Foundations, with log K as the variable, which keeps K positive.
  bool update_curvature(double loss_by_radius, double lr, Rescaling rescaling) {
    const double log_radius = log_radius_ - lr * space_.radius() * loss_by_radius;
    const double radius = std::exp(log_radius);
    if (!std::isfinite(log_radius) || !space_.has_radius(radius)) return false;
    if (log_radius == log_radius_) return true;  // a radius of several components stays as it is
    move_to(radius, log_radius, rescaling);
    return true;
  }
  /// Moves all points and states to another radius of curvature. Throws DomainError unless it is a
  /// positive number of T, and if a row would leave the manifold or the numbers; then nothing has
  /// changed.
  void set_radius(double radius, Rescaling rescaling) {
    if (!space_.has_radius(radius))
      throw DomainError("Riemannian optimizer: radius " + std::to_string(radius) +
                        " is not a positive number of " + space_.name());
    move_to(radius, std::log(radius), rescaling);
  }

  /// Writes states, counts and radius, exactly. Points, lr and the options are not in the file: an
  /// optimizer that is made of the same ones goes on from it as if it had not stopped. Throws
  /// IoError.
  void save(const std::filesystem::path& path) const {
    optim::StateWriter writer(description(), {steps_, nonfinite_, updates_});
    writer.add("log_radius", Tensor<double>::from_values({log_radius_}));
    writer.add("radii", Tensor<double>::from_values(space_.radii()));
    for (const auto& [name, tensor] : vectors_) writer.add("vector." + name, tensor);
    for (const auto& [name, tensor] : numbers_) writer.add("number." + name, tensor);
    writer.save(path);
  }
  /// Reads them. Throws IoError for a file that does not belong to this optimizer (of another kind,
  /// space, type, set of states or number of rows) or holds what is no state; then nothing has
  /// changed. The points are taken to be those of the stored radius.
  void load(const std::filesystem::path& path) {
    using optim::StateValues;
    optim::StateReader reader(path, description());
    const optim::StateCounts counts = reader.counts(updates_.size());
    auto vectors = vectors_;
    auto numbers = numbers_;
    for (auto& [name, tensor] : vectors)
      tensor = reader.template state<typename VectorTensor::Component, VectorTensor::components>(
          "vector." + name, tensor.shape(), StateValues::finite);
    for (auto& [name, tensor] : numbers)
      tensor = reader.template state<double, 1>("number." + name, tensor.shape(),
                                                StateValues::not_negative);
    for (auto& [name, tensor] : vectors)
      for (std::int64_t row = 0; row < rows(); ++row)
        if (!space_.is_finite(space_.load_vector(tensor, row)))
          reader.fail("vector." + name, "is not finite in row " + std::to_string(row));
    auto [space, log_radius] = load_space(reader);
    reader.finish();
    space_ = std::move(space);
    rows_are_points_ = false;
    log_radius_ = log_radius;
    radius_.show(space_);
    vectors_ = std::move(vectors);
    numbers_ = std::move(numbers);
    steps_ = counts.steps;
    nonfinite_ = counts.skipped;
    updates_ = counts.updates;
  }

 protected:
  using VectorTensor = typename Rows::VectorTensor;

  /// The name in files.
  virtual std::string kind() const = 0;
  /// Updates one row from its partial derivatives; false, and nothing changed, if no finite point
  /// comes out. Called for different rows from several threads.
  virtual bool update(std::int64_t row, const T* partial, double rate) = 0;

  /// A tangent vector for each row, and the square of a length for each; 0 at first.
  void add_vectors(const std::string& name) {
    vectors_.emplace(name, VectorTensor({rows(), columns()}));
  }
  void add_numbers(const std::string& name) {
    constexpr auto parts = std::int64_t(optim_detail::parts_of<Rows>);
    numbers_.emplace(name, Tensor<double>(parts == 1 ? Shape{rows()} : Shape{rows(), parts}));
  }
  Vector vector(const std::string& name, std::int64_t row) const {
    return space_.load_vector(vectors_.at(name), row);
  }
  void set_vector(const std::string& name, std::int64_t row, const Vector& u) {
    space_.store_vector(vectors_.at(name), row, u);
  }
  /// The square of a length as its parts' shares.
  using Squares = std::array<double, optim_detail::parts_of<Rows>>;
  Squares squares(const std::string& name, std::int64_t row) const {
    Squares r;
    const double* from = numbers_.at(name).data() + row * std::int64_t(r.size());
    std::copy(from, from + r.size(), r.begin());
    return r;
  }
  void set_squares(const std::string& name, std::int64_t row, const Squares& values) {
    std::copy(values.begin(), values.end(),
              numbers_.at(name).data() + row * std::int64_t(values.size()));
  }
  static double total(const Squares& squares) {
    return std::accumulate(squares.begin() + 1, squares.end(), squares[0]);
  }
  /// Moves x by the exponential map of u and `carried`, if there is one, along with it; false if
  /// anything leaves the numbers or the space.
  bool move(RowPoint& x, const Vector& u, Vector* carried) const {
    if (!space_.is_finite(u)) return false;
    const RowPoint y = space_.expmap(x, u);
    if (!space_.is_point(y)) return false;
    if (carried != nullptr) {
      *carried = space_.ptransp(x, y, *carried);
      if (!space_.is_finite(*carried)) return false;
    }
    x = y;
    return true;
  }
  RowPoint point(std::int64_t row) const { return space_.load(points_, row); }
  void set_point(std::int64_t row, const RowPoint& x) { space_.store(points_, row, x); }
  std::int64_t& updates(std::int64_t row) { return updates_[std::size_t(row)]; }

 private:
  Tensor<std::int64_t> all_rows() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(rows()));
    std::iota(all.begin(), all.end(), 0);
    return Tensor<std::int64_t>::from_values(all);
  }
  /// The radius' derivative belongs to the points before the step.
  RowStep step_with_radius(const Tensor<std::int64_t>& rows, const Tensor<T>& gradient) {
    const bool learns = radius_.has_grad();
    double derivative = 0;
    if (learns) {
      derivative = radius_.derivative(space_);
      const auto dense = gradient.contiguous();
      if constexpr (optim_detail::LearnedRadius<Rows>::pulls_points)
        for (std::int64_t i = 0; i < rows.numel(); ++i)
          derivative += space_.pull_of_radius(radius_.options().rescaling, point(rows.data()[i]),
                                              dense.data() + i * columns()) /
                        space_.radius();
    }
    const RowStep outcome = step(rows, gradient);
    if (learns) update_curvature(derivative, radius_.options().lr, radius_.options().rescaling);
    return outcome;
  }
  std::int64_t columns() const { return space_.columns_of(points_); }
  std::vector<std::int64_t> checked(const Tensor<std::int64_t>& named,
                                    const Tensor<T>& gradient) const {
    if (named.dim() != 1 || gradient.shape() != Shape{named.numel(), columns()})
      throw ShapeError("Riemannian optimizer: gradients of shape " + to_string(gradient.shape()) +
                       " for rows of shape " + to_string(named.shape()) + " and " +
                       std::to_string(rows()) + " points of " + std::to_string(columns()) +
                       " coordinates");
    return optim_detail::checked_rows("Riemannian optimizer", named, rows());
  }

  /// Throws DomainError for a row that is no point; once they all are, they are not looked at
  /// again.
  void check_rows() {
    for (std::int64_t row = 0; !rows_are_points_ && row < rows(); ++row)
      if (!space_.is_point(point(row)))
        throw DomainError("Riemannian optimizer: row " + std::to_string(row) + " is no point of " +
                          space_.name());
    rows_are_points_ = true;
  }
  /// All rows are computed before the first one is stored.
  void move_to(double radius, double log_radius, Rescaling rescaling) {
    check_rows();
    const Rows to = space_.with_radius(radius);
    const Points points = points_.clone();
    auto vectors = vectors_;
    for (auto& [name, tensor] : vectors) tensor = tensor.clone();
    for (std::int64_t row = 0; row < rows(); ++row) {
      const RowPoint x = point(row);
      const RowPoint y = space_.rescaled(to, rescaling, x);
      bool good = to.is_point(y);
      for (auto& [name, tensor] : vectors) {
        const Vector u = space_.rescaled(to, rescaling, x, y, space_.load_vector(tensor, row));
        good = good && to.is_finite(u);
        to.store_vector(tensor, row, u);
      }
      if (!good)
        throw DomainError("Riemannian optimizer: row " + std::to_string(row) +
                          " has no place at radius " + std::to_string(radius));
      to.store(points, row, y);
    }
    points_.copy_(points);
    vectors_ = std::move(vectors);
    const auto factors = optim_detail::length_factors(space_, to, rescaling);
    for (auto& [name, tensor] : numbers_)
      for (std::int64_t row = 0; row < rows(); ++row) {
        Squares values = squares(name, row);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] *= factors[i] * factors[i];
        set_squares(name, row, values);
      }
    space_ = to;
    log_radius_ = log_radius;
    radius_.show(space_);
  }

  /// What a file must say to belong to this optimizer.
  std::map<std::string, std::string> description() const {
    std::string states;
    for (const auto& [name, tensor] : vectors_) states += name + " ";
    for (const auto& [name, tensor] : numbers_) states += name + " ";
    return {{"mctensor.optimizer", kind()},
            {"mctensor.space", space_.name()},
            {"mctensor.states", states}};
  }
  std::pair<Rows, double> load_space(optim::StateReader& reader) const {
    using optim::StateValues;
    const auto log_radius =
        reader.template state<double, 1>("log_radius", {1}, StateValues::finite).item();
    const auto radii = reader
                           .template state<double, 1>(
                               "radii", {std::int64_t(space_.radii().size())}, StateValues::finite)
                           .values();
    // float's radius is that far from the exponential of its logarithm
    if (!(std::fabs(std::log(radii[0]) - log_radius) < 1e-6))
      reader.fail("radii", "begins with " + std::to_string(radii[0]) + ", whose logarithm is not " +
                               std::to_string(log_radius));
    try {
      return {space_.with_radii(radii), log_radius};
    } catch (const DomainError& error) {
      reader.fail("radii", std::string("is refused: ") + error.what());
    }
  }

  Rows space_;
  Points points_;
  std::optional<Leaf> leaf_;
  optim_detail::LearnedRadius<Rows> radius_;
  bool rows_are_points_ = false;
  double lr_ = 0;
  BurnIn burn_in_;
  double log_radius_ = std::log(space_.radius());
  std::int64_t steps_ = 0;
  std::int64_t nonfinite_ = 0;
  std::vector<std::int64_t> updates_;
  std::map<std::string, VectorTensor> vectors_;
  std::map<std::string, Tensor<double>> numbers_;
};

}  // namespace mct::geometry
