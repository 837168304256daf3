// What the Riemannian optimizers share: rows, skipped gradients, burn-in, curvature, files.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/tensor/convert.hpp"
#include "mctensor/tensor/safetensors.hpp"

namespace mct::geometry {

/// A learning rate that starts smaller: `factor` times it during the first `steps` steps.
struct BurnIn {
  std::int64_t steps = 0;
  double factor = 0.01;
};

/// What a step did.
struct RowStep {
  std::int64_t updated = 0;
  /// Rows whose gradient or next point was not finite: left alone, with their state.
  std::int64_t nonfinite = 0;
};

/// An optimizer of the rows of one tensor of points. `Rows` is ManifoldRows, HalfSpaceRows or
/// ProductRows. Rows are independent: each has its own state and count of updates, so that sparse
/// gradients cost what they touch. The points are updated in place; their tensor is contiguous.
template <class Rows>
class RiemannianOptimizer {
 public:
  using T = typename Rows::Component;
  static constexpr int N = Rows::components;
  using Points = Tensor<T, N>;
  using RowPoint = typename Rows::RowPoint;
  using Vector = typename Rows::Vector;

  RiemannianOptimizer(Rows space, Points points, double lr, const BurnIn& burn_in)
      : space_(std::move(space)), points_(std::move(points)), burn_in_(burn_in) {
    if (points_.dim() != 2 || !points_.is_contiguous())
      throw ShapeError("Riemannian optimizer: points of shape " + to_string(points_.shape()) +
                       ", expected contiguous [rows, n]");
    space_.check_columns(points_.size(1));
    set_lr(lr);
    if (burn_in.steps < 0 || !(burn_in.factor >= 0))
      throw DomainError("Riemannian optimizer: burn-in of " + std::to_string(burn_in.steps) +
                        " steps with factor " + std::to_string(burn_in.factor));
    updates_.assign(std::size_t(points_.size(0)), 0);
  }
  virtual ~RiemannianOptimizer() = default;
  RiemannianOptimizer(const RiemannianOptimizer&) = delete;
  RiemannianOptimizer& operator=(const RiemannianOptimizer&) = delete;

  const Rows& space() const { return space_; }
  const Points& points() const { return points_; }
  double lr() const { return lr_; }
  /// Throws DomainError for a rate that is negative or not finite.
  void set_lr(double lr) {
    if (!(lr >= 0) || !std::isfinite(lr))
      throw DomainError("Riemannian optimizer: lr " + std::to_string(lr) + " is no learning rate");
    lr_ = lr;
  }
  std::int64_t steps() const { return steps_; }
  std::int64_t nonfinite_rows() const { return nonfinite_; }

  /// Updates every row from the partial derivatives [rows, n] of a loss.
  RowStep step(const Tensor<T>& gradient) {
    std::vector<std::int64_t> all(std::size_t(points_.size(0)));
    std::iota(all.begin(), all.end(), 0);
    return step(Tensor<std::int64_t>::from_values(all), gradient);
  }
  /// Updates the named rows; gradients [count, n] of a row that is named several times are added
  /// first, in order. Throws ShapeError; then nothing has changed.
  RowStep step(const Tensor<std::int64_t>& rows, const Tensor<T>& gradient) {
    const auto index = checked(rows, gradient);
    const auto dense = gradient.contiguous();
    std::vector<std::int64_t> order(index.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
      return index[std::size_t(a)] < index[std::size_t(b)];
    });
    RowStep outcome;
    ++steps_;
    const double rate = steps_ <= burn_in_.steps ? lr_ * burn_in_.factor : lr_;
    const auto n = std::size_t(points_.size(1));
    std::vector<T> sum(n);
    for (std::size_t i = 0; i < order.size();) {
      const std::int64_t row = index[std::size_t(order[i])];
      std::fill(sum.begin(), sum.end(), T(0));
      for (; i < order.size() && index[std::size_t(order[i])] == row; ++i)
        for (std::size_t c = 0; c < n; ++c) sum[c] += dense.data()[std::size_t(order[i]) * n + c];
      const bool good =
          std::all_of(sum.begin(), sum.end(), [](T x) { return std::isfinite(double(x)); }) &&
          update(row, sum.data(), rate);
      ++(good ? outcome.updated : outcome.nonfinite);
    }
    nonfinite_ += outcome.nonfinite;
    return outcome;
  }

  /// The coupled update of the curvature, after step(): log K <- log K - lr K dL/dK, then all
  /// points and states follow to the new radius. A derivative that is not finite is skipped
  /// (false). Source: seed 003, with log K as the variable, which keeps K positive.
  bool update_curvature(double loss_by_radius, double lr, Rescaling rescaling) {
    const double change = -lr * space_.radius() * loss_by_radius;
    if (!std::isfinite(change) || !std::isfinite(std::exp(log_radius_ + change))) return false;
    set_log_radius(log_radius_ + change, rescaling);
    return true;
  }
  /// Moves all points and states to another radius of curvature. Throws DomainError unless it is a
  /// positive number.
  void set_radius(double radius, Rescaling rescaling) {
    if (!(radius > 0) || !std::isfinite(radius))
      throw DomainError("Riemannian optimizer: radius " + std::to_string(radius) +
                        " is not a positive number");
    set_log_radius(std::log(radius), rescaling);
  }

  /// Writes states, counts and radius, exactly: training goes on from them (and from the points,
  /// which are not in it) as if it had not stopped. Throws IoError.
  void save(const std::filesystem::path& path) const {
    SafetensorsWriter writer;
    writer.set_metadata("mctensor.optimizer", kind());
    writer.add("counts", Tensor<std::int64_t>::from_values({steps_, nonfinite_}));
    writer.add("updates", Tensor<std::int64_t>::from_values(updates_));
    writer.add("log_radius", Tensor<double>::from_values({log_radius_}));
    for (const auto& [name, tensor] : vectors_) writer.add("vector." + name, tensor);
    for (const auto& [name, tensor] : numbers_) writer.add("number." + name, tensor);
    writer.save(path);
  }
  /// Reads them. Throws IoError for a file that does not belong to this optimizer; then nothing has
  /// changed. The points are taken to be those of the stored radius.
  void load(const std::filesystem::path& path) {
    const SafetensorsReader reader(path);
    const auto text = reader.metadata().find("mctensor.optimizer");
    if (text == reader.metadata().end() || text->second != kind())
      throw IoError(path.string() + ": does not hold the states of " + kind());
    const auto counts = reader.template load<std::int64_t, 1>("counts").values();
    const auto updates = reader.template load<std::int64_t, 1>("updates").values();
    const auto log_radius = reader.template load<double, 1>("log_radius").values();
    if (counts.size() != 2 || log_radius.size() != 1 || updates.size() != updates_.size())
      throw IoError(path.string() + ": states of " + std::to_string(updates.size()) +
                    " rows, expected " + std::to_string(updates_.size()));
    auto vectors = vectors_;
    auto numbers = numbers_;
    for (auto& [name, tensor] : vectors)
      tensor = like(path, name, tensor, load_vectors(reader, "vector." + name));
    for (auto& [name, tensor] : numbers)
      tensor = like(path, name, tensor, reader.template load<double, 1>("number." + name));
    vectors_ = std::move(vectors);
    numbers_ = std::move(numbers);
    steps_ = counts[0];
    nonfinite_ = counts[1];
    updates_ = updates;
    log_radius_ = log_radius[0];
    if (log_radius_ != std::log(space_.radius()))
      space_ = space_.with_radius(std::exp(log_radius_));
  }

 protected:
  using VectorTensor = typename Rows::VectorTensor;

  /// The name in files.
  virtual std::string kind() const = 0;
  /// Updates one row from its partial derivatives; false, and nothing changed, if no finite point
  /// comes out.
  virtual bool update(std::int64_t row, const T* partial, double rate) = 0;

  /// A tangent vector for each row, and a number (of order `power` in lengths) for each; 0 at
  /// first.
  void add_vectors(const std::string& name) {
    vectors_.emplace(name, VectorTensor(points_.shape()));
  }
  void add_numbers(const std::string& name) {
    numbers_.emplace(name, Tensor<double>({points_.size(0)}));
  }
  Vector vector(const std::string& name, std::int64_t row) const {
    return space_.load_vector(vectors_.at(name), row);
  }
  void set_vector(const std::string& name, std::int64_t row, const Vector& u) {
    space_.store_vector(vectors_.at(name), row, u);
  }
  double& number(const std::string& name, std::int64_t row) const {
    return numbers_.at(name).data()[row];
  }
  RowPoint point(std::int64_t row) const { return space_.load(points_, row); }
  void set_point(std::int64_t row, const RowPoint& x) { space_.store(points_, row, x); }
  std::int64_t& updates(std::int64_t row) { return updates_[std::size_t(row)]; }

 private:
  std::vector<std::int64_t> checked(const Tensor<std::int64_t>& rows,
                                    const Tensor<T>& gradient) const {
    if (rows.dim() != 1 || gradient.shape() != Shape{rows.numel(), points_.size(1)})
      throw ShapeError("Riemannian optimizer: gradients of shape " + to_string(gradient.shape()) +
                       " for rows of shape " + to_string(rows.shape()) + " and points of shape " +
                       to_string(points_.shape()));
    auto index = rows.values();
    for (const std::int64_t row : index)
      if (row < 0 || row >= points_.size(0))
        throw ShapeError("Riemannian optimizer: row " + std::to_string(row) + " is not one of " +
                         std::to_string(points_.size(0)));
    return index;
  }

  void set_log_radius(double log_radius, Rescaling rescaling) {
    const Rows to = space_.with_radius(std::exp(log_radius));
    for (std::int64_t row = 0; row < points_.size(0); ++row) {
      const RowPoint x = point(row);
      const RowPoint y = space_.rescaled(to, rescaling, x);
      for (auto& [name, tensor] : vectors_)
        to.store_vector(tensor, row,
                        space_.rescaled(to, rescaling, x, y, space_.load_vector(tensor, row)));
      to.store(points_, row, y);
    }
    // numbers are squares of lengths
    const double factor = space_.length_factor(to, rescaling);
    for (auto& [name, tensor] : numbers_)
      for (std::int64_t row = 0; row < points_.size(0); ++row)
        tensor.data()[row] *= factor * factor;
    space_ = to;
    log_radius_ = log_radius;
  }

  template <class X>
  static X like(const std::filesystem::path& path, const std::string& name, const X& expected,
                X found) {
    if (found.shape() != expected.shape())
      throw IoError(path.string() + ": '" + name + "' has shape " + to_string(found.shape()) +
                    ", expected " + to_string(expected.shape()));
    return found;
  }
  static VectorTensor load_vectors(const SafetensorsReader& reader, const std::string& name) {
    return reader.template load<typename VectorTensor::Component, VectorTensor::components>(name);
  }

  Rows space_;
  Points points_;
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
