// Rows of a tensor as points of the multi-component half-space representations.
#pragma once

#include "mctensor/geometry/half_space.hpp"
#include "mctensor/geometry/halfspace/representations.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// Rows [.., n] of a Tensor<T, M> as points of Space (XmcHalfSpace, McHalfSpace or LogHalfSpace of
/// T and M, 2 <= M <= 4 for the last); the last column is the height (or its logarithm). Tangent
/// vectors and states are frame vectors of one component: momenta neither over- nor underflow
/// however small the height. Gradients are Euclidean ones, for LogHalfSpace the height times the
/// Euclidean one (`gradient` would leave the range of T).
///
///   HalfSpaceRows<XmcHalfSpace<double, 2>, double, 2, 3> space(1.0);
template <class Space, class T, int M, int n>
class HalfSpaceRows {
 public:
  using Component = T;
  static constexpr int components = M;
  using Work = typename Space::Work;
  using RowPoint = typename Space::template Point<n>;
  using Vector = typename Space::template Vector<n>;
  using VectorTensor = Tensor<Work, 1>;
  static constexpr bool is_logarithmic = std::is_same_v<Space, LogHalfSpace<T, M>>;
  static_assert(M <= 4 && (!is_logarithmic || M >= 2));

  explicit HalfSpaceRows(double radius = 1) : space_(Work(radius)) {}

  double radius() const { return double(space_.radius()); }
  const Space& space() const { return space_; }
  HalfSpaceRows with_radius(double radius) const { return HalfSpaceRows(radius); }
  void check_columns(std::int64_t columns) const {
    if (columns != n)
      throw ShapeError("HalfSpaceRows: rows of " + std::to_string(columns) +
                       " coordinates, expected " + std::to_string(n));
  }

  RowPoint load(const Tensor<T, M>& points, std::int64_t row) const {
    RowPoint p{};
    for (int k = 0; k < M; ++k) {
      const T* from = points.data(k) + row * n;
      for (int i = 0; i + 1 < n; ++i) p.x[i].limb[k] = from[i];
      if (k < height_limbs) limb(p.height, k) = from[n - 1];
    }
    return p;
  }
  void store(const Tensor<T, M>& points, std::int64_t row, const RowPoint& p) const {
    RowPoint q = p;
    for (int k = 0; k < M; ++k) {
      T* to = points.data(k) + row * n;
      for (int i = 0; i + 1 < n; ++i) to[i] = p.x[i].limb[k];
      to[n - 1] = k < height_limbs ? limb(q.height, k) : T(0);
    }
  }
  Vector load_vector(const VectorTensor& vectors, std::int64_t row) const {
    Vector u{};
    std::copy(vectors.data() + row * n, vectors.data() + (row + 1) * n, u.begin());
    return u;
  }
  void store_vector(const VectorTensor& vectors, std::int64_t row, const Vector& u) const {
    std::copy(u.begin(), u.end(), vectors.data() + row * n);
  }

  /// As a frame vector: h g / K^2.
  Vector gradient(const RowPoint& x, const T* partial) const {
    const Work k2 = space_.radius() * space_.radius();
    const Work h = is_logarithmic ? Work(1) : height_of(x);
    Vector g{};
    for (std::size_t i = 0; i < std::size_t(n); ++i) g[i] = h * Work(partial[i]) / k2;
    return g;
  }
  double squared_norm(const RowPoint&, const Vector& u) const {
    const Work length =
        halfspace_detail::length_of<Work>(n, [&](int i) { return u[std::size_t(i)]; });
    const double size = double(space_.radius()) * double(length);
    return size * size;
  }
  Vector sum(double a, const Vector& u, double b, const Vector& v) const {
    Vector r{};
    for (std::size_t i = 0; i < std::size_t(n); ++i) r[i] = Work(a) * u[i] + Work(b) * v[i];
    return r;
  }
  Vector scaled(double a, const Vector& u) const { return sum(a, u, 0, u); }
  RowPoint expmap(const RowPoint& x, const Vector& u) const {
    return space_.template step<n>(x, u);
  }
  Vector transport(const RowPoint& x, const RowPoint& y, const Vector& u) const {
    return space_.template transport<n>(x, y, u);
  }
  Vector to_origin(const RowPoint& x) const {
    return space_.template logmap<n>(x, Space::template origin<n>());
  }
  bool is_finite(const RowPoint& x) const {
    bool finite = true;
    for (const auto& c : x.x) finite = finite && double(c.limb[0]) - double(c.limb[0]) == 0;
    return finite;
  }

  double length_factor(const HalfSpaceRows& to, Rescaling how) const {
    return how == Rescaling::keep_distances ? 1 : to.radius() / radius();
  }
  /// Coordinates have no unit, so scaling leaves them as they are. Keeping distances goes through
  /// the half-space in M components: for heights within the range of T.
  RowPoint rescaled(const HalfSpaceRows& to, Rescaling how, const RowPoint& x) const {
    if (how == Rescaling::rescale_distances) return x;
    using Long = HalfSpace<Expansion<T, M>>;
    Point<Expansion<T, M>> p(n);
    for (int i = 0; i + 1 < n; ++i) p[i] = x.x[i];
    p[n - 1] =
        halfspace_detail::height_value<Expansion<T, M>>(typename Space::HeightKind(), x.height);
    const auto y =
        rescaled_point(Long(Expansion<T, M>(radius())), Long(Expansion<T, M>(to.radius())), how, p);
    RowPoint r = x;
    for (int i = 0; i + 1 < n; ++i) r.x[i] = y[i];
    r.height = halfspace_detail::height_from(typename Space::HeightKind(), y[n - 1]);
    return r;
  }
  Vector rescaled(const HalfSpaceRows& to, Rescaling how, const RowPoint& x, const RowPoint& y,
                  const Vector& u) const {
    if (how == Rescaling::rescale_distances) return u;
    const RowPoint origin = Space::template origin<n>();
    return to.scaled(radius() / to.radius(), to.transport(origin, y, transport(x, origin, u)));
  }

 private:
  static constexpr int height_limbs = std::is_same_v<Space, XmcHalfSpace<T, M>> ? 1
                                      : is_logarithmic                          ? 2
                                                                                : M;
  static T& limb(T& height, int) { return height; }
  template <int K>
  static T& limb(Expansion<T, K>& height, int k) {
    return height.limb[k];
  }
  static Work height_of(const RowPoint& x) {
    return halfspace_detail::height_value<Work>(typename Space::HeightKind(), x.height);
  }

  Space space_;
};

}  // namespace mct::geometry
