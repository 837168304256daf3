// Weighted midpoints in closed form. In hyperbolic models and on the sphere, the points are vectors
// of the space around the manifold. The midpoint is the weighted sum of these vectors, brought back
// to the manifold. Midpoints do not depend on the order of the points, lie in the convex hull, and
// do not fail near antipodes. A Möbius weighted sum has none of these properties. All hyperbolic
// models give the same point, known as the Lorentz centroid, the Einstein midpoint (Klein) and the
// gyromidpoint (Poincaré ball).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/convert.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/product.hpp"
#include "mctensor/geometry/models/sphere.hpp"
#include "mctensor/geometry/models/stereographic.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// The sum of weights[k] values(k). It is computed with twice the limbs and rounded once at the
/// end.
template <class W, class F>
inline W weighted_sum(const std::vector<W>& weights, const F& values) {
  long_t<W> sum(number<limb_t<W>>(0));
  for (std::size_t k = 0; k < weights.size(); ++k)
    sum = long_sum(sum, long_product(weights[k], values(k)));
  return shortened<W>(sum);
}

/// The Lorentz length of the weighted sum. half_sinh(i, j) is sinh(d_ij / 2), where d_ij is the
/// distance of points i and j divided by K:
///   time^2 - |space|^2 = K^2 ((sum w_i)^2 + 4 sum_{i < j} w_i w_j sinh^2(d_ij / 2)).
/// No term is negative, however far out the points are.
template <class W, class F>
inline W mass_of_pairs(const W& radius, const std::vector<W>& weights, const F& half_sinh) {
  const int count = int(weights.size());
  W total = number<W>(0);
  if constexpr (is_traced_v<W>) {
    // No roots of weights are taken, because they have no derivatives at 0. The sinhs are scaled by
    // a power of two, so that their squares stay in range.
    std::vector<W> sinhs;
    double largest = 1;
    for (int i = 0; i < count; ++i) {
      total = total + weights[std::size_t(i)];
      for (int j = 0; j < i; ++j) {
        sinhs.push_back(half_sinh(std::size_t(i), std::size_t(j)));
        largest = std::max(largest, double(lead(sinhs.back())));
      }
    }
    const limb_t<W> part(std::ldexp(1.0, -std::ilogb(largest)));
    const W half = scaled(total, limb_t<W>(part * limb_t<W>(0.5)));
    W sum = half * half;
    auto next = sinhs.begin();
    for (int i = 0; i < count; ++i)
      for (int j = 0; j < i; ++j, ++next) {
        const W moment = scaled(*next, part);
        sum = sum + weights[std::size_t(i)] * weights[std::size_t(j)] * (moment * moment);
      }
    return radius * scaled(root(sum), limb_t<W>(limb_t<W>(2.0) / part));
  }
  Point<W> rows(count);
  for (int i = 0; i < count; ++i) {
    total = total + weights[std::size_t(i)];
    const auto row = generate<Point<W>>(i, [&](int j) {
      return W(root(weights[std::size_t(j)]) * half_sinh(std::size_t(i), std::size_t(j)));
    });
    rows[i] = norm_of(row) * root(weights[std::size_t(i)]);
  }
  return radius * hypotenuse(total, doubled(norm_of(rows)));
}

/// sqrt(time^2 - |space|^2) of the weighted sum (time, space) of points of the hyperboloid. Times
/// are rounded, so the difference loses digits if it is much smaller than time^2. If it is below
/// time^2 / 8, pairs are summed instead.
template <class W, class F, int n>
inline W mass_of(const W& radius, const std::vector<W>& weights, const W& time,
                 const Point<W, n>& space, const F& half_sinh) {
  const W one = number<W>(1);
  const W slope = norm_of(space) / time;
  const W part = (one - slope) * (one + slope);
  if (lead(part) > 0.125) return time * root(part);
  return mass_of_pairs(radius, weights, half_sinh);
}

/// K sum w_i X_i / |sum w_i X_i|_L on the hyperboloid, from any model.
template <class F, class W, int n>
requires requires(const F& f, const Point<W, n>& x) { to_space(f, x); }
inline Point<W, n> midpoint_of(const F& f, const std::vector<Point<W, n>>& points,
                               const std::vector<W>& weights) {
  using Space = decltype(to_space(f, points[0]));
  std::vector<Space> spaces;
  std::vector<W> times;
  for (const auto& x : points) {
    spaces.push_back(to_space(f, x));
    times.push_back(hypotenuse(f.radius, norm_of(spaces.back())));
  }
  const W time = weighted_sum(weights, [&](std::size_t k) { return times[k]; });
  const Space space = generate<Space>(spaces[0].size(), [&](int i) {
    return weighted_sum(weights, [&](std::size_t k) { return spaces[k][i]; });
  });
  const W mass = mass_of(f.radius, weights, time, space, [&](std::size_t i, std::size_t j) {
    return f.half_sinh(points[i], points[j]);
  });
  // Divided, not multiplied by the inverse: the mass may be so large that the lower limbs of its
  // inverse underflow.
  return from_space(f, Space((space / mass) * f.radius));
}
/// On the sphere the midpoint is the sum, projected to the sphere; in Euclidean space it is the sum
/// divided by the sum of the weights.
template <class W, int n>
inline Point<W, n> sum_of(const std::vector<Point<W, n>>& points, const std::vector<W>& weights) {
  return generate<Point<W, n>>(points[0].size(), [&](int i) {
    return weighted_sum(weights, [&](std::size_t k) { return points[k][i]; });
  });
}
template <class W, int n>
inline Point<W, n> midpoint_of(const SphereFormulas<W>& f, const std::vector<Point<W, n>>& points,
                               const std::vector<W>& weights) {
  return radial_projection(f, sum_of(points, weights));
}
template <class W, int n>
inline Point<W, n> midpoint_of(const EuclideanFormulas<W>&, const std::vector<Point<W, n>>& points,
                               const std::vector<W>& weights) {
  const W total = weighted_sum(weights, [](std::size_t) { return number<W>(1); });
  return sum_of(points, weights) / total;
}
/// The midpoint on the surface whose stereographic projection is the model. On that surface the
/// point x of the model is (time, X) = (lambda_x - 1, lambda_x x), and time^2 + kappa |X|^2 = 1.
/// The weighted sum (time, X) of such vectors has the length root(time^2 + kappa |X|^2). The
/// midpoint in the model is X / (length + time). The result is smooth in kappa; in flat space it is
/// the mean. Source: Bachmann et al. 2020.
template <class W, int n>
inline Point<W, n> midpoint_of(const StereographicFormulas<W>& f,
                               const std::vector<Point<W, n>>& points,
                               const std::vector<W>& weights) {
  const W one = number<W>(1);
  std::vector<W> lambdas;
  for (const auto& x : points) lambdas.push_back(f.lambda_x(x));
  const W time = weighted_sum(weights, [&](std::size_t k) { return W(lambdas[k] - one); });
  const auto space = generate<Point<W, n>>(points[0].size(), [&](int i) {
    return weighted_sum(weights, [&](std::size_t k) { return W(points[k][i] * lambdas[k]); });
  });
  if (lead(f.curvature) < 0) {
    const W mass =
        mass_of(one, weights, time, space * root(W(-f.curvature)),
                [&](std::size_t i, std::size_t j) { return f.half_sinh(points[i], points[j]); });
    return f.kept(space / W(mass + time));
  }
  const W square = f.curved(squared_norm(space));
  const W mass = root(W(time * time + square));
  // Beyond the equator, mass + time would cancel.
  if (lead(time) < 0) return space * W((mass - time) / square);
  return space / W(mass + time);
}
/// The midpoint in a product consists of the midpoints in its parts, whatever the product's
/// weights.
template <class W, class... Parts, int n>
inline Point<W, n> midpoint_of(const ProductFormulas<W, Parts...>& f,
                               const std::vector<Point<W, n>>& points,
                               const std::vector<W>& weights) {
  return f.template from_parts<Point<W, n>>([&](const auto& part, auto i) {
    std::vector<Point<W>> own;
    for (const auto& x : points) own.push_back(f.template part_of<i.value>(x));
    return midpoint_of(part, own, weights);
  });
}

/// Throws DomainError if a weight is negative or infinite, or if all weights are 0. A NaN is
/// allowed: it makes the result NaN.
template <class V>
inline void require_weights(const std::vector<V>& weights, const char* name) {
  double largest = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double w(lead(to_work(weights[i])));
    if (w < 0 || w > std::numeric_limits<double>::max())
      throw DomainError(std::string(name) + ": weight " + std::to_string(i) + " is " +
                        number_text(w) + ", expected a finite number of at least 0");
    largest = std::max(largest, w != w ? 1 : w);
  }
  if (largest == 0)
    throw DomainError(std::string(name) + ": all weights are 0; at least one must be above 0");
}

template <class P, class V>
inline void check_weights(const std::vector<P>& points, const std::vector<V>& weights,
                          const char* name, int least = 1) {
  if (points.empty()) throw ShapeError(std::string(name) + ": the list of points is empty");
  if (points.size() != weights.size())
    throw ShapeError(std::string(name) + ": " + std::to_string(points.size()) + " points and " +
                     std::to_string(weights.size()) +
                     " weights; there must be one weight for each point");
  require_coordinates(points[0], least);
  for (const P& x : points) require_same_size(points[0], x);
  require_weights(weights, name);
}

/// The exponent of x, made even, if x is so large or so small that sums, squares or square roots
/// overflow or lose limbs. Else 0.
inline int far_exponent(double x) {
  if (!(x > 0 && x <= std::numeric_limits<double>::max())) return 0;
  const int exponent = std::ilogb(x);
  return std::abs(exponent) > 150 ? exponent / 2 * 2 : 0;
}

/// Weights in the work type, divided by 2^exponent. A common factor of all weights does not change
/// a mean.
template <class W>
struct WorkWeights {
  std::vector<W> values;
  int exponent = 0;

  /// Turns the derivative by a scaled weight into the derivative by the weight itself.
  W derivative(const W& by_value) const {
    using std::ldexp;
    return exponent == 0 ? by_value : W(ldexp(by_value, -exponent));
  }
};
template <class V>
inline WorkWeights<work_t<V>> work_weights(const std::vector<V>& weights) {
  using std::ldexp;
  using W = work_t<V>;
  WorkWeights<W> r;
  r.values.reserve(weights.size());
  double largest = 0;
  for (const V& w : weights) {
    r.values.push_back(to_work(w));
    largest = std::max(largest, double(lead(r.values.back())));
  }
  r.exponent = far_exponent(largest);
  if (r.exponent != 0)
    for (W& w : r.values) w = ldexp(w, -r.exponent);
  return r;
}

template <class V, int n>
inline std::vector<Point<work_t<V>, n>> to_work(const std::vector<Point<V, n>>& points) {
  std::vector<Point<work_t<V>, n>> r;
  r.reserve(points.size());
  for (const auto& x : points) r.push_back(to_work(x));
  return r;
}

}  // namespace detail

/// The midpoint of points with weights, in every model, sphere and product. No weight may be
/// negative. Error for m points: (m + 4 manifold_bound) u^N times the length of the result. On the
/// sphere the error is divided by the ratio of the sum's length to the terms' lengths. The running
/// time is proportional to m; for a cluster far from the origin it is proportional to m^2. Throws
/// ShapeError if there are no points or if sizes differ. Throws DomainError if a weight is negative
/// or infinite, or if all weights are 0. Source: Law et al. 2019 (Lorentz centroid), Ungar 2005;
/// the mass by pairs is this library's own.
template <FormulaManifold M, class V, int n>
inline Point<V, n> weighted_midpoint(const M& m, const std::vector<Point<V, n>>& points,
                                     const std::vector<V>& weights) {
  detail::check_weights(points, weights, "weighted_midpoint");
  for (const auto& x : points) m.require(x);
  const auto f = m.formulas();
  return detail::rounded_point<V>(
      f, detail::midpoint_of(f, detail::to_work(points), detail::work_weights(weights).values));
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
