// The variable that holds the radii of a space while they are learned.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "mctensor/autograd/variable.hpp"
#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/optim/options.hpp"

namespace mct::geometry::optim_detail {

/// The object does nothing until it is bound to a leaf with one number for each radius of the
/// space.
template <class Rows>
class LearnedRadius {
  using T = typename Rows::Component;

 public:
  using Variable = mct::Variable<T, Rows::components <= 4 ? Rows::components : 1, 1>;
  /// Whether a change of the radius changes the points' coordinates.
  static constexpr bool pulls_points = requires { &Rows::pull_of_radius; };

  /// Throws DomainError unless `radius` is a leaf with the space's radii, and for invalid options.
  void bind(const Rows& space, const Variable& radius, const RadiusOptions& options) {
    const auto radii = space.radii();
    bool same = radius.numel() == std::int64_t(radii.size());
    for (std::int64_t i = 0; same && i < radius.numel(); ++i)
      same = double(radius.value().flatten().at({i})) == radii[std::size_t(i)];
    if (!same)
      throw DomainError(
          "Riemannian optimizer: the variable of the radius does not hold the radius of the "
          "space, " +
          number_text(space.radius()));
    if (!radius.is_leaf() || !radius.requires_grad())
      throw DomainError("Riemannian optimizer: the radius is not a leaf that requires a gradient");
    check_not_negative("Riemannian optimizer: lr of the radius", options.lr);
    if (!pulls_points && options.rescaling == Rescaling::keep_distances)
      throw DomainError("Riemannian optimizer: " + space.name() +
                        " learns its radius with rescale_distances only");
    radius_ = radius;
    options_ = options;
  }
  const RadiusOptions& options() const { return options_; }
  bool has_grad() const { return radius_ && radius_->has_grad(); }
  void zero_grad() const {
    if (radius_) radius_->zero_grad();
  }
  /// dL/dK, where K is the first radius, all radii change by one factor and coordinates stay.
  double derivative(const Rows& space) const {
    const auto radii = space.radii();
    const auto by_radius = radius_->grad().flatten();
    double sum = 0;
    for (std::size_t i = 0; i < radii.size(); ++i)
      sum += radii[i] / radii[0] * double(by_radius.at({std::int64_t(i)}));
    return sum;
  }
  /// Writes the radii of the space to the variable.
  void show(const Rows& space) const {
    if (!radius_) return;
    const auto radii = space.radii();
    for (std::size_t i = 0; i < radii.size(); ++i)
      radius_->value().reshape({-1}).set({std::int64_t(i)},
                                         typename Variable::Value::Value(T(radii[i])));
  }

 private:
  std::optional<Variable> radius_;
  RadiusOptions options_;
};

}  // namespace mct::geometry::optim_detail
