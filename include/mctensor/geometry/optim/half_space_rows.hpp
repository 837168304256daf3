// Points of the half-space with several components as rows of a tensor.
//
// Error: as the functions of storage/halfspace/representations.hpp, which these functions call.
// Domain: finite rows of positive height; optimizers skip other rows. Source: Yu 2024, Alg. 16 and
// 17.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/error.hpp"
#include "mctensor/geometry/optim/names.hpp"
#include "mctensor/geometry/optim/rescaling.hpp"
#include "mctensor/geometry/optim/row_blocks.hpp"
#include "mctensor/geometry/optim/row_vectors.hpp"
#include "mctensor/geometry/optim/tensor_rows.hpp"
#include "mctensor/geometry/storage/convert.hpp"
#include "mctensor/geometry/storage/halfspace/batch.hpp"
#include "mctensor/geometry/storage/halfspace/representations.hpp"
#include "mctensor/tensor/tensor.hpp"

namespace mct::geometry {

/// Points of Space as rows. Space is XmcHalfSpace<T, M>, McHalfSpace<T, M> or LogHalfSpace<T, M>,
/// the last with M >= 2. The rows are rows of a Tensor<T, M> of shape [rows, n] or, for M > 4, of a
/// plain tensor of shape [M, rows, n]. Both have the same memory layout, M planes of n columns. The
/// last column is the height or, for LogHalfSpace, its logarithm in two components. Tangent vectors
/// and states are frame vectors (representations.hpp) of one component, [rows, n]. So they neither
/// over- nor underflow, even if the height is very small. Gradients [rows, n] are Euclidean. For
/// LogHalfSpace they are multiplied by the height, because the Euclidean gradient would leave the
/// range of T.
///
///   HalfSpaceRows<XmcHalfSpace<double, 20>, double, 20, 3> space(1.0);
///   Tensor<double> points({20, rows, 3});
template <class Space, class T, int M, int n>
class HalfSpaceRows : public optim_detail::TensorRows<T, M>,
                      public optim_detail::RowByRow<HalfSpaceRows<Space, T, M, n>> {
 public:
  using Component = T;
  static constexpr int components = M;
  using Points = typename optim_detail::TensorRows<T, M>::Points;
  using Work = typename Space::Work;
  using RowPoint = typename Space::template Point<n>;
  using Vector = typename Space::template Vector<n>;
  using VectorTensor = Tensor<Work, 1>;
  static constexpr bool is_logarithmic = std::is_same_v<Space, LogHalfSpace<T, M>>;
  static_assert(!is_logarithmic || M >= 2);
  /// True if blocks of rows move in SIMD lanes (batch.hpp).
  static constexpr bool has_kernels =
      std::is_same_v<Space, XmcHalfSpace<T, M>> && std::is_arithmetic_v<T>;

  explicit HalfSpaceRows(double radius = 1) : space_(Work(radius)) {}

  double radius() const { return double(space_.radius()); }
  std::vector<double> radii() const { return {radius()}; }
  HalfSpaceRows with_radii(const std::vector<double>& radii) const {
    return HalfSpaceRows(radii.at(0));
  }
  bool has_radius(double radius) const { return optim_detail::is_radius<Work>(radius); }
  static std::string name() { return optim_detail::model_name<Space> + (" " + number_type<T>(M)); }
  MCT_HD const Space& space() const { return space_; }
  HalfSpaceRows with_radius(double radius) const { return HalfSpaceRows(radius); }
  void check_points(const Points& points) const {
    this->check_matrix(points);
    if (this->columns_of(points) != n)
      throw ShapeError("HalfSpaceRows: rows of " + std::to_string(this->columns_of(points)) +
                       " coordinates, expected " + std::to_string(n));
  }

  RowPoint load(const Points& points, std::int64_t row) const {
    RowPoint p{};
    stored_detail::load_row<M>(p, row, n, [&](int k) { return this->plane_of(points, k); });
    return p;
  }
  void store(const Points& points, std::int64_t row, const RowPoint& p) const {
    stored_detail::store_row<M>(p, row, n, [&](int k) { return this->plane_of(points, k); });
  }
  MCT_HD static Vector vector_of(std::int64_t) { return Vector{}; }

  using Base = optim_detail::RowByRow<HalfSpaceRows>;
  using Base::are_points;
  using Base::dist;
  using Base::dist_gradient;
  using Base::egrad2rgrad;
  using Base::expmap;
  using Base::rescaled;

  MCT_HD static std::int64_t columns() { return n; }
  MCT_HD RowPoint expmap(const RowPoint& x, const Vector& u) const {
    return space_.template expmap<n>(x, u);
  }
  /// The functions for a block of rows, in SIMD lanes.
  Points expmap(const Points& x, const VectorTensor& u) const requires(has_kernels) {
    Points y = x.clone();
    half_space_expmap_(PointStorage::xmc_half_space, y, u);
    return y;
  }
  VectorTensor egrad2rgrad(const Points& x, const Tensor<T>& partial) const requires(has_kernels) {
    auto out = VectorTensor::uninitialized(partial.shape());
    const T* heights = this->plane_of(x, 0) + (n - 1);
    const T* g = partial.data();
    const Work k2 = space_.radius() * space_.radius();
    Work* to = out.data();
    for (std::int64_t row = this->rows_of(x); row > 0; --row, g += n, to += n, heights += n)
      for (int c = 0; c < n; ++c) to[c] = *heights * g[c] / k2;
    return out;
  }
  Tensor<T> dist(const Points& x, const optim_detail::RowPairs& pairs) const requires(has_kernels) {
    return half_space_dist(x, Tensor<std::int64_t>::from_values(pairs.a),
                           Tensor<std::int64_t>::from_values(pairs.b), radius());
  }
  Tensor<T> dist_gradient(const Points& x, const optim_detail::RowPairs& pairs) const
      requires(has_kernels) {
    const auto g = half_space_direction(x, Tensor<std::int64_t>::from_values(pairs.a),
                                        Tensor<std::int64_t>::from_values(pairs.b));
    const T* heights = this->plane_of(x, 0) + (n - 1);
    T* to = g.data();
    for (const std::int64_t row : pairs.a)
      for (int c = 0; c < n; ++c, ++to) *to = *to * space_.radius() / heights[row * n];
    return g;
  }
  optim_detail::RowFlags are_points(const Points& x) const requires(has_kernels) {
    optim_detail::RowFlags flags(static_cast<std::size_t>(this->rows_of(x)));
    const T* at = this->plane_of(x, 0);
    for (char& flag : flags) {
      bool good = at[n - 1] > 0;
      for (int c = 0; c < n; ++c) good &= at[c] - at[c] == 0;
      flag = good;
      at += n;
    }
    return flags;
  }
  MCT_HD bool is_point(const RowPoint& x) const { return space_.check_point(x); }

  /// The place of x for another radius. Coordinates have no unit, so scaling leaves them as they
  /// are. Keeping distances takes the logarithm at the origin and its exponential, in M components
  /// (in one for half and bfloat16; by scaled_from_origin for more than four). Throws DomainError
  /// for a point whose new place is beyond the range of T.
  RowPoint rescaled(const HalfSpaceRows& to, Rescaling how, const RowPoint& x) const {
    if (how == Rescaling::rescale_distances) return x;
    const RowPoint y = with_distance_kept(to, x);
    const double before = double(space_.template dist<n>(origin(), x));
    const double after = double(to.space_.template dist<n>(origin(), y));
    if (!to.is_point(y) || !(std::fabs(after - before) <= to.distance_error(y, before)))
      throw DomainError("HalfSpaceRows: a point at distance " + number_text(before) +
                        " cannot be stored in " + name() + " of radius " +
                        number_text(to.radius()));
    return y;
  }
  MCT_HD static RowPoint origin() { return Space::template origin<n>(); }

 private:
  /// How far the distance of the stored point y may be from `distance`. Rounding moves the point by
  /// u K for the height and 2 u K for the other coordinates; next to the origin this is more than
  /// its distance. A step that is cut off at the end of the range is too short by more than a
  /// thousandth. A height at the end of the range may hide a smaller error, so there only rounding
  /// errors are allowed.
  double distance_error(const RowPoint& y, double distance) const {
    const double stored = 4 * radius() * double(FloatTraits<T>::u);
    return stored + (at_end_of_range(y) ? 64 * double(FloatTraits<Work>::u) : 1e-3) * distance;
  }
  static bool at_end_of_range(const RowPoint& y) {
    if constexpr (is_logarithmic) {
      return false;
    } else {
      const double height(y.height);
      return height <= double(halfspace_detail::lowest_height<T, height_limbs>) ||
             height >= double(halfspace_detail::highest_height<T>);
    }
  }
  RowPoint with_distance_kept(const HalfSpaceRows& to, const RowPoint& x) const {
    if constexpr (M > 4) {
      return scaled_from_origin(space_, x, radius(), to.radius());
    } else {
      auto v = from_origin(x);
      using V = typename decltype(v)::value_type;
      const V factor = V(Work(radius())) / V(Work(to.radius()));
      for (V& c : v) c = c * factor;
      return to.space_.template expmap<n>(origin(), v);
    }
  }
  /// The frame vector at the origin whose exponential is x.
  static auto from_origin(const RowPoint& x) {
    if constexpr (M == 1 || !std::is_arithmetic_v<T>) {
      return Space().template logmap<n>(origin(), x);
    } else {
      using V = Expansion<T, M>;
      const V one(T(1));
      const V h = halfspace_detail::height_value<V>(typename Space::HeightKind(), x.height);
      const V across = halfspace_detail::length_of<V>(n - 1, [&](int i) { return V(x.x[i]); });
      const HalfSpaceGap<V> gap{across, V(one - h), V(one + h), one, V(sqrt(h)), one};
      const auto d = half_space_direction(gap);
      const V length = half_space_distance(gap);
      std::array<V, std::size_t(n)> v;
      for (int i = 0; i + 1 < n; ++i) v[std::size_t(i)] = length * (x.x[i] / d.by * d.times);
      v[std::size_t(n - 1)] = -(length * d.up);
      return v;
    }
  }

  static constexpr int height_limbs = detail::limbs_of<typename Space::HeightKind::Value>;

  Space space_;
};

}  // namespace mct::geometry
