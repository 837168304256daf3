// How points and tangent vectors follow a change of the radius of curvature.
//
// Error: points move by logmap0 and expmap0, which have their own bounds; no bound is stated for
// the whole. Domain: every point; radii that are positive and finite. Source: docs/riemannian.md,
// with the correction of docs/errata.md.
#pragma once

#include <array>
#include <numbers>
#include <type_traits>

#include "mctensor/base/number_text.hpp"
#include "mctensor/geometry/models/euclidean.hpp"
#include "mctensor/geometry/models/half_space.hpp"
#include "mctensor/geometry/models/product.hpp"
#include "mctensor/geometry/models/sphere.hpp"
#include "mctensor/geometry/optim/options.hpp"
#include "mctensor/geometry/traced.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE {
namespace rescaling_detail {

/// True for models whose coordinates have the radius as their unit. Coordinates of the half-space
/// and of Euclidean space have no unit.
template <class M>
inline constexpr bool has_unit = true;
template <class V>
inline constexpr bool has_unit<HalfSpace<V>> = false;
template <class V>
inline constexpr bool has_unit<Euclidean<V>> = false;

/// True for the parts of a manifold whose lengths do not change with the radius.
template <class M>
inline constexpr std::array<bool, 1> flat_parts{false};
template <class V>
inline constexpr std::array<bool, 1> flat_parts<Euclidean<V>>{true};
template <class... Ms>
inline constexpr std::array<bool, sizeof...(Ms)> flat_parts<Product<Ms...>>{flat_parts<Ms>[0]...};

/// Converts a tangent vector at the origin of `from` to a tangent vector of the same length at the
/// origin of `to`.
template <class M, class P>
P at_other_origin(const M& from, const M& to, const P& u) {
  const auto length = to.norm(to.origin(u.size()), u);
  using V = typename M::Value;
  if (length == V(scalar_t<V>(0))) return u;
  return u * V(from.norm(from.origin(u.size()), u) / length);
}

}  // namespace rescaling_detail

/// Moves the point x of `from` to `to`, the same model with another radius. Scaling has the error
/// of one product. Keeping distances has the error of logmap0 and expmap0; next to the boundary of
/// a ball this error is relative to the gap, not to the distance. Source: errata of Geometric
/// Foundations; in the ball K2 tanh((K1 / K2) artanh(|x| / K1)) x / |x|. Throws DomainError for a
/// point of a sphere that is too far from the origin for a smaller sphere.
template <class M, class P>
P rescaled_point(const M& from, const M& to, Rescaling rescaling, const P& x) {
  using V = typename M::Value;
  if constexpr (std::is_same_v<M, Sphere<V>>) {
    const double d(from.dist0(x));
    const double radius(to.radius());
    if (rescaling == Rescaling::keep_distances && d > std::numbers::pi * radius)
      throw DomainError("a sphere of radius " + number_text(radius) + " has no point at distance " +
                        number_text(d) + " from the origin");
  }
  if (rescaling == Rescaling::rescale_distances) {
    if constexpr (rescaling_detail::has_unit<M>) {
      return to.projx(x * V(to.radius() / from.radius()));
    } else {
      return x;
    }
  }
  return to.expmap0(rescaling_detail::at_other_origin(from, to, from.logmap0(x)));
}

/// Converts the tangent vector u at x to a tangent vector at y = rescaled_point(x).
template <class M, class P>
P rescaled_vector(const M& from, const M& to, Rescaling rescaling, const P& x, const P& y,
                  const P& u) {
  using V = typename M::Value;
  if (rescaling == Rescaling::rescale_distances) {
    if constexpr (rescaling_detail::has_unit<M>) {
      return to.proju(y, u * V(to.radius() / from.radius()));
    } else {
      return u;
    }
  }
  const P at_origin = from.ptransp(x, from.origin(x.size()), u);
  return to.ptransp0(y, rescaling_detail::at_other_origin(from, to, at_origin));
}

/// The factor by which the lengths of each part change.
template <class M>
std::array<double, M::radii> rescaling_factors(const M& from, const M& to, Rescaling rescaling) {
  std::array<double, M::radii> r;
  r.fill(1);
  if (rescaling == Rescaling::keep_distances) return r;
  const auto before = from.all_radii();
  const auto after = to.all_radii();
  for (std::size_t i = 0; i < r.size(); ++i)
    if (!rescaling_detail::flat_parts<M>[i]) r[i] = double(after[i]) / double(before[i]);
  return r;
}

/// The derivative of g.x by log K, while the point x follows the radius. g has the partial
/// derivatives of a loss by x. So this is the share of the coordinates of x in the loss's
/// derivative by log K.
template <class M, class P, class T>
double pull_of_radius(const M& from, Rescaling rescaling, const P& x, const T* g) {
  using V = typename M::Value;
  double sum = 0;
  if (rescaling == Rescaling::rescale_distances) {
    if constexpr (rescaling_detail::has_unit<M>)
      for (int i = 0; i < x.size(); ++i) sum += double(x[i]) * double(g[i]);
    return sum;
  }
  using W = work_t<V>;
  using X = detail::Traced<W>;
  detail::Trace<W>::current().clear();
  // the vector at the origin whose exponential is x has a constant length
  const auto f = from.formulas();
  const auto u = f.logmap0(detail::to_work(x));
  const auto origin = f.origin_like(u);
  const auto k = X::input(f.radius);
  const auto traced = from.formulas_at(std::array<X, 1>{k});
  const auto direction =
      detail::generate<Point<X>>(u.size(), [&](int i) { return X::constant(u[i]); });
  const X length = traced.norm(traced.origin_like(direction), detail::off_zero(direction));
  const X stretch = X::constant(f.norm(origin, u)) / length;
  const auto z = traced.expmap0(direction * stretch);
  auto& trace = detail::Trace<W>::current();
  trace.begin_backward();
  for (int i = 0; i < z.size(); ++i) trace.add(z[i].index, W(double(g[i])));
  trace.backward();
  return double(detail::lead(trace.derivative(k.index))) * double(from.radius());
}

namespace rescaling_detail {
/// Calls f(part, number) for every part of a product, where part is the number as a constant.
template <class... Ms, class F>
void each_part(const Product<Ms...>&, const F& f) {
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (f(std::integral_constant<int, int(i)>(), i), ...);
  }
  (std::index_sequence_for<Ms...>());
}
}  // namespace rescaling_detail

/// The functions for products, part by part.
template <class... Ms, class V>
Point<V> rescaled_point(const Product<Ms...>& from, const Product<Ms...>& to, Rescaling rescaling,
                        const Point<V>& x) {
  auto parts = from.split(x);
  rescaling_detail::each_part(from, [&](auto n, std::size_t i) {
    parts[i] = rescaled_point(from.template part<n>(), to.template part<n>(), rescaling, parts[i]);
  });
  return to.join(parts);
}
template <class... Ms, class V, class T>
double pull_of_radius(const Product<Ms...>& from, Rescaling rescaling, const Point<V>& x,
                      const T* g) {
  const auto parts = from.split(x);
  double sum = 0;
  rescaling_detail::each_part(from, [&](auto n, std::size_t i) {
    sum += pull_of_radius(from.template part<n>(), rescaling, parts[i], g);
    g += parts[i].size();
  });
  return sum;
}
template <class... Ms, class V>
Point<V> rescaled_vector(const Product<Ms...>& from, const Product<Ms...>& to, Rescaling rescaling,
                         const Point<V>& x, const Point<V>& y, const Point<V>& u) {
  const auto before = from.split(x);
  const auto after = to.split(y);
  auto parts = from.split(u);
  rescaling_detail::each_part(from, [&](auto n, std::size_t i) {
    parts[i] = rescaled_vector(from.template part<n>(), to.template part<n>(), rescaling, before[i],
                               after[i], parts[i]);
  });
  return to.join(parts);
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE
