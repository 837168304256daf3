// Weighted midpoints in closed form. Unlike a Möbius weighted sum they do not depend on the order
// of the points; with equal weights, positive ones in general, they lie in the convex hull and have
// no antipode to break down at.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "mctensor/geometry/klein.hpp"
#include "mctensor/geometry/lorentz.hpp"
#include "mctensor/geometry/poincare_ball.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// sum w_i (T_i, X_i) on the hyperboloid and its Lorentz length.
template <class W, int n>
struct TimelikeSum {
  W time;
  Point<W, n> space;
  W mass;  // sqrt(time^2 - |space|^2)
};

/// The Lorentz length from half_sinh(i, j), sinh of half the distance of two points over K:
///   time^2 - |space|^2 = K^2 ((sum w_i)^2 + 4 sum_{i < j} w_i w_j sinh^2(d_ij / 2)),
/// a sum of positive terms however far out the points are.
template <class W, class F>
inline W mass_of_pairs(const W& radius, const std::vector<W>& weights, const F& half_sinh) {
  const int count = int(weights.size());
  W total = number<W>(0);
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

/// The sums with twice the limbs. The difference time^2 - |space|^2 has lost as many digits as it
/// is smaller than time^2, because times are rounded: beyond a factor of 8 pairs are summed.
template <class W, int n, class F>
inline TimelikeSum<W, n> timelike_sum(const W& radius, const std::vector<Point<W, n>>& spaces,
                                      const std::vector<W>& times, const std::vector<W>& weights,
                                      const F& half_sinh) {
  using Long = long_t<W>;
  const int size = spaces[0].size();
  Long time(number<limb_t<W>>(0));
  Point<Long, n> space = generate<Point<Long, n>>(size, [](int) { return Long(); });
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    time = long_sum(time, long_product(weights[k], times[k]));
    for (int i = 0; i < size; ++i)
      space[i] = long_sum(space[i], long_product(weights[k], spaces[k][i]));
  }
  TimelikeSum<W, n> r{shortened<W>(time),
                      generate<Point<W, n>>(size, [&](int i) { return shortened<W>(space[i]); }),
                      number<W>(0)};
  if constexpr (is_component_v<limb_t<W>>) {
    const W length = norm_of(r.space);
    const W mass2 = (number<W>(1) - length / r.time) * (number<W>(1) + length / r.time);
    if (lead(mass2) > 0.125) {
      r.mass = r.time * root(mass2);
      return r;
    }
  }
  r.mass = mass_of_pairs(radius, weights, half_sinh);
  return r;
}

template <class P, class V>
inline void check_weights(const std::vector<P>& points, const std::vector<V>& weights,
                          const char* name, int least = 1) {
  if (points.empty()) throw ShapeError(std::string(name) + ": no points");
  if (points.size() != weights.size())
    throw ShapeError(std::string(name) + ": " + std::to_string(points.size()) + " points and " +
                     std::to_string(weights.size()) + " weights");
  require_coordinates(points[0], least);
  for (const P& x : points) require_same_size(points[0], x);
  // one that is NaN passes, and makes the result NaN
  double total = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double w(lead(to_work(weights[i])));
    if (w < 0 || w > std::numeric_limits<double>::max())
      throw DomainError(std::string(name) + ": weight " + std::to_string(i) + " is " +
                        std::to_string(w));
    total = std::max(total, w != w ? 1 : w);
  }
  if (total == 0) throw DomainError(std::string(name) + ": all weights are 0");
}

template <class V>
inline std::vector<work_t<V>> work_weights(const std::vector<V>& weights) {
  std::vector<work_t<V>> r;
  r.reserve(weights.size());
  for (const V& w : weights) r.push_back(to_work(w));
  return r;
}

}  // namespace detail

/// The Lorentz centroid K sum w_i x_i / |sum w_i x_i|_L. The three midpoints are one point in three
/// models. Error: m u^N + 4 manifold_bound of the length of the result, for m points and weights
/// that are not negative. Time proportional to m, for a cluster far from the origin to m^2. Throws
/// ShapeError without points, or if sizes differ, DomainError for a weight that is negative or
/// infinite and if all are 0.
template <class V, int n>
inline Point<V, n> lorentz_centroid(const Lorentz<V>& model, const std::vector<Point<V, n>>& points,
                                    const std::vector<V>& weights) {
  detail::check_weights(points, weights, "lorentz_centroid", 2);
  using W = work_t<V>;
  const auto f = model.formulas();
  std::vector<Point<W, detail::dimension_plus<n, -1>>> spaces;
  std::vector<W> times;
  for (const auto& x : points) {
    spaces.push_back(detail::space_of(detail::to_work(x)));
    times.push_back(f.time_of(spaces.back()));
  }
  const auto sum = detail::timelike_sum(
      f.radius, spaces, times, detail::work_weights(weights),
      [&](std::size_t i, std::size_t j) { return f.half_sinh_of_space(spaces[i], spaces[j]); });
  // the mass may be so large that the lower limbs of its inverse underflow
  return detail::from_work<V>(f.lifted((sum.space / sum.mass) * f.radius));
}

/// The Einstein midpoint sum w_i g_i x_i / sum w_i g_i in the Klein model, g_i = K / sqrt(G_i).
/// See lorentz_centroid.
template <class V, int n>
inline Point<V, n> einstein_midpoint(const Klein<V>& model, const std::vector<Point<V, n>>& points,
                                     const std::vector<V>& weights) {
  detail::check_weights(points, weights, "einstein_midpoint");
  using W = work_t<V>;
  const auto f = model.formulas();
  W divisor = detail::number<W>(0);
  auto sum = f.origin_like(detail::to_work(points[0]));
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto x = detail::to_work(points[k]);
    const W weight = detail::to_work(weights[k]) * (f.radius / detail::root(f.gap(x)));
    sum = sum + x * weight;
    divisor = divisor + weight;
  }
  return detail::rounded_point<V>(f, detail::kept_inside(f.radius, sum / divisor));
}

/// The gyromidpoint of the ball, 1/2 (x) (sum w_i l_i x_i / sum w_i (l_i - 1)) with the conformal
/// factors l_i = 2 K^2 / G_i; computed as K X / (T + sqrt(T^2 - |X|^2)) from the weighted sums of
/// hyperboloid coordinates. See lorentz_centroid.
template <class V, int n>
inline Point<V, n> gyromidpoint(const PoincareBall<V>& ball, const std::vector<Point<V, n>>& points,
                                const std::vector<V>& weights) {
  detail::check_weights(points, weights, "gyromidpoint");
  using W = work_t<V>;
  const auto f = ball.formulas();
  const W k = f.radius;
  const W k2 = k * k;
  std::vector<Point<W, n>> xs, spaces;
  std::vector<W> times;
  for (const auto& point : points) {
    const auto x = detail::to_work(point);
    xs.push_back(x);
    const W gap = f.gap(x);
    spaces.push_back(x * detail::doubled(W(k2 / gap)));
    times.push_back(k * ((detail::doubled(k2) - gap) / gap));
  }
  const auto sum =
      detail::timelike_sum(k, spaces, times, detail::work_weights(weights),
                           [&](std::size_t i, std::size_t j) { return f.half_sinh(xs[i], xs[j]); });
  return detail::rounded_point<V>(f,
                                  detail::kept_inside(k, sum.space * W(k / (sum.time + sum.mass))));
}

/// The midpoint of a model by one name.
template <class V, int n>
inline Point<V, n> midpoint(const Lorentz<V>& model, const std::vector<Point<V, n>>& points,
                            const std::vector<V>& weights) {
  return lorentz_centroid(model, points, weights);
}
template <class V, int n>
inline Point<V, n> midpoint(const Klein<V>& model, const std::vector<Point<V, n>>& points,
                            const std::vector<V>& weights) {
  return einstein_midpoint(model, points, weights);
}
template <class V, int n>
inline Point<V, n> midpoint(const PoincareBall<V>& ball, const std::vector<Point<V, n>>& points,
                            const std::vector<V>& weights) {
  return gyromidpoint(ball, points, weights);
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
