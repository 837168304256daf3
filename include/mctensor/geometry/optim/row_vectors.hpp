// Tangent vectors as rows of a tensor: what every kind of rows does with them, whatever their type.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/point.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

/// Coordinate i of a tangent vector, in one order for all types of them.
template <class V>
V& coordinate_of(Point<V>& u, std::size_t i) {
  return u[int(i)];
}
template <class V, std::size_t n>
V& coordinate_of(std::array<V, n>& u, std::size_t i) {
  return u[i];
}
template <class V>
V& coordinate_of(std::vector<std::array<V, 2>>& u, std::size_t i) {
  return u[i / 2][i % 2];
}
template <class V>
std::size_t coordinates_in(const Point<V>& u) {
  return std::size_t(u.size());
}
template <class V, std::size_t n>
std::size_t coordinates_in(const std::array<V, n>&) {
  return n;
}
template <class V>
std::size_t coordinates_in(const std::vector<std::array<V, 2>>& u) {
  return 2 * u.size();
}

/// Arithmetic of tangent vectors, and their places in a tensor [rows, n] with a plane for each
/// component. Rows is the class that derives from it: it has `vector_of(n)`, a vector of n
/// coordinates.
template <class Rows>
class RowVectors {
 public:
  /// a u + b v
  template <class Vector>
  Vector sum(double a, Vector u, double b, Vector v) const {
    for (std::size_t i = 0; i < coordinates_in(u); ++i) {
      auto& c = coordinate_of(u, i);
      using V = std::remove_cvref_t<decltype(c)>;
      c = V(a) * c + V(b) * coordinate_of(v, i);
    }
    return u;
  }
  template <class Vector>
  Vector scaled(double a, Vector u) const {
    for (std::size_t i = 0; i < coordinates_in(u); ++i) {
      auto& c = coordinate_of(u, i);
      c = std::remove_cvref_t<decltype(c)>(a) * c;
    }
    return u;
  }
  template <class Vector>
  bool is_finite(Vector u) const {
    for (std::size_t i = 0; i < coordinates_in(u); ++i)
      if (!std::isfinite(double(limb_of(coordinate_of(u, i), 0)))) return false;
    return true;
  }

  template <class T, int N>
  auto load_vector(const Tensor<T, N>& vectors, std::int64_t row) const {
    const std::int64_t n = vectors.shape()[1];
    auto u = static_cast<const Rows&>(*this).vector_of(n);
    for (std::int64_t i = 0; i < n; ++i)
      for (int k = 0; k < N; ++k)
        limb_of(coordinate_of(u, std::size_t(i)), k) = vectors.data(k)[row * n + i];
    return u;
  }
  template <class T, int N, class Vector>
  void store_vector(const Tensor<T, N>& vectors, std::int64_t row, Vector u) const {
    const std::int64_t n = vectors.shape()[1];
    for (std::int64_t i = 0; i < n; ++i)
      for (int k = 0; k < N; ++k)
        vectors.data(k)[row * n + i] = limb_of(coordinate_of(u, std::size_t(i)), k);
  }

 protected:
  /// Partial derivatives as a vector.
  template <class T>
  auto vector_from(const T* partial, std::int64_t n) const {
    auto g = static_cast<const Rows&>(*this).vector_of(n);
    for (std::int64_t i = 0; i < n; ++i) {
      auto& c = coordinate_of(g, std::size_t(i));
      c = std::remove_cvref_t<decltype(c)>(partial[i]);
    }
    return g;
  }
};

}  // namespace mct::geometry::optim_detail
