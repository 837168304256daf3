// Tangent vectors as rows of a tensor: operations that all kinds of rows share.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/storage/coordinates.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

using stored_detail::coordinate_of;
using stored_detail::coordinates_in;

/// Arithmetic of tangent vectors, which are stored in a tensor [rows, n] with a plane for each
/// component. Rows is the class that derives from RowVectors. It must have a function vector_of(n),
/// which makes a vector of n coordinates.
template <class Rows>
class RowVectors {
 public:
  /// a u + b v
  template <class Vector>
  MCT_HD Vector sum(double a, Vector u, double b, Vector v) const {
    for (std::size_t i = 0; i < coordinates_in(u); ++i) {
      auto& c = coordinate_of(u, i);
      using V = std::remove_cvref_t<decltype(c)>;
      c = V(a) * c + V(b) * coordinate_of(v, i);
    }
    return u;
  }
  template <class Vector>
  MCT_HD Vector scaled(double a, Vector u) const {
    for (std::size_t i = 0; i < coordinates_in(u); ++i) {
      auto& c = coordinate_of(u, i);
      c = std::remove_cvref_t<decltype(c)>(a) * c;
    }
    return u;
  }
  template <class Vector>
  MCT_HD bool is_finite(Vector u) const {
    bool all = true;
    for (std::size_t i = 0; i < coordinates_in(u); ++i) {
      const double leading(stored_detail::limb_of(coordinate_of(u, i), 0));
      all &= leading - leading == 0;
    }
    return all;
  }

  template <class T, int N>
  auto load_vector(const Tensor<T, N>& vectors, std::int64_t row) const {
    const std::int64_t n = vectors.shape()[1];
    auto u = static_cast<const Rows&>(*this).vector_of(n);
    stored_detail::load_row<N>(u, row, n, [&](int k) { return vectors.data(k); });
    return u;
  }
  template <class T, int N, class Vector>
  void store_vector(const Tensor<T, N>& vectors, std::int64_t row, const Vector& u) const {
    const std::int64_t n = vectors.shape()[1];
    stored_detail::store_row<N>(u, row, n, [&](int k) { return vectors.data(k); });
  }

 protected:
  /// Makes a vector from partial derivatives.
  template <class T>
  MCT_HD auto vector_from(const T* partial, std::int64_t n) const {
    auto g = static_cast<const Rows&>(*this).vector_of(n);
    for (std::int64_t i = 0; i < n; ++i) {
      auto& c = coordinate_of(g, std::size_t(i));
      c = std::remove_cvref_t<decltype(c)>(partial[i]);
    }
    return g;
  }
};

}  // namespace mct::geometry::optim_detail
