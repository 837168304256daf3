// Products of L-tilings, for more than two dimensions.
//
// Error: the errors of each factor and of the sum of squares. Domain: points with the same number
// of factors; other points throw ShapeError. Source: Yu 2024, section 3.2, factor by factor.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mctensor/geometry/tiling/ltiling.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {

/// The product of k L-tilings, a space of dimension 2 k. Each factor keeps the accuracy of LTiling.
/// The distance is sqrt(sum d_i^2) over the factors. A product is needed in high dimensions: from
/// dimension six on there is no regular tiling of hyperbolic space with a bounded tile (Yu 2024,
/// section 3.2.3).
template <class V>
class LTilingProduct : public TransportedMoves<LTilingProduct<V>> {
 public:
  using Point = std::vector<LTilingPoint<V>>;
  using Tangent = std::vector<std::array<V, 2>>;

  /// Throws DomainError for count = 0.
  explicit LTilingProduct(std::size_t count, const V& radius = V(1))
      : factor_(radius), count_(count) {
    if (count == 0)
      throw DomainError("LTilingProduct: the number of factors is 0, expected at least 1");
  }

  std::size_t count() const { return count_; }
  const LTiling<V>& factor() const { return factor_; }
  const V& radius() const { return factor_.radius(); }
  Point origin() const { return Point(count_); }

  /// The distance. Error: the error of the factors' distances, and k + 2 roundings. Throws
  /// ShapeError unless points have count() factors, as all functions of this class do.
  V dist(const Point& x, const Point& y) const {
    check(x.size(), y.size());
    return root_of_squares([&](std::size_t i) { return factor_.dist(x[i], y[i]); });
  }

  /// The Euclidean gradient of dist(x, y) by the u of x: d_i / d times the gradient of each factor.
  Tangent dist_gradient(const Point& x, const Point& y) const {
    const V all = dist(x, y);
    Tangent g(count_, {V(0), V(0)});
    if (all <= V(0)) return g;
    for (std::size_t i = 0; i < count_; ++i) {
      const V share = factor_.dist(x[i], y[i]) / all;
      const auto own = factor_.dist_gradient(x[i], y[i]);
      g[i] = {share * own[0], share * own[1]};
    }
    return g;
  }

  /// The Riemannian gradient in every factor.
  Tangent egrad2rgrad(const Point& x, const Tangent& g) const {
    check(x.size(), g.size());
    return each([&](std::size_t i) { return factor_.egrad2rgrad(x[i], g[i]); });
  }
  /// sqrt(sum |v_i|^2).
  V norm(const Point& x, const Tangent& v) const {
    check(x.size(), v.size());
    return root_of_squares([&](std::size_t i) { return factor_.norm(x[i], v[i]); });
  }
  /// The exponential map: every factor follows its own geodesic. This function and the next ones
  /// have the errors of the factors.
  Point expmap(const Point& x, const Tangent& v) const {
    check(x.size(), v.size());
    return each([&](std::size_t i) { return factor_.expmap(x[i], v[i]); });
  }
  Tangent logmap(const Point& x, const Point& y) const {
    check(x.size(), y.size());
    return each([&](std::size_t i) { return factor_.logmap(x[i], y[i]); });
  }
  Tangent ptransp(const Point& x, const Point& y, const Tangent& v) const {
    check(x.size(), y.size());
    check(x.size(), v.size());
    return each([&](std::size_t i) { return factor_.ptransp(x[i], y[i], v[i]); });
  }

  /// Algorithm 3 in every factor.
  Point rsgd_step(const Point& x, const Tangent& g, const V& rate) const {
    check(x.size(), g.size());
    return each([&](std::size_t i) { return factor_.rsgd_step(x[i], g[i], rate); });
  }

 private:
  /// The results of f for every factor: points or tangent vectors.
  template <class F>
  auto each(const F& f) const {
    std::vector<decltype(f(std::size_t(0)))> r;
    r.reserve(count_);
    for (std::size_t i = 0; i < count_; ++i) r.push_back(f(i));
    return r;
  }
  /// sqrt(sum f(i)^2), in the order of the factors.
  template <class F>
  V root_of_squares(const F& f) const {
    using namespace tiling_detail;
    V square(0);
    for (std::size_t i = 0; i < count_; ++i) {
      const V length = f(i);
      square = square + length * length;
    }
    return sqrt(square);
  }
  void check(std::size_t a, std::size_t b) const {
    if (a != count_ || b != count_)
      throw ShapeError("LTilingProduct: operands of " + std::to_string(a) + " and " +
                       std::to_string(b) + " factors, expected " + std::to_string(count_));
  }

  LTiling<V> factor_;
  std::size_t count_;
};

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
