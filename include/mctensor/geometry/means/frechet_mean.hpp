// The Fréchet mean and its derivative.
//
// Domain: any points of the manifold; on the sphere, points of an open hemisphere. Source: Newton's
// method on the manifold; for the derivatives Lou et al. 2020 (docs/geometry.md, note 2).
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "mctensor/geometry/means/weighted_midpoint.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace detail {

/// Two derivatives across the direction of a point at distance r, for negative, zero and positive
/// curvature. The second derivative of r^2 / 2 is r coth r, 1 or r cot r. The derivative of the
/// logarithm is r / sinh r, 1 or r / sin r.
template <class W>
struct Across {
  W bend, spread;
};

template <int sign, class W>
inline Across<W> across_of(const W& r) {
  const W one = number<W>(1);
  if constexpr (sign == 0) {
    return {one, one};
  } else if constexpr (sign < 0) {
    const W spread = rsinhc_of(r);
    return {W(r == number<W>(0) ? one : W(r / tanh_of(r))), spread};
  } else {
    using std::cos;
    using std::sin;
    if (r == number<W>(0)) return {one, one};
    const W spread = r / sin(r);
    return {spread * cos(r), spread};
  }
}

/// The points as seen from m: their logarithms, their distances over K, and the operator H, which
/// is the second derivative of sum w_i dist^2 / 2 at m.
template <class Manifold, int n>
class MeanView {
 public:
  using W = typename Manifold::Value;
  static constexpr int sign = Manifold::curvature_sign;

  MeanView(const Manifold& manifold, const std::vector<Point<W, n>>& points,
           const std::vector<W>& weights, const Point<W, n>& m)
      : manifold_(manifold), weights_(weights), m_(m), gradient_(m - m) {
    total_ = objective_ = blur_ = number<W>(0);
    for (std::size_t i = 0; i < points.size(); ++i) {
      logs_.push_back(manifold.logmap(m, points[i]));
      lengths_.push_back(manifold.norm(m, logs_[i]));
      across_.push_back(across_of<sign, W>(lengths_[i] / manifold.radius()));
      gradient_ = gradient_ + logs_[i] * weights[i];
      // r cot r is at most 1 and may be negative
      total_ = total_ + weights[i] * (sign > 0 ? number<W>(1) : across_[i].bend);
      const W moment = weights[i] * lengths_[i];
      objective_ = objective_ + moment * lengths_[i];
      blur_ = blur_ + moment * W(lengths_[i] + manifold.radius());
    }
  }

  const Point<W, n>& gradient() const { return gradient_; }  // -1/2 gradient of objective
  W gradient_norm() const { return manifold_.norm(m_, gradient_); }
  const W& steepest() const { return total_; }       // at least the largest eigenvalue of H
  const W& objective() const { return objective_; }  // sum w_i dist^2
  const W& blur() const { return blur_; }            // the error of objective is a few u^N blur
  const std::vector<Point<W, n>>& logs() const { return logs_; }

  /// Multiplies the part of z along the direction of point i by `along`, the rest by `across`.
  Point<W, n> split(std::size_t i, const Point<W, n>& z, const W& along, const W& across) const {
    if (lengths_[i] == number<W>(0)) return z * along;
    const Point<W, n> r = logs_[i] / lengths_[i];
    return z * across + r * W((along - across) * manifold_.inner(m_, r, z));
  }
  const Across<W>& across(std::size_t i) const { return across_[i]; }

  Point<W, n> apply(const Point<W, n>& z) const {
    Point<W, n> r = z - z;
    for (std::size_t i = 0; i < logs_.size(); ++i)
      r = r + split(i, z, number<W>(1), across_[i].bend) * weights_[i];
    return r;
  }

  /// H^-1 g. If squares of g leave the range, the equation is solved for a multiple of g.
  Point<W, n> solve(const Point<W, n>& g) const {
    const int exponent = far_exponent(double(lead(manifold_.norm(m_, g))));
    if (exponent == 0) return conjugate_gradients(g);
    const auto times_power = [](const Point<W, n>& x, int power) {
      using std::ldexp;
      return generate<Point<W, n>>(x.size(), [&](int i) { return W(ldexp(x[i], power)); });
    };
    return times_power(conjugate_gradients(times_power(g, -exponent)), exponent);
  }

 private:
  /// H^-1 g by conjugate gradients. They would be exact after as many steps as there are
  /// dimensions; a few more steps make up for rounding.
  Point<W, n> conjugate_gradients(const Point<W, n>& g) const {
    Point<W, n> x = g - g;
    Point<W, n> rest = g;
    Point<W, n> p = g;
    W size = manifold_.inner(m_, rest, rest);
    const W goal = size * W(limb_t<W>(unit_roundoff<W>())) * W(limb_t<W>(unit_roundoff<W>()));
    for (int i = 0; i < 2 * g.size() + 8 && size > goal; ++i) {
      const Point<W, n> hp = apply(p);
      const W step = size / manifold_.inner(m_, p, hp);
      x = x + p * step;
      rest = rest - hp * step;
      const W next = manifold_.inner(m_, rest, rest);
      p = rest + p * W(next / size);
      size = next;
    }
    return x;
  }

  const Manifold& manifold_;
  const std::vector<W>& weights_;
  const Point<W, n>& m_;
  std::vector<Point<W, n>> logs_;
  std::vector<W> lengths_;
  std::vector<Across<W>> across_;
  Point<W, n> gradient_;
  W total_, objective_, blur_;
};

/// A manifold in the work type, with the sign of its curvature as a constant.
template <template <class> class M, class V>
struct WorkManifold : M<work_t<V>> {
  static constexpr int curvature_sign = decltype(M<V>().formulas())::curvature_sign;
  explicit WorkManifold(const M<V>& m) : M<work_t<V>>(to_work(m.radius())) {}
};
/// The stereographic model of a curvature of this sign, and its radius of curvature.
template <int sign, class V>
struct WorkStereographic : Stereographic<work_t<V>> {
  static constexpr int curvature_sign = sign;
  explicit WorkStereographic(const Stereographic<V>& m)
      : Stereographic<work_t<V>>(to_work(m.curvature())), radius_(number<work_t<V>>(1)) {
    if constexpr (sign != 0)
      radius_ = radius_ / root(sign < 0 ? work_t<V>(-this->curvature()) : this->curvature());
  }
  const work_t<V>& radius() const { return radius_; }

 private:
  work_t<V> radius_;
};

/// Calls f with the manifold as a WorkManifold.
template <template <class> class M, class V, class F>
inline auto on_work_manifold(const M<V>& m, const F& f) {
  return f(WorkManifold<M, V>(m));
}
template <class V, class F>
inline auto on_work_manifold(const Stereographic<V>& m, const F& f) {
  const auto head = lead(to_work(m.curvature()));
  if (head < 0) return f(WorkStereographic<-1, V>(m));
  if (head > 0) return f(WorkStereographic<1, V>(m));
  return f(WorkStereographic<0, V>(m));
}

/// The points in the work type. Points of a narrower type lie farther from the sphere, because
/// their coordinates are rounded more. Their logarithms would have a part that is not tangent, and
/// no mean makes this part 0. So these points are projected to the sphere.
template <class Manifold, class V, int n>
inline std::vector<Point<work_t<V>, n>> work_points(const Manifold& manifold,
                                                    const std::vector<Point<V, n>>& points) {
  std::vector<Point<work_t<V>, n>> r;
  for (const auto& x : points) {
    if constexpr (Manifold::curvature_sign > 0 && !is_work_v<V>) {
      r.push_back(manifold.projx(to_work(x)));
    } else {
      r.push_back(to_work(x));
    }
  }
  return r;
}

}  // namespace detail

namespace detail {

/// Where the search starts. On the sphere: the weighted sum, projected to the sphere; it lies on
/// the side of the points. In other models every start serves, because there is only one minimum.
template <class Manifold, class W, int n>
inline Point<W, n> first_mean(const Manifold& manifold, const std::vector<Point<W, n>>& points,
                              const std::vector<W>& weights) {
  if constexpr (Manifold::curvature_sign <= 0) {
    return points[0];
  } else {
    return midpoint_of(manifold.formulas(), points, weights);
  }
}

/// True if the step from one view to the other does not increase the objective by more than its
/// rounding error. Only the sphere needs the check: its objective is not convex everywhere, so
/// Newton's steps may lead to a maximum.
template <class View>
inline bool goes_down(const View& from, const View& to) {
  using W = typename View::W;
  if constexpr (View::sign <= 0) return true;
  const W slack = from.blur() * W(limb_t<W>(64 * unit_roundoff<W>()));
  return to.objective() <= from.objective() + slack;
}

/// Moves m by a part of a Newton step. The part reduces the objective by at least a quarter of what
/// the slope promises. Returns false if no part reduces the objective by more than rounding, and
/// always where the curvature is not negative. A whole step is often too long: far from the points
/// all of them pull in one direction, and the step ends as far on their other side.
template <class Manifold, class View, class W, int n>
inline bool goes_part_way(const Manifold& manifold, const std::vector<Point<W, n>>& points,
                          const std::vector<W>& weights, const View& view,
                          const Point<W, n>& direction, Point<W, n>& m) {
  if constexpr (View::sign >= 0) {
    return false;
  } else {
    // the slope of the objective, a sum of squares, is -2 times this
    const W slope = manifold.inner(m, view.gradient(), direction);
    const W rounding = view.blur() * W(limb_t<W>(4096 * unit_roundoff<W>()));
    W part = number<W>(0.5);
    for (W gain = slope * part; halved(gain) > rounding; gain = slope * part) {
      const Point<W, n> to = manifold.expmap(m, direction * part);
      if (View(manifold, points, weights, to).objective() < view.objective() - halved(gain)) {
        m = to;
        return true;
      }
      part = halved(part);
    }
    return false;
  }
}

/// True on the sphere if a step along a gradient of this size reduces the objective by more than
/// its rounding error; the reduction is size^2 / sum w_i. True in every model if the size is
/// infinite.
template <class View>
inline bool is_large(const View& view, const typename View::W& size) {
  using W = typename View::W;
  if (!(lead(size) < FloatTraits<limb_t<W>>::infinity)) return true;
  const W rounding = view.blur() * W(limb_t<W>(4096 * unit_roundoff<W>()));
  return View::sign > 0 && size * size > rounding * view.steepest();
}

/// A plain step counts only if the gradient after it is below this size. With negative curvature, a
/// part of Newton's step helps as long as the objective changes by more than rounding. Nearer to
/// the mean, the whole step halves the gradient. When neither helps, a plain step that reduces the
/// gradient by less than an eighth only follows rounding errors, and hundreds of such steps could
/// follow.
template <class View>
inline typename View::W least_shrinking(const typename View::W& size) {
  using W = typename View::W;
  return View::sign < 0 ? W(size * number<W>(0.875)) : size;
}

/// frechet_mean on a manifold in the work type.
template <class Work, class V, int n>
inline Point<V, n> mean_on(const Work& work, const std::vector<Point<V, n>>& points,
                           const std::vector<V>& weights) {
  using W = work_t<V>;
  using View = MeanView<Work, n>;
  const auto x = work_points(work, points);
  const auto w = work_weights(weights).values;
  Point<W, n> m = first_mean(work, x, w);
  for (int step = 0; step < 200; ++step) {
    const View view(work, x, w, m);
    const W size = view.gradient_norm();
    if (size == number<W>(0)) return rounded_point<V>(work.formulas(), m);
    if (!(size == size)) return from_work<V>(m * size);
    const Point<W, n> direction = view.solve(view.gradient());
    const Point<W, n> newton = work.expmap(m, direction);
    const View there(work, x, w, newton);
    const W after = there.gradient_norm();
    const bool down = goes_down(view, there);
    if (down && after < halved(size)) {
      m = newton;
      continue;
    }
    if (goes_part_way(work, x, w, view, direction, m)) continue;
    // near the end only rounding errors are left; far from the end a step along the gradient helps
    const Point<W, n> plain = work.expmap(m, view.gradient() / view.steepest());
    const View behind(work, x, w, plain);
    const bool large = is_large(view, size);
    if ((behind.gradient_norm() < least_shrinking<View>(size) && goes_down(view, behind)) ||
        (View::sign > 0 && large && behind.objective() < view.objective())) {
      m = plain;
      continue;
    }
    if (down && after < size) return rounded_point<V>(work.formulas(), newton);
    if (large) break;
    return rounded_point<V>(work.formulas(), m);
  }
  throw DomainError("frechet_mean: the iteration for " + std::to_string(points.size()) +
                    " points did not converge");
}

}  // namespace detail

/// The point with the least sum of w_i dist(., x_i)^2, for weights that are not negative. The
/// method is Newton's method on the manifold, with conjugate gradients. Where a whole step does not
/// help, it takes a part of the step or a plain gradient step. The search ends when the gradient no
/// longer shrinks. The mean is unique in the hyperbolic models and in Euclidean space; on the
/// sphere it is unique for points within an open hemisphere. Error: the length of the gradient sum
/// w_i log_m(x_i) at the result is at most B = 10 manifold_bound (1 + the largest distance / K) sum
/// w_i dist(., x_i). Hence the error of the mean is at most B / sum w_i, plus the rounding of its
/// coordinates (in the half-space u^N |m| / m_n). A NaN among the points or weights gives NaN.
/// Throws ShapeError if there are no points or if sizes differ. Throws DomainError if a weight is
/// negative or infinite, if all weights are 0, if 200 steps do not converge, or if no step helps
/// far from a minimum.
template <template <class> class M, class V, int n>
inline Point<V, n> frechet_mean(const M<V>& manifold, const std::vector<Point<V, n>>& points,
                                const std::vector<V>& weights) {
  detail::check_weights(points, weights, "frechet_mean");
  return detail::on_work_manifold(
      manifold, [&](const auto& work) { return detail::mean_on(work, points, weights); });
}

/// The mean in a product consists of the means in its parts, whatever the weights.
template <class... Ms, class V>
inline Point<V> frechet_mean(const Product<Ms...>& product, const std::vector<Point<V>>& points,
                             const std::vector<V>& weights) {
  detail::check_weights(points, weights, "frechet_mean");
  std::array<std::vector<Point<V>>, sizeof...(Ms)> parts;
  for (const auto& x : points) {
    const auto split = product.split(x);
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i].push_back(split[i]);
  }
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return product.join({frechet_mean(product.template part<i>(), parts[i], weights)...});
  }
  (std::index_sequence_for<Ms...>());
}

/// The gradients of a function of the mean: Riemannian gradients by the points, and derivatives by
/// the weights.
template <class V, int n>
struct FrechetGradients {
  std::vector<Point<V, n>> points;
  std::vector<V> weights;
};

/// The gradients of a function of the mean m, as frechet_mean returns it, from the function's
/// Riemannian gradient g at m. The equation sum w_i log_m(x_i) = 0 is differentiated. With z = H^-1
/// g, the derivative by w_i is <log_m(x_i), z>. The gradient for x_i is w_i times z, transported to
/// x_i. Before that, the part of z across the geodesic is multiplied by r / sinh r (1 in Euclidean
/// space, r / sin r on the sphere). Source: Lou et al.: Differentiating through the Fréchet mean,
/// ICML 2020; they take the derivatives in coordinates. Error: about the condition number of H
/// times u^N.
template <template <class> class M, class V, int n>
inline FrechetGradients<V, n> frechet_mean_gradients(const M<V>& manifold,
                                                     const std::vector<Point<V, n>>& points,
                                                     const std::vector<V>& weights,
                                                     const Point<V, n>& mean,
                                                     const Point<V, n>& g) {
  detail::check_weights(points, weights, "frechet_mean_gradients");
  const auto w = detail::work_weights(weights);
  const auto m = detail::to_work(mean);
  return detail::on_work_manifold(manifold, [&](const auto& work) {
    using Work = std::remove_cvref_t<decltype(work)>;
    const auto x = detail::work_points(work, points);
    const detail::MeanView<Work, n> view(work, x, w.values, m);
    const auto z = view.solve(detail::to_work(g));
    FrechetGradients<V, n> r;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const auto seen = view.split(i, z, detail::number<work_t<V>>(1), view.across(i).spread);
      r.points.push_back(detail::from_work<V>(work.ptransp(m, x[i], seen * w.values[i])));
      r.weights.push_back(detail::from_work<V>(w.derivative(work.inner(m, view.logs()[i], z))));
    }
    return r;
  });
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
