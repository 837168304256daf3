// The suite's operations of a product of manifolds: the ball beside the half-space, of different
// radius and weight.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "validation/core/geometry_check.hpp"
#include "validation/core/recording_task.hpp"

namespace mct::validation {

/// dist, logmap or ptransp of points of V: the distance by its own bound, vectors by those of the
/// parts.
template <class V>
class ManifoldProductTask final : public NumberedTask {
  static constexpr int n = 3;  // coordinates of each part
  static constexpr double second_weight = 0.75;

 public:
  ManifoldProductTask(GeometryOperation operation, const std::string& type)
      : NumberedTask(type, "product_" + geometry_operation_name(operation)),
        operation_(operation),
        hash_(hash64(type + name())) {}

  OperationResult describe() const override {
    const bool is_dist = operation_ == GeometryOperation::dist;
    return geometry_result(point_type<V>, name(), type(),
                           {units(), is_dist ? "dist" : "|z| of each part"});
  }
  double weight() const override { return 0.002; }
  std::uint64_t most_cases() const override { return 3000; }

 protected:
  std::vector<Outcome> check(const Case& c) const override {
    const std::uint64_t h =
        hash_ ^ ((c.seed * 0x9E3779B97F4A7C15u + c.block) * 0xD1B54A32D192ED03u + c.number);
    const int i = int(c.number % 1000000);
    Cases<geometry::PoincareBall, V> first(1 + double(h >> 40) * 0x1p-24, unsigned(h));
    Cases<geometry::HalfSpace, V> second(2 - double(h >> 40) * 0x1p-24, unsigned(h >> 32));
    Place<V, n> a = first.points(i);
    Place<V, n> b = second.points(i + i / 7);
    a.u = first.tangent(a.x, first.uniform(0.01, 4));
    b.u = second.tangent(b.x, second.uniform(0.01, 4));
    const geometry::Product product(geometry::ProductPart{first.manifold, n},
                                    geometry::ProductPart{second.manifold, n, second_weight});
    const auto x = beside(a.x, b.x);
    const auto y = beside(a.y, b.y);
    const ManifoldOracle ball(Model::ball, Big(first.manifold.radius()));
    const ManifoldOracle half(Model::half_space, Big(second.manifold.radius()));
    const BigVector ax = big_vector(a.x);
    const BigVector bx = big_vector(b.x);
    const BigVector ay = big_vector(a.y);
    const BigVector by = big_vector(b.y);
    Outcome outcome;
    if (operation_ == GeometryOperation::dist) {
      const Big exact = norm({ball.dist(ax, ay), Big(second_weight) * half.dist(bx, by)});
      outcome.error =
          share_of_bound(point_type<V>, abs(Big(product.dist(x, y)) - exact), units(), exact);
    } else if (operation_ == GeometryOperation::logmap) {
      const BigVector z = big_vector(product.logmap(x, y));
      outcome.error = std::max(off(z, 0, ball.logmap(ax, ay)), off(z, n, half.logmap(bx, by)));
    } else {
      const BigVector z = big_vector(product.ptransp(x, y, beside(a.u, b.u)));
      outcome.error = std::max(off(z, 0, ball.ptransp(ax, ay, big_vector(a.u))),
                               off(z, n, half.ptransp(bx, by, big_vector(b.u))));
    }
    if (!(outcome.error <= 1)) outcome.problem = "bound exceeded";
    return {outcome};
  }
  std::size_t category_of(const Case&) const override { return 0; }
  int width_of_bins() const override { return bin_width<Limb<V>>; }

 private:
  static geometry::Point<V> beside(const geometry::Point<V, n>& a, const geometry::Point<V, n>& b) {
    geometry::Point<V> r(2 * n);
    for (int i = 0; i < n; ++i) {
      r[i] = a[i];
      r[n + i] = b[i];
    }
    return r;
  }
  static double units() { return geometry::manifold_bound<V>(n) + 4; }
  /// A part of a result from its first coordinate on.
  static double off(const BigVector& z, int first, const BigVector& exact) {
    const BigVector part(z.begin() + first, z.begin() + first + n);
    return share_of_bound(point_type<V>, norm(part - exact), units(), norm(exact));
  }
  GeometryOperation operation_;
  std::uint64_t hash_;  // every operation has its own cases
};

}  // namespace mct::validation
