// Products of manifolds as rows of one tensor, the coordinates of the parts side by side.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "mctensor/geometry/optim/manifold_rows.hpp"

namespace mct::geometry {

/// A part of a product: its space, its number of coordinates, its weight.
template <class Part>
struct ProductPart {
  Part part;
  std::int64_t columns;
  double weight = 1;
};
template <class Part>
ProductPart(Part, std::int64_t) -> ProductPart<Part>;
template <class Part>
ProductPart(Part, std::int64_t, double) -> ProductPart<Part>;

/// The product of ManifoldRows of one tensor type: rows of sum n_i coordinates, metric sum w_i^2
/// g_i. The radius is that of the first part; a new one changes all by the same factor.
///
///   ProductRows space(ProductPart{ManifoldRows<PoincareBall, double>(1), 2},
///                     ProductPart{ManifoldRows<Sphere, double>(2), 3, 0.5});
template <class... Parts>
class ProductRows : public optim_detail::TensorRows<
                        typename std::tuple_element_t<0, std::tuple<Parts...>>::Component,
                        std::tuple_element_t<0, std::tuple<Parts...>>::components> {
  using First = std::tuple_element_t<0, std::tuple<Parts...>>;
  static constexpr std::size_t count = sizeof...(Parts);
  using Each = std::make_index_sequence<count>;

 public:
  using Component = typename First::Component;
  static constexpr int components = First::components;
  using VectorTensor = typename First::VectorTensor;
  using RowPoint = std::tuple<typename Parts::RowPoint...>;
  using Vector = std::tuple<typename Parts::Vector...>;

  explicit ProductRows(const ProductPart<Parts>&... entries)
      : parts_(entries.part...), columns_{entries.columns...}, weights_{entries.weight...} {
    std::int64_t at = 0;
    for (std::size_t i = 0; i < count; ++i) {
      begins_[i] = at;
      at += columns_[i];
      if (!(weights_[i] > 0) || !std::isfinite(weights_[i]))
        throw DomainError("ProductRows: weight " + optim_detail::exact_text(weights_[i]) +
                          " is not a positive number");
      if (columns_[i] < 1)
        throw DomainError("ProductRows: columns " + std::to_string(columns_[i]) +
                          " of a part are not positive");
    }
  }

  double radius() const { return std::get<0>(parts_).radius(); }
  template <std::size_t i>
  const auto& part() const {
    return std::get<i>(parts_);
  }
  ProductRows with_radius(double radius) const {
    ProductRows r = *this;
    const double factor = radius / this->radius();
    each(Each(), [&](auto i) {
      auto& part = std::get<i()>(r.parts_);
      part = part.with_radius(i() == 0 ? radius : part.radius() * factor);
    });
    return r;
  }
  /// The radius of every part.
  std::vector<double> radii() const {
    std::vector<double> r;
    each(Each(), [&](auto i) { r.push_back(std::get<i()>(parts_).radius()); });
    return r;
  }
  ProductRows with_radii(const std::vector<double>& radii) const {
    ProductRows r = *this;
    each(Each(), [&](auto i) {
      auto& part = std::get<i()>(r.parts_);
      part = part.with_radius(radii.at(i()));
    });
    return r;
  }
  bool has_radius(double radius) const {
    const double factor = radius / this->radius();
    bool all = true;
    each(Each(), [&](auto i) {
      const auto& part = std::get<i()>(parts_);
      all = all && part.has_radius(i() == 0 ? radius : part.radius() * factor);
    });
    return all;
  }
  /// Models, types, columns and weights of the parts, in files.
  std::string name() const {
    std::string all = "product";
    each(Each(), [&](auto i) {
      all += (i() == 0 ? " of " : ", ") + std::get<i()>(parts_).name() + " columns " +
             std::to_string(columns_[i()]) + " weight " + optim_detail::exact_text(weights_[i()]);
    });
    return all;
  }
  void check_points(const typename First::Points& points) const {
    this->check_matrix(points);
    const std::int64_t columns = points.size(1);
    if (columns != begins_[count - 1] + columns_[count - 1])
      throw ShapeError("ProductRows: rows of " + std::to_string(columns) +
                       " coordinates, expected " +
                       std::to_string(begins_[count - 1] + columns_[count - 1]));
  }

  template <class X>
  RowPoint load(const X& points, std::int64_t row) const {
    RowPoint r;
    each(Each(), [&](auto i) {
      std::get<i()>(r) = std::get<i()>(parts_).load(columns<i()>(points, row), 0);
    });
    return r;
  }
  template <class X>
  void store(const X& points, std::int64_t row, const RowPoint& x) const {
    each(Each(), [&](auto i) {
      std::get<i()>(parts_).store(columns<i()>(points, row), 0, std::get<i()>(x));
    });
  }
  Vector load_vector(const VectorTensor& vectors, std::int64_t row) const {
    return load(vectors, row);
  }
  void store_vector(const VectorTensor& vectors, std::int64_t row, const Vector& u) const {
    store(vectors, row, u);
  }

  /// The gradient of a part is divided by the square of its weight.
  Vector gradient(const RowPoint& x, const Component* partial) const {
    Vector r;
    each(Each(), [&](auto i) {
      const auto& part = std::get<i()>(parts_);
      std::get<i()>(r) = part.scaled(1 / (weights_[i()] * weights_[i()]),
                                     part.gradient(std::get<i()>(x), partial + begins_[i()]));
    });
    return r;
  }
  /// What every part contributes to the squared length: they follow a new radius differently.
  static constexpr std::size_t parts = count;
  std::array<double, count> squared_norms(const RowPoint& x, const Vector& u) const {
    std::array<double, count> r;
    each(Each(), [&](auto i) {
      r[i()] = weights_[i()] * weights_[i()] *
               std::get<i()>(parts_).squared_norm(std::get<i()>(x), std::get<i()>(u));
    });
    return r;
  }
  double squared_norm(const RowPoint& x, const Vector& u) const {
    double sum = 0;
    for (const double square : squared_norms(x, u)) sum += square;
    return sum;
  }
  Vector sum(double a, const Vector& u, double b, const Vector& v) const {
    return map([&](const auto& part, const auto& p, const auto& q) { return part.sum(a, p, b, q); },
               u, v);
  }
  Vector scaled(double a, const Vector& u) const {
    return map([&](const auto& part, const auto& p) { return part.scaled(a, p); }, u);
  }
  RowPoint expmap(const RowPoint& x, const Vector& u) const {
    return map([](const auto& part, const auto& p, const auto& q) { return part.expmap(p, q); }, x,
               u);
  }
  Vector transport(const RowPoint& x, const RowPoint& y, const Vector& u) const {
    return map([](const auto& part, const auto& p, const auto& q,
                  const auto& v) { return part.transport(p, q, v); },
               x, y, u);
  }
  Vector to_origin(const RowPoint& x) const {
    return map([](const auto& part, const auto& p) { return part.to_origin(p); }, x);
  }
  bool is_point(const RowPoint& x) const {
    bool all = true;
    each(Each(), [&](auto i) { all = all && std::get<i()>(parts_).is_point(std::get<i()>(x)); });
    return all;
  }
  bool is_finite(const Vector& u) const {
    bool all = true;
    each(Each(), [&](auto i) { all = all && std::get<i()>(parts_).is_finite(std::get<i()>(u)); });
    return all;
  }

  /// What lengths of every part are multiplied by.
  std::array<double, count> length_factors(const ProductRows& to, Rescaling how) const {
    std::array<double, count> r;
    each(Each(), [&](auto i) {
      r[i()] = std::get<i()>(parts_).length_factor(std::get<i()>(to.parts_), how);
    });
    return r;
  }
  RowPoint rescaled(const ProductRows& to, Rescaling how, const RowPoint& x) const {
    RowPoint r;
    each(Each(), [&](auto i) {
      std::get<i()>(r) =
          std::get<i()>(parts_).rescaled(std::get<i()>(to.parts_), how, std::get<i()>(x));
    });
    return r;
  }
  Vector rescaled(const ProductRows& to, Rescaling how, const RowPoint& x, const RowPoint& y,
                  const Vector& u) const {
    Vector r;
    each(Each(), [&](auto i) {
      std::get<i()>(r) = std::get<i()>(parts_).rescaled(
          std::get<i()>(to.parts_), how, std::get<i()>(x), std::get<i()>(y), std::get<i()>(u));
    });
    return r;
  }

 private:
  template <class F, std::size_t... i>
  static void each(std::index_sequence<i...>, const F& f) {
    (f(std::integral_constant<std::size_t, i>()), ...);
  }
  template <class F, class X, class... More>
  auto map(const F& f, const X& x, const More&... more) const {
    X r;
    each(Each(), [&](auto i) {
      std::get<i()>(r) = f(std::get<i()>(parts_), std::get<i()>(x), std::get<i()>(more)...);
    });
    return r;
  }
  /// The coordinates of a part of one row, as a tensor of one row that shares memory.
  template <std::size_t i, class X>
  X columns(const X& x, std::int64_t row) const {
    return x.narrow(0, row, 1).narrow(1, begins_[i], columns_[i]);
  }

  std::tuple<Parts...> parts_;
  std::array<std::int64_t, count> columns_;
  std::array<double, count> weights_;
  std::array<std::int64_t, count> begins_{};
};
template <class... Parts>
ProductRows(const ProductPart<Parts>&...) -> ProductRows<Parts...>;

}  // namespace mct::geometry
