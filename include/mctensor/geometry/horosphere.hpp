// Horospheres of the Poincaré ball: spheres around a point of the boundary.
#pragma once

#include "mctensor/geometry/mobius.hpp"

namespace mct::geometry {
inline namespace MCT_ISA_NAMESPACE {
namespace detail {

/// |K omega - x|^2 and the gap of x: their quotient is e^(Busemann / K).
template <class W>
struct HorosphereParts {
  W distance2, gap, difference;  // difference = gap - distance2, without cancellation near 0
};

/// Throws DomainError if a direction's length is not 1, to a few units of its rounding.
template <class W, int n>
MCT_HD inline void require_unit([[maybe_unused]] const Point<W, n>& omega,
                                [[maybe_unused]] double unit) {
#ifndef __CUDA_ARCH__
  if constexpr (is_component_v<limb_t<W>>) {
    const double off(lead(W(norm_of(omega) - number<W>(1))));
    if (std::fabs(off) > 4 * manifold_bound<W>(omega.size()) * unit)
      throw DomainError("a direction of length 1 + " + std::to_string(off));
  }
#endif
}

template <class W, int n>
MCT_HD inline HorosphereParts<W> horosphere_parts(const W& radius, const Point<W, n>& x,
                                                  const Point<W, n>& omega, double unit) {
  require_coordinates(x, 1);
  require_unit(omega, unit);
  const Point<W, n> end = omega * radius;
  const Point<W, n> d = end - x;
  return {squared_norm(d), ball_of(radius).gap(x), doubled(W(dot_with_difference(x, x, end)))};
}

}  // namespace detail

/// The Busemann function K log(|K omega - x|^2 / (K^2 - |x|^2)) of the unit vector omega: the
/// (signed) distance of x from the horosphere through the origin that touches the boundary in K
/// omega, negative inside. Throws DomainError unless |omega| is 1. Error: manifold_bound (|B| + the
/// condition number).
template <class V, int n>
MCT_HD inline V busemann(const PoincareBall<V>& ball, const Point<V, n>& x,
                         const Point<V, n>& omega) {
  using W = work_t<V>;
  using L = detail::limb_t<W>;
  using S = scalar_t<L>;
  const W k = detail::to_work(ball.radius);
  const auto parts = detail::horosphere_parts(k, detail::to_work(x), detail::to_work(omega),
                                              detail::unit_roundoff<V>());
  // log(distance2 / gap) as log1p of the smaller excess
  const auto inside = detail::lead(parts.difference) > L(S(0));
  const W divisor = detail::blend(inside, parts.distance2, parts.gap);
  const W excess = detail::blend(inside, parts.difference, -parts.difference) / divisor;
  const W value = k * detail::log1p_of(excess);
  return detail::from_work<V>(detail::blend(inside, -value, value));
}

/// The point of the geodesic from the origin to K omega that lies on the same horosphere around
/// K omega as x: K tanh(-B / (2 K)) omega = K (G - D) / (G + D) omega, D = |K omega - x|^2.
/// Source: Chami et al.: HoroPCA, ICML 2021. Bound as busemann's.
template <class V, int n>
MCT_HD inline Point<V, n> horosphere_projection(const PoincareBall<V>& ball, const Point<V, n>& x,
                                                const Point<V, n>& omega) {
  using W = work_t<V>;
  const W k = detail::to_work(ball.radius);
  const auto e = detail::to_work(omega);
  const auto parts = detail::horosphere_parts(k, detail::to_work(x), e, detail::unit_roundoff<V>());
  return detail::ball_result<V>(k, e * W(k * (parts.difference / (parts.gap + parts.distance2))));
}

}  // namespace MCT_ISA_NAMESPACE
}  // namespace mct::geometry
