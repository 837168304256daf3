// Points of a manifold as rows of a tensor: the operations of a Riemannian optimizer on one row and
// on blocks of rows.
//
// Error: as the operations of the manifold (docs/geometry.md), which these functions call. Source:
// docs/geometry.md.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_vectors.hpp"
#include "mctensor/geometry/optim/tensor_rows.hpp"
#include "mctensor/geometry/tensors/methods.hpp"

namespace mct::geometry {

/// Rows of a Tensor<T, N> as points of the manifold M, a model or a product whose Value is the
/// number type of the tensor. Tangent vectors and optimizer states have N components, too. The
/// radius of a product is the radius of its first part; a new radius scales all radii alike.
///
///   ManifoldRows space(PoincareBall<double>(1.0));
template <class M>
class ManifoldRows
    : public optim_detail::TensorRows<typename tensor_of<typename M::Value>::Component,
                                      tensor_of<typename M::Value>::components>,
      public optim_detail::RowVectors<ManifoldRows<M>> {
 public:
  using Points = tensor_of<typename M::Value>;
  using Component = typename Points::Component;
  static constexpr int components = Points::components;
  using Value = typename M::Value;
  using RowPoint = Point<Value>;
  using Vector = Point<Value>;
  using VectorTensor = Points;
  /// The number of parts. Each has a radius, and a factor by which lengths change with it.
  static constexpr std::size_t parts = M::radii;
  /// True if rounding moves points off the manifold. A product may have such parts.
  static constexpr bool is_surface = [] {
    if constexpr (requires(const M& m) { m.coordinates(); }) return true;
    return decltype(std::declval<const M&>().formulas())::least_coordinates > 1;
  }();
  /// True if operations on points outside the model give NaN.
  static constexpr bool outside_is_nan = !is_surface;

  explicit ManifoldRows(const M& manifold) : manifold_(manifold) {}
  explicit ManifoldRows(double radius = 1) requires(M::radii == 1) : manifold_(Value(radius)) {}

  double radius() const { return radii()[0]; }
  std::vector<double> radii() const {
    std::vector<double> r;
    for (const Value& radius : manifold_.all_radii()) r.push_back(double(radius));
    return r;
  }
  ManifoldRows with_radii(const std::vector<double>& radii) const {
    std::array<Value, M::radii> k;
    for (std::size_t i = 0; i < k.size(); ++i) k[i] = Value(radii.at(i));
    return ManifoldRows(geometry::with_radii(manifold_, k));
  }
  ManifoldRows with_radius(double radius) const { return with_radii(scaled_radii(radius)); }
  /// True if with_radius(radius) is valid.
  bool has_radius(double radius) const {
    for (const double k : scaled_radii(radius))
      if (!optim_detail::is_radius<Value>(k)) return false;
    return true;
  }
  /// The name of the model and the number type, for files; for a product also columns and weights.
  std::string name() const {
    return optim_detail::name_of(manifold_) + " " + number_type<Component>(components);
  }
  const M& manifold() const { return manifold_; }
  /// Throws ShapeError unless rows have the number of coordinates that M needs.
  void check_points(const Points& points) const {
    this->check_matrix(points);
    detail::leading_shape_of("ManifoldRows", manifold_, points.shape());
  }

  RowPoint load(const Points& points, std::int64_t row) const {
    return this->load_vector(points, row);
  }
  void store(const Points& points, std::int64_t row, const RowPoint& x) const {
    this->store_vector(points, row, x);
  }
  static Vector vector_of(std::int64_t n) { return Vector(int(n)); }

  /// The Riemannian gradient, from partial derivatives. P is RowPoint or, in a thread of a GPU, a
  /// point whose number of coordinates is known at compile time.
  template <class P>
  MCT_HD P egrad2rgrad(const P& x, const Component* partial) const {
    return manifold_.egrad2rgrad(
        x, detail::generate<P>(x.size(), [&](int i) { return Value(partial[i]); }));
  }
  /// The square of the length of u as a sum: one share for each part.
  std::array<double, parts> squared_norms(const RowPoint& x, const Vector& u) const {
    std::array<double, parts> r;
    if constexpr (parts == 1) {
      r[0] = squared_norm(x, u);
    } else {
      const auto shares =
          manifold_.formulas().squared_lengths(detail::to_work(x), detail::to_work(u));
      for (std::size_t i = 0; i < parts; ++i) r[i] = double(shares[int(i)]);
    }
    return r;
  }
  template <class P>
  MCT_HD double squared_norm(const P& x, const P& u) const {
    const double length(manifold_.norm(x, u));
    return length * length;
  }
  template <class P>
  MCT_HD P expmap(const P& x, const P& u) const {
    const P y = manifold_.expmap(x, u);
    if constexpr (is_surface) return manifold_.projx(y);
    return y;
  }
  template <class P>
  MCT_HD P ptransp(const P& x, const P& y, const P& u) const {
    const P v = manifold_.ptransp(x, y, u);
    if constexpr (is_surface) return manifold_.proju(y, v);
    return v;
  }
  /// The vector that leads from x to the origin.
  template <class P>
  MCT_HD P to_origin(const P& x) const {
    return manifold_.logmap(x, origin_like(x));
  }
  /// True for a finite point of the manifold.
  template <class P>
  MCT_HD bool is_point(const P& x) const {
    return this->is_finite(x) && manifold_.check_point(x, 64);
  }
  /// True for a point that a step may lead to. The last point of a direction on a hyperboloid is no
  /// such point, because no derivative there has digits.
  template <class P>
  MCT_HD bool may_go_on(const P& x) const {
    const auto f = manifold_.formulas();
    const auto z = detail::to_work(x);
    if constexpr (requires { f.template is_last<Value>(z); }) {
      if (f.template is_last<Value>(z)) return false;
    }
    return is_point(x);
  }

  /// The operations for blocks of rows, as operations on tensors. Those that are compiled for
  /// tensors are used.
  Points egrad2rgrad(const Points& x, const Tensor<Component>& partial) const {
    if constexpr (components == 1) {
      return manifold_.egrad2rgrad(x, partial);
    } else {
      const Points g(x.shape());
      g.plane(0).copy_(partial);
      return manifold_.egrad2rgrad(x, g);
    }
  }
  Points expmap(const Points& x, const Points& u) const {
    Points y = manifold_.expmap(x, u);
    if constexpr (is_surface) return by_formula<operation::projx>(y);
    return y;
  }
  Points ptransp(const Points& x, const Points& y, const Points& u) const {
    Points v = manifold_.ptransp(x, y, u);
    if constexpr (is_surface) return by_formula<operation::proju>(y, v);
    return v;
  }
  Points to_origin(const Points& x) const {
    return manifold_.logmap(x, geometry::origin(manifold_, int(x.size(1))));
  }
  /// Flags of the rows that the step may use. If coordinates are free (a ball, a half-space), these
  /// are all finite rows: for a row outside the model the next operation gives NaN, which is found.
  optim_detail::RowFlags are_points(const Points& x) const {
    return outside_is_nan ? optim_detail::are_finite(x) : optim_detail::each_is_point(*this, x);
  }

  /// The factor by which the lengths of each part change with the radii.
  std::array<double, parts> length_factors(const ManifoldRows& to, Rescaling how) const {
    return rescaling_factors(manifold_, to.manifold_, how);
  }
  /// The derivative of <g, x> by log K, while x follows the radii, all scaled alike.
  double pull_of_radius(Rescaling how, const RowPoint& x, const Component* g) const {
    return geometry::pull_of_radius(manifold_, how, x, g);
  }
  /// Throws DomainError for a point of a sphere that is too far from the origin for a smaller
  /// sphere. Also throws DomainError for a point near a ball's boundary if rounding changes its new
  /// distance by more than a thousandth (or 64 u^N if that is more).
  RowPoint rescaled(const ManifoldRows& to, Rescaling how, const RowPoint& x) const {
    const RowPoint y = rescaled_point(manifold_, to.manifold_, how, x);
    if (how == Rescaling::keep_distances) {
      const double before(manifold_.dist0(x));
      const double after(to.manifold_.dist0(y));
      const double u = detail::unit_roundoff<Value>();
      if (!(std::fabs(after - before) <= 8 * u * to.radius() + std::max(1e-3, 64 * u) * before))
        throw DomainError("ManifoldRows: a point at distance " + number_text(before) +
                          " cannot be stored in " + name() + " of radius " +
                          number_text(to.radius()));
    }
    return y;
  }
  Vector rescaled(const ManifoldRows& to, Rescaling how, const RowPoint& x, const RowPoint& y,
                  const Vector& u) const {
    return rescaled_vector(manifold_, to.manifold_, how, x, y, u);
  }

 private:
  template <class P>
  MCT_HD P origin_like(const P& x) const {
    if constexpr (P::dimension == dynamic) {
      return manifold_.origin(x.size());
    } else {
      return manifold_.template origin<P::dimension>();
    }
  }
  /// Gives the bits of single points, as on a GPU. Operations compiled for tensors round
  /// differently.
  template <class Op, class... X>
  Points by_formula(const X&... x) const {
    return detail::each_by_formula<Op>(std::index_sequence_for<X...>(), manifold_, x...);
  }
  std::vector<double> scaled_radii(double radius) const {
    std::vector<double> r = radii();
    const double factor = radius / r[0];
    for (double& k : r) k *= factor;
    r[0] = radius;
    return r;
  }
  M manifold_;
};

}  // namespace mct::geometry
