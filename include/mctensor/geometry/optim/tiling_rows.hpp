// Points of the tilings as rows of a Riemannian optimizer.
//
// Error: as the methods of the tiling, which these functions call. Source: Yu 2024, Alg. 3 and 10
// (LTiling); tiling/htiling.hpp.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/tiling_points.hpp"
#include "mctensor/geometry/storage/convert.hpp"

namespace mct::geometry {

namespace optim_detail {

/// The name of a tiling, and the same tiling with another radius.
template <class V>
std::string tiling_name(const LTiling<V>&) {
  return "LTiling";
}
template <class V, std::size_t n>
std::string tiling_name(const HTiling<V, n>&) {
  return "HTiling " + std::to_string(n);
}
template <class V>
std::string tiling_name(const LTilingProduct<V>& space) {
  return "LTilingProduct " + std::to_string(space.count());
}
template <class Tiling, class V>
Tiling of_radius(const Tiling& space, const V& radius) {
  if constexpr (requires { space.count(); }) {
    return Tiling(space.count(), radius);
  } else {
    return Tiling(radius);
  }
}

}  // namespace optim_detail

/// Points of Tiling (LTiling<V>, HTiling<V, n> or LTilingProduct<V>). They keep the accuracy of V
/// at any distance from the origin.
///
/// Gradients, tangent vectors and states refer to a point's coordinates within its tile and have as
/// many columns (2, n, 2 k). When a row moves into another tile, Tiling::ptransp moves its states
/// into the new tile's coordinates. Coordinates have no unit, so a new radius with
/// rescale_distances leaves points and tangent vectors as they are. With keep_distances points are
/// computed on the hyperboloid, with as many digits as their distance needs. Points farther out
/// than some thousands of K then throw DomainError.
///
///   TilingRows<LTiling<double>> space;
///   TilingPoints<LTilingPoint<double>> points(rows, space.space().origin());
///   Radam<TilingRows<LTiling<double>>> adam(space, points, {.lr = 0.1});
///   adam.step(gradient);                     // [rows, 2], as dist_gradient returns it
template <class Tiling>
class TilingRows : public optim_detail::RowByRow<TilingRows<Tiling>> {
 public:
  using RowPoint = typename Tiling::Point;
  using Vector = typename Tiling::Tangent;
  using Value = optim_detail::TilingScalar<RowPoint>;
  using Component = tiling_detail::limb_t<Value>;
  static constexpr int components = tiling_detail::limbs_of<Value>;
  using Points = TilingPoints<RowPoint>;
  using VectorTensor = Tensor<Component, components>;

  TilingRows() requires std::is_default_constructible_v<Tiling>
  = default;
  explicit TilingRows(const Tiling& space) : space_(space) {}

  const Tiling& space() const { return space_; }
  double radius() const { return double(space_.radius()); }
  /// The components of the radius, which may have more digits than one double.
  std::vector<double> radii() const {
    std::vector<double> r(components);
    for (int k = 0; k < components; ++k)
      r[std::size_t(k)] = double(stored_detail::limb_of(space_.radius(), k));
    return r;
  }
  TilingRows with_radius(double radius) const {
    return TilingRows(optim_detail::of_radius(space_, Value(radius)));
  }
  /// Throws DomainError unless the components are the components of a positive finite number.
  TilingRows with_radii(const std::vector<double>& radii) const {
    Value radius(0);
    for (int k = 0; k < components; ++k) {
      const double limb = radii.at(std::size_t(k));
      const double most =
          k == 0 ? HUGE_VAL : std::fabs(radii[std::size_t(k) - 1]) * FloatTraits<Component>::u * 2;
      if (!(std::fabs(limb) <= most) || double(Component(limb)) != limb)
        throw DomainError("TilingRows: component " + std::to_string(k) + " of a radius is " +
                          number_text(limb) +
                          ", which is not a rounded number of the type or is too large beside the "
                          "component before it");
      stored_detail::limb_of(radius, k) = Component(limb);
    }
    return TilingRows(optim_detail::of_radius(space_, radius));
  }
  bool has_radius(double radius) const { return optim_detail::is_radius<Value>(radius); }
  std::string name() const {
    return optim_detail::tiling_name(space_) + " " + number_type<Component>(components);
  }

  static std::int64_t rows_of(const Points& points) { return points.rows(); }
  std::int64_t columns_of(const Points&) const { return columns(); }
  /// Throws ShapeError for points with other coordinates, DomainError for a point outside its tile.
  void check_points(const Points& points) const {
    for (std::int64_t row = 0; row < points.rows(); ++row) {
      const auto columns = std::int64_t(stored_detail::coordinates_in(points[row]));
      if (columns != columns_of(points))
        throw ShapeError("TilingRows: point " + std::to_string(row) + " has " +
                         std::to_string(columns) + " coordinates, expected " +
                         std::to_string(columns_of(points)));
      if (!is_point(points[row]))
        throw DomainError("TilingRows: point " + std::to_string(row) + " is outside its tile");
    }
  }

  RowPoint load(const Points& points, std::int64_t row) const { return points[row]; }
  void store(const Points& points, std::int64_t row, const RowPoint& x) const { points[row] = x; }
  /// A vector of n coordinates, all 0.
  static Vector vector_of([[maybe_unused]] std::int64_t n) {
    if constexpr (requires(Vector v) { v.resize(1); }) {
      return Vector(std::size_t(n / 2), {Value(0), Value(0)});
    } else {
      Vector v;
      v.fill(Value(0));
      return v;
    }
  }

  /// A step that is too long to compute gives a result that is not a point (is_point).
  RowPoint expmap(const RowPoint& x, const Vector& u) const {
    try {
      return space_.expmap(x, u);
    } catch (const DomainError&) {
      RowPoint nowhere = x;
      stored_detail::coordinate_of(nowhere, 0) = Value(std::numeric_limits<Component>::quiet_NaN());
      return nowhere;
    }
  }
  bool is_point(const RowPoint& x) const { return optim_detail::in_tile(x); }

  using optim_detail::RowByRow<TilingRows>::expmap;
  using optim_detail::RowByRow<TilingRows>::rescaled;
  /// Throws DomainError as scaled_from_origin, for distances of thousands.
  RowPoint rescaled(const TilingRows& to, Rescaling how, const RowPoint& x) const {
    if (how == Rescaling::rescale_distances) return x;
    if constexpr (requires { space_.factor(); }) {
      RowPoint y;
      for (const auto& factor : x)
        y.push_back(scaled_from_origin(space_.factor(), factor, radius(), to.radius()));
      return y;
    } else {
      return scaled_from_origin(space_, x, radius(), to.radius());
    }
  }
  RowPoint origin() const { return space_.origin(); }
  /// The number of coordinates of a point within its tile.
  std::int64_t columns() const {
    if constexpr (requires { space_.count(); }) {
      return 2 * std::int64_t(space_.count());
    } else {
      return std::int64_t(std::tuple_size_v<Vector>);
    }
  }

 private:
  Tiling space_;
};

}  // namespace mct::geometry
