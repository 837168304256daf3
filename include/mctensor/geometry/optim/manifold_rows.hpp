// Points of a manifold as rows of a tensor: what a Riemannian optimizer does with one row.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mctensor/error.hpp"
#include "mctensor/geometry/models.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/tensor_rows.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// Rows of a Tensor<T, N> as points of the model M (PoincareBall, Lorentz, ...): every T and N of
/// the library. Tangent vectors and optimizer states have N components, too.
///
///   ManifoldRows<PoincareBall, double> space(1.0);
template <template <class> class M, class T, int N = 1>
class ManifoldRows : public optim_detail::TensorRows<T, N> {
 public:
  using Component = T;
  static constexpr int components = N;
  using Value = typename Tensor<T, N>::Value;
  using Model = M<Value>;
  using RowPoint = Point<Value>;
  using Vector = Point<Value>;
  using VectorTensor = Tensor<T, N>;

  /// Throws DomainError unless the radius is a positive number of T.
  explicit ManifoldRows(double radius = 1) : radius_(checked(radius)), model_(Value(radius)) {}

  double radius() const { return radius_; }
  /// The radius of every part: here there is one.
  std::vector<double> radii() const { return {radius_}; }
  ManifoldRows with_radii(const std::vector<double>& radii) const {
    return ManifoldRows(radii.at(0));
  }
  /// True if with_radius has an answer.
  bool has_radius(double radius) const { return optim_detail::is_radius<Value>(radius); }
  /// Model and type, in files.
  static std::string name() {
    return optim_detail::model_name<Model> + (" " + optim_detail::type_name<T>(N));
  }
  const Model& model() const { return model_; }
  ManifoldRows with_radius(double radius) const { return ManifoldRows(radius); }
  /// Throws ShapeError for rows that are no points.
  void check_points(const Tensor<T, N>& points) const {
    this->check_matrix(points);
    if (points.size(1) < 1) throw ShapeError("ManifoldRows: rows of 0 coordinates");
  }

  RowPoint load(const Tensor<T, N>& points, std::int64_t row) const { return read(points, row); }
  void store(const Tensor<T, N>& points, std::int64_t row, const RowPoint& x) const {
    write(points, row, x);
  }
  Vector load_vector(const VectorTensor& vectors, std::int64_t row) const {
    return read(vectors, row);
  }
  void store_vector(const VectorTensor& vectors, std::int64_t row, const Vector& u) const {
    write(vectors, row, u);
  }

  /// The Riemannian gradient of plain partial derivatives.
  Vector gradient(const RowPoint& x, const T* partial) const {
    Vector g(x.size());
    for (int i = 0; i < x.size(); ++i) g[i] = Value(partial[i]);
    return model_.egrad2rgrad(x, g);
  }
  double squared_norm(const RowPoint& x, const Vector& u) const {
    const double length(model_.norm(x, u));
    return length * length;
  }
  /// a u + b v
  Vector sum(double a, const Vector& u, double b, const Vector& v) const {
    Vector r(u.size());
    for (int i = 0; i < u.size(); ++i) r[i] = Value(a) * u[i] + Value(b) * v[i];
    return r;
  }
  Vector scaled(double a, const Vector& u) const { return u * Value(a); }
  RowPoint expmap(const RowPoint& x, const Vector& u) const {
    return model_.projx(model_.expmap(x, u));
  }
  Vector transport(const RowPoint& x, const RowPoint& y, const Vector& u) const {
    return model_.proju(y, model_.ptransp(x, y, u));
  }
  /// The vector that leads from x to the origin.
  Vector to_origin(const RowPoint& x) const { return model_.logmap(x, model_.origin(x.size())); }
  /// True for a finite point of the manifold.
  bool is_point(const RowPoint& x) const { return is_finite(x) && model_.check_point(x, 64); }
  bool is_finite(const Vector& u) const {
    for (int i = 0; i < u.size(); ++i)
      if (!std::isfinite(double(u[i]))) return false;
    return true;
  }

  /// What lengths are multiplied by on the way to another radius.
  double length_factor(const ManifoldRows& to, Rescaling how) const {
    const bool same = how == Rescaling::keep_distances || std::is_same_v<Model, Euclidean<Value>>;
    return same ? 1 : to.radius_ / radius_;
  }
  /// Throws DomainError for a point of a sphere that is too far from the origin for a smaller one,
  /// and for one whose new place coordinates cannot tell to a thousandth of its distance (64 u^N of
  /// it if that is more): next to the boundary of a ball.
  RowPoint rescaled(const ManifoldRows& to, Rescaling how, const RowPoint& x) const {
    if constexpr (std::is_same_v<Model, Sphere<Value>>) {
      const double d(model_.dist(x, model_.origin(x.size())));
      if (how == Rescaling::keep_distances && d > std::numbers::pi * to.radius_)
        throw DomainError("ManifoldRows: a sphere of radius " + std::to_string(to.radius_) +
                          " has no point at distance " + std::to_string(d) + " from the origin");
    }
    const RowPoint y = rescaled_point(model_, to.model_, how, x);
    if (how == Rescaling::keep_distances) {
      const double before(model_.dist0(x));
      const double after(to.model_.dist0(y));
      const double u = detail::unit_roundoff<Value>();
      if (!(std::fabs(after - before) <= 8 * u * to.radius_ + std::max(1e-3, 64 * u) * before))
        throw DomainError("ManifoldRows: a point at distance " + optim_detail::exact_text(before) +
                          " has no place in " + name() + " of radius " +
                          optim_detail::exact_text(to.radius_));
    }
    return y;
  }
  Vector rescaled(const ManifoldRows& to, Rescaling how, const RowPoint& x, const RowPoint& y,
                  const Vector& u) const {
    return rescaled_vector(model_, to.model_, how, x, y, u);
  }

 private:
  static double checked(double radius) {
    if (!optim_detail::is_radius<Value>(radius))
      throw DomainError("ManifoldRows: radius " + std::to_string(radius) +
                        " is not a positive number of " + optim_detail::type_name<T>(N));
    return radius;
  }
  static RowPoint read(const Tensor<T, N>& x, std::int64_t row) {
    const std::int64_t n = x.size(1);
    RowPoint p(static_cast<int>(n));  // in braces it would be a list of one coordinate
    for (int i = 0; i < int(n); ++i) {
      if constexpr (N == 1) {
        p[i] = x.data()[row * n + i];
      } else {
        for (int k = 0; k < N; ++k) p[i].limb[k] = x.data(k)[row * n + i];
      }
    }
    return p;
  }
  static void write(const Tensor<T, N>& x, std::int64_t row, const RowPoint& p) {
    const std::int64_t n = x.size(1);
    for (int i = 0; i < int(n); ++i) {
      if constexpr (N == 1) {
        x.data()[row * n + i] = p[i];
      } else {
        for (int k = 0; k < N; ++k) x.data(k)[row * n + i] = p[i].limb[k];
      }
    }
  }

  double radius_;
  Model model_;
};

}  // namespace mct::geometry
