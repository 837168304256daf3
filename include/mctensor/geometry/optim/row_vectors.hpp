// Tangent vectors as rows of a tensor: operations that all kinds of rows share.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry::optim_detail {

/// Coordinate i of a tangent vector. Its type is Point<V>, std::array<V, n> or, for a product of
/// planes, a list of pairs.
template <class U>
MCT_HD auto& coordinate_of(U& u, std::size_t i) {
  if constexpr (requires { u.front().front(); }) {
    return u[i / 2][i % 2];
  } else if constexpr (requires { U::dimension; }) {
    return u[int(i)];
  } else {
    return u[i];
  }
}
template <class U>
MCT_HD std::size_t coordinates_in(const U& u) {
  return std::size_t(u.size()) * (requires { u.front().front(); } ? 2 : 1);
}

/// Whether the last coordinate of a point may have fewer components than the others.
template <class P>
inline constexpr bool has_height = false;
template <class X, class H, int n>
inline constexpr bool has_height<HalfSpacePoint<X, H, n>> = true;

/// Component k of coordinate i of a vector or a point, in the order of memory planes. The height of
/// a HalfSpacePoint, its last coordinate, may have fewer components than the others; the missing
/// ones are zeros.
template <class P>
MCT_HD auto& component_of(P& x, int i, int k) {
  if constexpr (has_height<std::remove_const_t<P>>) {
    return i + 1 < P::dimension ? x.x[i].limb[k] : limb_of(x.height, k);
  } else {
    return limb_of(coordinate_of(x, std::size_t(i)), k);
  }
}
template <class P>
MCT_HD constexpr bool has_component([[maybe_unused]] int i, [[maybe_unused]] int k) {
  if constexpr (has_height<P>) {
    return i + 1 < P::dimension || k < detail::limbs_of<decltype(P::height)>;
  } else {
    return true;
  }
}

/// Arithmetic of tangent vectors, and their places in a tensor [rows, n] with a plane for each
/// component. Rows is the class that derives from it: it has `vector_of(n)`, a vector of n
/// coordinates.
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
      const double leading(limb_of(coordinate_of(u, i), 0));
      all &= leading - leading == 0;
    }
    return all;
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
  MCT_HD auto vector_from(const T* partial, std::int64_t n) const {
    auto g = static_cast<const Rows&>(*this).vector_of(n);
    for (std::int64_t i = 0; i < n; ++i) {
      auto& c = coordinate_of(g, std::size_t(i));
      c = std::remove_cvref_t<decltype(c)>(partial[i]);
    }
    return g;
  }
};

/// Rows of a storage whose coordinates have no unit: the operations on one row by Rows::space(),
/// and how lengths and tangent vectors follow a new radius. Rows is the class that derives from
/// this.
template <class Rows>
struct UnitlessRows : RowVectors<Rows> {
  /// The number of parts that follow a new radius, each in its own way. It is one, because there is
  /// one radius.
  static constexpr std::size_t parts = 1;

  /// The Riemannian gradient of partial derivatives by the coordinates.
  template <class P, class T>
  MCT_HD auto egrad2rgrad(const P& x, const T* partial) const {
    return space().egrad2rgrad(x, this->vector_from(partial, own().columns()));
  }
  template <class R = Rows>
  MCT_HD auto dist(const typename R::RowPoint& x, const typename R::RowPoint& y) const {
    return mct::detail::lead(space().dist(x, y));
  }
  /// The partial derivatives of dist by the coordinates of x, as `egrad2rgrad` takes them.
  template <class P, class T>
  void dist_gradient(const P& x, const P& y, T* partial) const {
    auto g = space().dist_gradient(x, y);
    for (std::size_t i = 0; i < coordinates_in(g); ++i)
      partial[i] = T(mct::detail::lead(coordinate_of(g, i)));
  }
  template <class P, class Vector>
  MCT_HD double squared_norm(const P& x, const Vector& u) const {
    const double length(space().norm(x, u));
    return length * length;
  }
  template <class P, class Vector>
  MCT_HD std::array<double, 1> squared_norms(const P& x, const Vector& u) const {
    return {squared_norm(x, u)};
  }
  template <class R = Rows>
  MCT_HD auto ptransp(const typename R::RowPoint& x, const typename R::RowPoint& y,
                      const typename R::Vector& u) const {
    return space().ptransp(x, y, u);
  }
  template <class R = Rows>
  MCT_HD auto to_origin(const typename R::RowPoint& x) const {
    return space().logmap(x, own().origin());
  }

  /// The factor of lengths.
  std::array<double, 1> length_factors(const Rows& to, Rescaling how) const {
    return {how == Rescaling::keep_distances ? 1 : to.radius() / own().radius()};
  }
  template <class P, class Vector>
  Vector rescaled(const Rows& to, Rescaling how, const P& x, const P& y, const Vector& u) const {
    if (how == Rescaling::rescale_distances) return u;
    const auto origin = own().origin();
    return to.scaled(own().radius() / to.radius(),
                     to.ptransp(origin, y, own().ptransp(x, origin, u)));
  }

 private:
  MCT_HD const Rows& own() const { return static_cast<const Rows&>(*this); }
  MCT_HD const auto& space() const { return own().space(); }
};

}  // namespace mct::geometry::optim_detail
