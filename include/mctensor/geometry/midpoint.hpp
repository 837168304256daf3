// Weighted midpoints in closed form. Unlike a Möbius weighted sum they do not depend on the order
// of the points; with equal weights, positive ones in general, they lie in the convex hull and have
// no antipode to break down at.
#pragma once

#include <string>
#include <vector>

#include "mctensor/geometry/klein.hpp"
#include "mctensor/geometry/lorentz.hpp"
#include "mctensor/geometry/poincare_ball.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// sum w_i (T_i, X_i) on the hyperboloid, with twice the limbs: T^2 - |X|^2 cancels.
template <class W, int n>
struct TimelikeSum {
  W time;
  Point<W, n> space;
  W mass;  // sqrt(time^2 - |space|^2)
};

template <class W, int n>
MCT_HD inline TimelikeSum<W, n> timelike_sum(const std::vector<Point<W, n>>& spaces,
                                             const std::vector<W>& times,
                                             const std::vector<W>& weights) {
  using Long = long_t<W>;
  const int size = spaces[0].size();
  Long time(number<limb_t<W>>(0));
  Point<Long, n> space = generate<Point<Long, n>>(size, [](int) { return Long(); });
  for (std::size_t k = 0; k < spaces.size(); ++k) {
    time = long_sum(time, long_product(weights[k], times[k]));
    for (int i = 0; i < size; ++i)
      space[i] = long_sum(space[i], long_product(weights[k], spaces[k][i]));
  }
  Long mass2 = eft::mul_limbs(time, time);
  for (int i = 0; i < size; ++i) mass2 = long_sum(mass2, -eft::mul_limbs(space[i], space[i]));
  return {shortened<W>(time),
          generate<Point<W, n>>(size, [&](int i) { return shortened<W>(space[i]); }),
          root(shortened<W>(mass2))};
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
}

template <class V>
inline std::vector<work_t<V>> work_weights(const std::vector<V>& weights) {
  std::vector<work_t<V>> r;
  for (const V& w : weights) r.push_back(to_work(w));
  return r;
}

}  // namespace detail

/// The Lorentz centroid K sum w_i x_i / |sum w_i x_i|_L. The three midpoints are one point in three
/// models. Error: m u^N + 4 manifold_bound of the length of the result, for m points and positive
/// weights. Throws ShapeError without points, or if sizes differ.
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
  const auto sum = detail::timelike_sum(spaces, times, detail::work_weights(weights));
  return detail::from_work<V>(f.lifted(sum.space * W(f.radius / sum.mass)));
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
  return detail::from_work<V>(sum / divisor);
}

/// The gyromidpoint of the ball, 1/2 (x) (sum w_i l_i x_i / sum w_i (l_i - 1)) with the conformal
/// factors l_i = 2 K^2 / G_i; computed as K X / (T + sqrt(T^2 - |X|^2)) from the weighted sums of
/// hyperboloid coordinates. See lorentz_centroid.
template <class V, int n>
inline Point<V, n> gyromidpoint(const PoincareBall<V>& ball, const std::vector<Point<V, n>>& points,
                                const std::vector<V>& weights) {
  detail::check_weights(points, weights, "gyromidpoint");
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius);
  const W k2 = k * k;
  std::vector<Point<W, n>> spaces;
  std::vector<W> times;
  for (const auto& point : points) {
    const auto x = detail::to_work(point);
    const W gap = detail::gap_of(k, x);
    spaces.push_back(x * detail::doubled(W(k2 / gap)));
    times.push_back(k * ((detail::doubled(k2) - gap) / gap));
  }
  const auto sum = detail::timelike_sum(spaces, times, detail::work_weights(weights));
  return detail::from_work<V>(sum.space * W(k / (sum.time + sum.mass)));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
