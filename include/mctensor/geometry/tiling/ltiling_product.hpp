// Products of L-tilings, for more than two dimensions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mctensor/geometry/tiling/ltiling.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {

/// The product of k L-tilings: a space of dimension 2 k, in which each factor keeps the accuracy of
/// LTiling. Its distance is sqrt(sum d_i^2) over the factors (seed 004, section 3.2.3: no regular
/// tiling of hyperbolic space with a bounded tile exists from dimension six on).
template <class V>
class LTilingProduct {
 public:
  using Point = std::vector<LTilingPoint<V>>;
  using Tangent = std::vector<std::array<V, 2>>;

  /// Throws DomainError for count = 0.
  explicit LTilingProduct(std::size_t count, const V& radius = V(1))
      : factor_(radius), count_(count) {
    if (count == 0) throw DomainError("a product of 0 L-tilings");
  }

  std::size_t count() const { return count_; }
  const LTiling<V>& factor() const { return factor_; }
  Point origin() const { return Point(count_); }

  /// Error: that of the factors' distances, and k + 2 roundings. Throws ShapeError for points of
  /// other than count() factors, as all functions do.
  V dist(const Point& x, const Point& y) const {
    check(x.size(), y.size());
    using namespace tiling_detail;
    V square(0);
    for (std::size_t i = 0; i < count_; ++i) {
      const V d = factor_.dist(x[i], y[i]);
      square = square + d * d;
    }
    return sqrt(square);
  }

  /// The Euclidean gradient of dist(x, y) by the u of x: d_i / d times that of each factor.
  Tangent dist_gradient(const Point& x, const Point& y) const {
    const V all = dist(x, y);
    Tangent g(count_, {V(0), V(0)});
    if (!(all > V(0))) return g;
    for (std::size_t i = 0; i < count_; ++i) {
      const V share = factor_.dist(x[i], y[i]) / all;
      const auto own = factor_.dist_gradient(x[i], y[i]);
      g[i] = {share * own[0], share * own[1]};
    }
    return g;
  }

  /// Algorithm 3 in every factor.
  Point rsgd_step(const Point& x, const Tangent& g, const V& rate) const {
    check(x.size(), g.size());
    Point y;
    y.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) y.push_back(factor_.rsgd_step(x[i], g[i], rate));
    return y;
  }

 private:
  void check(std::size_t a, std::size_t b) const {
    if (a != count_ || b != count_)
      throw ShapeError("a product of " + std::to_string(count_) + " L-tilings, operands of " +
                       std::to_string(a) + " and " + std::to_string(b));
  }

  LTiling<V> factor_;
  std::size_t count_;
};

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
