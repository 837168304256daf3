// sin_k(t) = sin(sqrt(kappa) t) / sqrt(kappa) and its relatives for a curvature kappa of any sign,
// and their derivatives by both arguments. All are smooth where kappa is 0. Series compute the
// derivatives where quotients would cancel. Scalars only.
#pragma once

#include "mctensor/geometry/traced.hpp"
#include "mctensor/math/inverse_trig.hpp"
#include "mctensor/math/trig.hpp"

namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail {

/// The sign of a curvature. It decides which formula a function takes. The sign of NaN is 0,
/// but no manifold has a curvature that is NaN. A symbol has the sign for which its program was
/// recorded (src/geometry/programs).
template <class W>
inline int sign_of(const W& kappa) {
  return int(lead(kappa) > 0) - int(lead(kappa) < 0);
}

/// asin_k(s) for s >= 0. c is the cosine of the result, sqrt(1 - kappa s^2).
template <class W>
inline W asin_k(const W& kappa, const W& s, const W& c) {
  using std::atan2;
  if (sign_of(kappa) < 0) {
    const W k = root(W(-kappa));
    return asinh_of(W(k * s)) / k;
  }
  if (sign_of(kappa) > 0) {
    const W k = root(kappa);
    return W(atan2(W(k * s), c)) / k;
  }
  return s;
}

/// The functions of an arc t >= 0 that a step takes. For kappa >= 0 these are sin_k(t) and
/// cos_k(t). For kappa < 0 they would overflow; both are divided by cos_k(t), which gives tan_k(t)
/// and 1.
template <class W>
struct ArcStep {
  W sine, cosine;  // tan_k and 1 for kappa < 0
  W rest;          // cosine^2 + kappa sine^2
};
template <class W>
inline ArcStep<W> arc_step_of(const W& kappa, const W& t) {
  using std::cos, std::sin;
  const W one = number<W>(1);
  if (sign_of(kappa) < 0) {
    const W k = root(W(-kappa));
    const Reach<W> reach = reach_of(doubled(W(k * t)));
    return {W(reach.tanh_half / k), one, reach.sech2_half};
  }
  if (sign_of(kappa) > 0) {
    const W k = root(kappa);
    return {W(W(sin(W(k * t))) / k), W(cos(W(k * t))), one};
  }
  return {t, one, one};
}

/// How many terms of a series in z give all digits, for |z| <= 1/16.
template <class W>
inline constexpr int series_terms = 14 * limbs_of<W> + 2;

/// series() where |z| is at most 1/16 or kappa is 0, quotient() elsewhere. z is kappa times a
/// square.
template <class W, class Series, class Quotient>
inline W by_size(const W& kappa, const W& z, const Series& series, const Quotient& quotient) {
  if (sign_of(kappa) == 0) return series();
  const auto large = magnitude(lead(z)) > limb_t<W>(0.0625);
  if constexpr (is_symbolic_v<W>) {
    return blend(large, quotient(), series());
  } else {
    return large ? quotient() : series();
  }
}

/// The derivative of asin_k(s) by kappa, (s / c - asin_k(s)) / (2 kappa). The series is s^3 times
/// the derivative by z of the series of asin(sqrt z) / sqrt z, where z = kappa s^2.
template <class W>
inline W asin_k_slope(const W& kappa, const W& s, const W& c, const W& arc) {
  const W z = kappa * s * s;
  const auto series = [&] {
    W coefficient = number<W>(1);  // (2 k)! / (4^k k!^2)
    W power = number<W>(1);
    W sum = number<W>(0);
    for (int k = 1; k <= series_terms<W>; ++k) {
      coefficient = coefficient * number<W>(2 * k - 1) / number<W>(2 * k);
      sum = sum + coefficient * number<W>(k) / number<W>(2 * k + 1) * power;
      power = power * z;
    }
    return W(sum * s * s * s);
  };
  return by_size(kappa, z, series, [&] { return W((s / c - arc) / doubled(kappa)); });
}
/// The derivative of sin_k(t) by kappa, (t cos_k - sin_k) / (2 kappa).
template <class W>
inline W sin_k_slope(const W& kappa, const W& t, const W& sine, const W& cosine) {
  const W z = kappa * t * t;
  const auto series = [&] {
    W term = number<W>(1);  // (-1)^k / (2 k + 1)!
    W power = number<W>(1);
    W sum = number<W>(0);
    for (int k = 1; k <= series_terms<W>; ++k) {
      term = -term / number<W>(2 * k * (2 * k + 1));
      sum = sum + term * number<W>(k) * power;
      power = power * z;
    }
    return W(sum * t * t * t);
  };
  return by_size(kappa, z, series, [&] { return W((t * cosine - sine) / doubled(kappa)); });
}

template <class W>
inline Traced<W> asin_k(const Traced<W>& kappa, const Traced<W>& s, const Traced<W>& c) {
  const W arc = asin_k(kappa.value, s.value, c.value);
  return noted(arc, By<W>(kappa, asin_k_slope(kappa.value, s.value, c.value, arc)),
               By<W>(s, W(number<W>(1) / c.value)));
}
/// The derivatives of tan_k: 1 / cos_k^2 by t, (sin_k' cos_k + t sin_k^2 / 2) / cos_k^2 by kappa.
template <class W>
inline ArcStep<Traced<W>> arc_step_of(const Traced<W>& kappa, const Traced<W>& t) {
  const W k = kappa.value;
  const ArcStep<W> turn = arc_step_of(k, t.value);
  const W s = turn.sine;
  const W c = turn.cosine;
  if (!(sign_of(k) < 0)) {
    const W half = halved(W(t.value * s));
    return {noted(s, By<W>(kappa, sin_k_slope(k, t.value, s, c)), By<W>(t, c)),
            noted(c, By<W>(kappa, W(-half)), By<W>(t, W(-(k * s)))),
            Traced<W>::constant(turn.rest)};
  }
  const W z = k * t.value * t.value;
  const auto series = [&] {
    const W cosine = number<W>(1) / root(turn.rest);
    const W sine = s * cosine;
    return W((sin_k_slope(k, t.value, sine, cosine) * cosine + halved(W(t.value * sine * sine))) *
             turn.rest);
  };
  const W by_kappa =
      by_size(k, z, series, [&] { return W((t.value * turn.rest - s) / doubled(k)); });
  return {noted(s, By<W>(kappa, by_kappa), By<W>(t, turn.rest)), Traced<W>::constant(c),
          noted(turn.rest, By<W>(kappa, W(s * t.value * turn.rest)),
                By<W>(t, W(doubled(k) * s * turn.rest)))};
}

}  // namespace mct::geometry::inline MCT_ISA_NAMESPACE::detail
